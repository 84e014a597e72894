import { sessionOf } from '../../../base/core/caller.ts';
import { Refusal, refuse } from '../../../base/core/errors.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder } from '../../../base/graphql/builder.ts';
import type { Context } from '../../../base/graphql/context.ts';
import { live } from '../../../base/graphql/live.ts';
import { countsAs } from '../../../base/graphql/rate.ts';
import { findUser, LEADERS, listLeaders, listLive, MAX_LEADERS, MAX_LIVE } from './find.ts';
import { follow, readFollows, unfollow } from './follow.ts';
import { heartbeat } from './heartbeat.ts';
import { followPresence } from './presence.ts';
import type { PresenceEvent } from './presence-state.ts';
import { SEARCH_LIMIT, searchQuery } from './search.input.ts';
import { searchUsersOnce } from './search.ts';
import { setPresence } from './set-presence.ts';
import { upsertUser } from './upsert-user.ts';
import { presenceInput, userInput } from './user.input.ts';
import { FollowsInfoType, PresenceEventType, UserSearchType, UserType, viewerOf } from './user-type.ts';

/** The answer; if the database is unavailable, `fallback`, and the request is marked as degraded. */
async function orDegraded<T>(context: Context, answer: Promise<T>, fallback: T): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'datastore_unavailable')) throw error;
    context.request.markDegraded();
    return fallback;
  }
}

const ofWallet = 'The wallet of the user.';

builder.queryFields((t) => ({
  user: t.field({
    type: UserType,
    nullable: true,
    description: 'One user; null if no user has this wallet.',
    authScopes: { key: true, session: true },
    args: { wallet: t.arg({ type: 'Wallet', required: true, description: ofWallet }) },
    resolve: (_root, { wallet }, context) => findUser(context.db, wallet as Wallet),
  }),
  follows: t.field({
    type: FollowsInfoType,
    description: 'The follower counts of a wallet, and whether the viewer follows it.',
    authScopes: { key: true, session: true },
    args: {
      wallet: t.arg({ type: 'Wallet', required: true, description: ofWallet }),
      viewer: t.arg({ type: 'Wallet', description: 'The viewing wallet. Default: the signed-in wallet, if any.' }),
    },
    resolve: (_root, { wallet, viewer }, context) =>
      readFollows(context.db, wallet as Wallet, (viewer as Wallet | undefined) ?? viewerOf(context)),
  }),
  liveUsers: t.field({
    type: [UserType],
    description: 'The publicly live users with a heartbeat within two minutes, most recent first.',
    authScopes: { key: true, session: true, visitor: true },
    args: { limit: t.arg.int({ description: `1 to ${MAX_LIVE}. Default: all of them.` }) },
    complexity: (args) => ({ field: 1, multiplier: args.limit ?? 10 }),
    resolve: (_root, { limit }, context) =>
      orDegraded(context, listLive(context.db, context.clock(), limit ?? null), []),
  }),
  leaderboard: t.field({
    type: [UserType],
    description: 'The users with the most XP, highest first.',
    authScopes: { key: true, session: true },
    args: { limit: t.arg.int({ defaultValue: LEADERS, description: `1 to ${MAX_LEADERS}.` }) },
    complexity: (args) => ({ field: 1, multiplier: args.limit ?? LEADERS }),
    resolve: (_root, { limit }, context) => listLeaders(context.db, limit ?? LEADERS),
  }),
  searchUsers: t.field({
    type: UserSearchType,
    description:
      'Users by XP: reads the first `scan` users, filters them, and returns at most `limit`. `limit` and `scan` are clamped to their ranges.',
    authScopes: { scope: 'users:read', session: true },
    args: {
      q: t.arg.string({ description: 'Part of the wallet or name, case-insensitive. `%` and `_` are literal.' }),
      domains: t.arg.stringList({ description: 'Users that have all of these.' }),
      platforms: t.arg.stringList({ description: 'Users that have all of these.' }),
      languages: t.arg.stringList({ description: 'Users that have all of these.' }),
      minXp: t.arg.float({ description: '0 or more.' }),
      maxXp: t.arg.float({ description: '0 or more.' }),
      live: t.arg.boolean({ description: 'Only publicly live users.' }),
      limit: t.arg.int({ description: '1 to 100; other values are clamped. Default: 25.' }),
      scan: t.arg.int({ description: '`limit` to 1000; other values are clamped. Default: 400.' }),
    },
    complexity: (args) => ({ field: 1, multiplier: Math.min(Math.max(args.limit ?? SEARCH_LIMIT, 1), 100) }),
    resolve: (_root, args, context) =>
      orDegraded(context, searchUsersOnce(context, parseInput(searchQuery, args)), { users: [], total: null }),
  }),
}));

