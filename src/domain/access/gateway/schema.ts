import type { ForbiddenResult } from '@pothos/plugin-scope-auth';
import { accessRefusal, sessionOf } from '../../../base/core/caller.ts';
import { sessionFailed } from '../../../base/core/forbidden.ts';
import { parseInput } from '../../../base/core/input.ts';
import { permissionsOf } from '../../../base/core/roles.ts';
import { builder, guardsIn } from '../../../base/graphql/builder.ts';
import type { Context } from '../../../base/graphql/context.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { countsAs, OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { MemberRoleEnum, PermissionEnum } from '../../../base/graphql/vocabulary.ts';
import { loginChallengeInput, loginInput } from './login.input.ts';
import { login, logout, type Role, type SignedIn, signedIn, type WithCookies } from './login.ts';
import { type Challenge, issueLoginChallenge } from './login-challenge.ts';

/** Refuses a caller without a session, with the contract's message. */
export const unauthorizedError = (
  _parent: unknown,
  _args: unknown,
  { caller }: Context,
  _info: unknown,
  { failure }: ForbiddenResult,
) =>
  caller.kind === 'anonymous'
    ? (caller.declined ?? sessionFailed('session_missing'))
    : accessRefusal(caller, guardsIn(failure));

const RoleEnum = builder.enumType('Role', {
  description: 'A role of a signed-in wallet.',
  values: {
    merchant: { description: 'The wallet of a registered merchant.' },
    admin: { description: 'Administers its own merchant.' },
    user: { description: 'Every signed-in wallet.' },
    platform_admin: { description: 'Named by the operator; acts for any merchant at the till.' },
  } satisfies Record<Role, object>,
});

export const LoginChallengeType = builder.objectRef<Challenge<unknown>>('LoginChallenge').implement({
  description:
    'The data that a wallet signs to sign in or to confirm its session. Valid once, for five minutes, for this wallet at this host.',
  authScopes: { public: true },
  fields: (t) => ({
    nonce: t.exposeString('nonce', { description: 'The nonce to send with the signature.' }),
    expiresAt: t.expose('expiresAt', { type: 'Millis', description: 'When the challenge expires.' }),
    typedData: t.expose('typedData', {
      type: 'JSON',
      description: 'The EIP-712 data for `eth_signTypedData_v4`.',
    }),
  }),
});

export const SignedInType = builder.objectRef<SignedIn>('SignedIn').implement({
  description: 'A signed-in wallet.',
  authScopes: { $granted: 'signedIn', session: true },
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: ({ wallet }) => globalId('SignedIn', wallet) }),
    wallet: t.expose('wallet', { type: 'Wallet', description: 'The wallet that signed in.' }),
    roles: t.expose('roles', { type: [RoleEnum], description: 'The roles of the wallet.' }),
    merchant: t.expose('merchant', {
      type: 'Wallet',
      nullable: true,
      description: 'The merchant that the session acts for.',
    }),
    role: t.expose('role', {
      type: MemberRoleEnum,
      nullable: true,
      description: 'The wallet’s role in that merchant; null without one.',
    }),
    permissions: t.field({
      type: [PermissionEnum],
      description: 'What the role includes. Empty without a merchant.',
      resolve: ({ role }) => (role === null ? [] : [...permissionsOf(role)]),
    }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'Millis',
      description: 'When the wallet last signed. For five minutes it opens what moves money or rights.',
    }),
    csrfToken: t.exposeString('csrfToken', { description: 'The token to send as `x-csrf-token` with every write.' }),
  }),
});

builder.mutationFields((t) => ({
  loginChallenge: t.field({
    ...countsAs('others'),
    type: LoginChallengeType,
    description: 'Returns the typed data that a wallet signs as its login.',
    authScopes: { public: true },
    args: { wallet: t.arg({ type: 'Wallet', required: true, description: 'The wallet that signs in.' }) },
    resolve: (_, args, ctx) => issueLoginChallenge(ctx, parseInput(loginChallengeInput, args).wallet, ctx.request.host),
  }),
  login: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: SignedInType,
    description: 'Signs in with a signed challenge and sets the session cookies.',
    authScopes: { public: true },
    grantScopes: ['signedIn'],
    args: {
      wallet: t.arg({ type: 'Wallet', required: true, description: 'The wallet that signs in.' }),
      nonce: t.arg.string({ required: true, description: 'The nonce of the challenge.' }),
      signature: t.arg({ type: 'Hex', required: true, description: 'The signature of the typed data.' }),
    },
    resolve: async (_, args, ctx) => settingCookies(ctx, await login(ctx, parseInput(loginInput, args), ctx.request)),
  }),
  logout: t.field({
    ...countsAs('others'),
    type: 'Boolean',
    description: 'Ends the session immediately and clears its cookies.',
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
    resolve: (_, _args, ctx) => signedIn(ctx.settings, sessionOf(ctx.caller)),
  }),
}));

/** Sets the cookies of a result, and returns the rest. */
export function settingCookies<T>({ request }: Context, { answer, cookies }: WithCookies<T>): T {
  for (const cookie of cookies) request.setCookie(cookie);
  return answer;
}
