import type { ForbiddenResult } from '@pothos/plugin-scope-auth';
import { accessRefusal, sessionOf } from '../core/caller.ts';
import { sessionFailed } from '../core/forbidden.ts';
import { builder, guardsIn } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { countsAs, OUTSIDE_POINTS } from '../graphql/rate.ts';
import { login, logout, ROLES, type SignedIn, signedIn, type WithCookies } from './login.ts';
import { issueLoginChallenge, type LoginChallenge } from './login-challenge.ts';

/** Refuses a caller without a session in the contract's words. */
const unauthorizedError = (
  _parent: unknown,
  _args: unknown,
  { caller }: Context,
  _info: unknown,
  { failure }: ForbiddenResult,
) =>
  caller.kind === 'anonymous'
    ? (caller.declined ?? sessionFailed('session_missing'))
    : accessRefusal(caller, guardsIn(failure));

const RoleEnum = builder.enumType('Role', { description: 'What a signed-in wallet is here.', values: ROLES });

const LoginChallengeType = builder.objectRef<LoginChallenge>('LoginChallenge').implement({
  description: 'What a wallet signs to sign in; good once, for five minutes, for this wallet at this host.',
  authScopes: { public: true },
  fields: (t) => ({
    nonce: t.exposeString('nonce', { description: 'To be sent back with the signature.' }),
    expiresAt: t.expose('expiresAt', { type: 'Millis', description: 'When the challenge is worth nothing any more.' }),
    typedData: t.expose('typedData', {
      type: 'JSON',
      description: 'The EIP-712 data, as eth_signTypedData_v4 takes it.',
    }),
  }),
});

const SignedInType = builder.objectRef<SignedIn>('SignedIn').implement({
  description: 'A signed-in wallet.',
  authScopes: { $granted: 'signedIn', session: true },
  fields: (t) => ({
    wallet: t.expose('wallet', { type: 'Wallet', description: 'The wallet that signed in.' }),
    roles: t.expose('roles', { type: [RoleEnum], description: 'What the wallet is here.' }),
    merchant: t.expose('merchant', { type: 'Wallet', nullable: true, description: 'The merchant it is the admin of.' }),
    csrfToken: t.exposeString('csrfToken', { description: 'To be sent back as x-csrf-token with every write.' }),
  }),
});

builder.mutationFields((t) => ({
  loginChallenge: t.field({
    ...countsAs('others'),
    type: LoginChallengeType,
    description: 'Asks for typed data to sign in with.',
    authScopes: { public: true },
    args: { wallet: t.arg({ type: 'Wallet', required: true }) },
    resolve: (_, args, ctx) => issueLoginChallenge(ctx, args, ctx.request.host),
  }),
  login: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: SignedInType,
    description: 'Signs in with a signed challenge, and sets the session cookies.',
    authScopes: { public: true },
    grantScopes: ['signedIn'],
    args: {
      wallet: t.arg({ type: 'Wallet', required: true }),
      nonce: t.arg.string({ required: true }),
      signature: t.arg({ type: 'Hex', required: true }),
    },
    resolve: async (_, args, ctx) => settingCookies(ctx, await login(ctx, args, ctx.request.host)),
  }),
  logout: t.field({
    ...countsAs('others'),
    type: 'Boolean',
    description: 'Ends the session at once, and clears its cookies.',
    authScopes: { sessionWrite: true },
    unauthorizedError,
    resolve: async (_, _args, ctx) => settingCookies(ctx, await logout(ctx, sessionOf(ctx.caller))),
  }),
}));

builder.queryFields((t) => ({
  me: t.field({
    type: SignedInType,
    description: 'The signed-in wallet.',
    authScopes: { session: true },
    unauthorizedError,
    resolve: (_, _args, ctx) => signedIn(ctx, sessionOf(ctx.caller)),
  }),
}));

function settingCookies<T>({ request }: Context, { answer, cookies }: WithCookies<T>): T {
  for (const cookie of cookies) request.setCookie(cookie);
  return answer;
}
