import type { Access, Route } from '../routes/route.ts';
import type { JsonSchema } from './json-schema.ts';

/** The ways to authenticate. */
export const securitySchemes = {
  SubscriptionKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Ocp-Apim-Subscription-Key',
    description: 'A developer key. Its scopes define what it may do, for its own merchant only.',
  },
  ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key under another name.' },
  BearerKey: { type: 'http', scheme: 'bearer', description: 'The same key as `Authorization: Bearer <key>`.' },
  PageToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The short-lived token of a page, valid for the receipt or plan that the page shows.',
  },
  Session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'cb_auth_token',
    description: 'The session that `POST /api/auth/login` opens for a wallet.',
  },
  CsrfToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-csrf-token',
    description: 'The `csrfToken` of the login. A session must send it with every method except GET.',
  },
  CronSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'x-cron-secret',
    description: 'The operator’s cron secret.',
  },
} as const satisfies Record<string, JsonSchema>;

type Proof = Readonly<Partial<Record<keyof typeof securitySchemes, readonly string[]>>>;

const keys = (roles: readonly string[] = []): Proof[] => [
  { SubscriptionKey: roles },
  { ApiKey: roles },
  { BearerKey: roles },
];
const session = (unsafe: boolean): Proof => (unsafe ? { Session: [], CsrfToken: [] } : { Session: [] });

interface Callers {
  /** Any one of these proofs is enough. */
  readonly proofs: (unsafe: boolean, access: never) => readonly Proof[];
  readonly who: (access: never) => string;
}

const CALLERS: Readonly<Record<Access['kind'], Callers>> = {
  public: { proofs: () => [], who: () => 'Anyone.' },
  key: {
    proofs: (unsafe) => [...keys(), session(unsafe)],
    who: () => 'Any valid key, or the merchant’s own session.',
  },
  scope: {
    proofs: (unsafe, { scope }: Extract<Access, { kind: 'scope' }>) => [...keys([scope]), session(unsafe)],
    who: ({ scope }: Extract<Access, { kind: 'scope' }>) =>
      `A key with the scope \`${scope}\`, or the merchant’s own session.`,
  },
  admin: {
    proofs: (unsafe) => [session(unsafe)],
    who: () => 'The merchant’s own session; never a developer key.',
  },
  till: {
    proofs: (unsafe) => [session(unsafe)],
    who: () =>
      'The merchant’s own session, or a platform admin’s, which names the merchant with `x-wallet`; never a developer key.',
  },
  subscribing: {
    proofs: (unsafe) => [...keys(), { PageToken: [] }, session(unsafe)],
    who: () => 'Any valid key, any signed-in wallet, or the page of a plan.',
  },
  scheduler: { proofs: () => [{ CronSecret: [] }], who: () => 'The operator’s cron secret.' },
  session: { proofs: (unsafe) => [session(unsafe)], who: () => 'Any signed-in wallet.' },
};

/** The proofs that a route accepts, as OpenAPI security requirements. */
export const proofsOf = ({ access, method }: Pick<Route, 'access' | 'method'>): readonly Proof[] =>
  CALLERS[access.kind].proofs(method !== 'GET', access as never);

/** The same as a sentence. */
export const whoMayCall = ({ access }: Pick<Route, 'access'>): string => CALLERS[access.kind].who(access as never);
