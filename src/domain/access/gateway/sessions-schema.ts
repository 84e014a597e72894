import { sessionOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { countsAs, OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { MemberRoleEnum } from '../../../base/graphql/vocabulary.ts';
import { confirmInput } from './login.input.ts';
import { confirmSession } from './login.ts';
import { issueConfirmChallenge } from './login-challenge.ts';
import { LoginChallengeType, SignedInType, settingCookies, unauthorizedError } from './schema.ts';
import { endAllSessions, endOwnSession, listSessions, type OpenSession, switchMerchant } from './sessions.ts';

const SessionType = builder.objectRef<OpenSession>('WalletSession').implement({
  description: 'A place where the wallet is signed in.',
  authScopes: { session: true },
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: ({ id }) => globalId('WalletSession', id) }),
    sessionId: t.exposeID('id', { description: 'The id of the session, for `endSession`.' }),
    merchant: t.expose('merchant', {
      type: 'Wallet',
      nullable: true,
      description: 'The merchant that it acts for; null if the wallet is not a member of one.',
    }),
    role: t.expose('role', { type: MemberRoleEnum, nullable: true, description: 'The role in that merchant.' }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When the wallet signed in.' }),
    expiresAt: t.expose('expiresAt', { type: 'Millis', description: 'When the session ends by itself.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'Millis',
      description: 'When it was last used, at most about a minute late.',
    }),
    confirmedAt: t.expose('confirmedAt', { type: 'Millis', description: 'When the wallet last signed.' }),
    address: t.exposeString('address', { nullable: true, description: 'The client’s address at the login.' }),
    device: t.exposeString('device', {
      nullable: true,
      description: 'Browser and system in words, as in “Firefox on Windows”; null if they are not known.',
    }),
    current: t.exposeBoolean('current', { description: 'Whether it is the session of this request.' }),
  }),
});

builder.queryFields((t) => ({
  sessions: t.connection(
    {
      type: SessionType,
      description: 'Where the wallet is signed in, the newest first.',
      authScopes: { session: true },
      unauthorizedError,
      complexity: costOfPage,
      resolve: (_, page, ctx) => connect(page, listSessions(ctx.db, ctx.clock(), sessionOf(ctx.caller))),
    },
    ...connectionTypes('WalletSession', 'sessions'),
  ),
}));

builder.mutationFields((t) => ({
  switchMerchant: t.field({
    ...countsAs('others'),
    type: SignedInType,
    description:
      'Ends the session and starts one for another merchant that the wallet is a member of, with new cookies. Refused with `not_found` otherwise.',
    authScopes: { sessionWrite: true },
    unauthorizedError,
    args: { merchant: t.arg({ type: 'Wallet', required: true, description: 'The merchant to act for.' }) },
    resolve: async (_, { merchant }, ctx) =>
      settingCookies(ctx, await switchMerchant(ctx, sessionOf(ctx.caller), merchant as Wallet, ctx.request)),
  }),
  endSession: t.field({
    ...countsAs('others'),
    type: 'Boolean',
    description: 'Ends a session of the wallet at once, on all servers. Refused with `not_found` if there is none.',
    authScopes: { sessionWrite: true },
    unauthorizedError,
    args: { sessionId: t.arg.id({ required: true, description: 'The id of the session.' }) },
    resolve: async (_, { sessionId }, ctx) =>
      settingCookies(ctx, await endOwnSession(ctx, sessionOf(ctx.caller), sessionId)),
  }),
  endAllSessions: t.field({
    ...countsAs('others'),
    type: 'Int',
    description: 'Ends the sessions of the wallet at once, on all servers. Returns how many.',
    authScopes: { sessionWrite: true },
    unauthorizedError,
    args: {
      exceptThis: t.arg.boolean({ defaultValue: false, description: 'True: the session of this request stays.' }),
    },
    resolve: async (_, { exceptThis }, ctx) =>
      settingCookies(ctx, await endAllSessions(ctx, sessionOf(ctx.caller), exceptThis ?? false)),
  }),
  confirmChallenge: t.field({
    ...countsAs('others'),
    type: LoginChallengeType,
    description:
      'Returns the typed data that the wallet signs to confirm its session. Valid once, for five minutes, for this session.',
    authScopes: { sessionWrite: true },
    unauthorizedError,
    resolve: (_, _args, ctx) => issueConfirmChallenge(ctx, sessionOf(ctx.caller), ctx.request.host),
  }),
  confirmSession: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: SignedInType,
    description:
      'Confirms the session with the signature of a challenge. For five minutes it opens what is refused with `signature_required`; a login counts too.',
    authScopes: { sessionWrite: true },
    unauthorizedError,
    args: {
      nonce: t.arg.string({ required: true, description: 'The nonce of the challenge.' }),
      signature: t.arg({ type: 'Hex', required: true, description: 'The signature of the typed data.' }),
    },
    resolve: (_, args, ctx) =>
      confirmSession(ctx, sessionOf(ctx.caller), parseInput(confirmInput, args), ctx.request.host),
  }),
}));