const UserInput = builder.inputType('UserInput', {
  description: 'The profile of a user. Omitted fields keep their value.',
  fields: (t) => ({
    displayName: t.string({ description: 'The name that others see.' }),
    pfpUrl: t.string({
      description:
        'An https URL, or a data URI of an image of at most 256 KiB, which is stored and served under `/images/`. Empty removes the picture.',
    }),
    bio: t.string({ description: 'A text about the user.' }),
    domains: t.stringList({ description: 'Fields of work or interest.' }),
    platforms: t.stringList({ description: 'Platforms that the user is active on.' }),
    languages: t.stringList({ description: 'Languages that the user speaks.' }),
  }),
});

const me = ({ caller }: Pick<Context, 'caller'>): Wallet => sessionOf(caller).wallet;
const other = 'The wallet of the other user.';

builder.mutationFields((t) => ({
  upsertUser: t.field({
    ...countsAs('presence'),
    type: UserType,
    description: 'Creates or changes the profile of the signed-in wallet.',
    authScopes: { sessionWrite: true },
    args: { input: t.arg({ type: UserInput, required: true, description: 'The profile.' }) },
    resolve: (_root, { input }, context) => upsertUser(context, me(context), parseInput(userInput, input)),
  }),
  setPresence: t.field({
    ...countsAs('presence'),
    type: UserType,
    description:
      'Sets whether the signed-in wallet is live, where, and whether others may see it. It stays live as long as heartbeats arrive.',
    authScopes: { sessionWrite: true },
    args: {
      live: t.arg.boolean({ required: true, description: 'Whether the wallet is live.' }),
      spacePublic: t.arg.boolean({
        description: 'Whether others may see the presence. Default: unchanged, initially private.',
      }),
      platform: t.arg.string({ description: 'A short name of the platform.' }),
      spaceUrl: t.arg.string({ description: 'The https URL of the space, or empty.' }),
    },
    resolve: (_root, args, context) => setPresence(context, me(context), parseInput(presenceInput, args)),
  }),
  heartbeat: t.boolean({
    ...countsAs('presence'),
    description:
      'Keeps the signed-in wallet live. Call it every thirty seconds; presence expires after two minutes without a heartbeat. Returns whether the wallet is live. If not, call `setPresence` again.',
    authScopes: { sessionWrite: true },
    resolve: (_root, _args, context) => heartbeat(context, me(context)),
  }),
  follow: t.field({
    ...countsAs('others'),
    type: FollowsInfoType,
    description: "Follows a user. Idempotent. Returns the user's follower counts.",
    authScopes: { sessionWrite: true },
    args: { wallet: t.arg({ type: 'Wallet', required: true, description: other }) },
    resolve: (_root, { wallet }, context) => follow(context.db, context.clock(), me(context), wallet as Wallet),
  }),
  unfollow: t.field({
    ...countsAs('others'),
    type: FollowsInfoType,
    description: "Unfollows a user. Idempotent. Returns the user's follower counts.",
    authScopes: { sessionWrite: true },
    args: { wallet: t.arg({ type: 'Wallet', required: true, description: other }) },
    resolve: (_root, { wallet }, context) => unfollow(context.db, me(context), wallet as Wallet),
  }),
}));

/** The maximum number of wallets per stream. */
const MAX_FOLLOWED = 200;

builder.subscriptionFields((t) => ({
  livePresence: t.field({
    type: PresenceEventType,
    description: 'Public presence: first a `joined` event per live user, then each join, change and leave.',
    authScopes: { scope: 'users:read', session: true, visitor: true },
    extensions: { sameForAll: true },
    subscribe: (_root, _args, context) => live(followPresence(context, { wallets: null })),
    resolve: (event) => event as PresenceEvent,
  }),
  presenceOf: t.field({
    type: PresenceEventType,
    description: 'Like `livePresence`, for the given wallets only.',
    authScopes: { scope: 'users:read', session: true },
    args: {
      wallets: t.arg({ type: ['Wallet'], required: true, description: `1 to ${MAX_FOLLOWED} wallets.` }),
    },
    extensions: { sameForAll: true },
    subscribe: (_root, { wallets }, context) => {
      if (wallets.length < 1 || wallets.length > MAX_FOLLOWED)
        throw refuse('invalid_input', `wallets must have 1 to ${MAX_FOLLOWED} entries`, { field: 'wallets' });
      return live(followPresence(context, { wallets: wallets as Wallet[] }));
    },
    resolve: (event) => event as PresenceEvent,
  }),
}));
