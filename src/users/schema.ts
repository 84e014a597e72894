import { sessionOf } from '../core/caller.ts';
import { Refusal, refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { builder } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { live } from '../graphql/live.ts';
import { countsAs } from '../graphql/rate.ts';
import { findUser, LEADERS, listLeaders, listLive, MAX_LEADERS, MAX_LIVE } from './find.ts';
import { follow, readFollows, unfollow } from './follow.ts';
import { heartbeat } from './heartbeat.ts';
import { followPresence } from './presence.ts';
import type { PresenceEvent } from './presence-event.ts';
import { SEARCH_LIMIT } from './search.input.ts';
import { searchUsersOnce } from './search.ts';
import { setPresence } from './set-presence.ts';
import { upsertUser } from './upsert-user.ts';
import { FollowsInfoType, PresenceEventType, UserSearchType, UserType, viewerOf } from './user-type.ts';

/** The answer, or with the database away this one instead, and the request is noted as degraded. */
async function orDegraded<T>(context: Context, answer: Promise<T>, instead: T): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'datastore_unavailable')) throw error;
    context.request.markDegraded();
    return instead;
  }
}

const ofWallet = 'Whose.';

builder.queryFields((t) => ({
  user: t.field({
    type: UserType,
    nullable: true,
    description: 'One user; null where nobody has this wallet.',
    authScopes: { key: true, session: true },
    args: { wallet: t.arg({ type: 'Wallet', required: true, description: ofWallet }) },
    resolve: (_root, { wallet }, context) => findUser(context, wallet as Wallet),
  }),
  follows: t.field({
    type: FollowsInfoType,
    description: 'How many follow a wallet, how many it follows, and whether the viewer does.',
    authScopes: { key: true, session: true },
    args: {
      wallet: t.arg({ type: 'Wallet', required: true, description: ofWallet }),
      viewer: t.arg({ type: 'Wallet', description: 'Who looks; left out: the signed-in wallet, if there is one.' }),
    },
    resolve: (_root, { wallet, viewer }, context) =>
      readFollows(context, wallet as Wallet, (viewer as Wallet | undefined) ?? viewerOf(context)),
  }),
  liveUsers: t.field({
    type: [UserType],
    description: 'Who is live in public and was heard of within two minutes; who came last comes first.',
    authScopes: { key: true, session: true, visitor: true },
    args: { limit: t.arg.int({ description: `1 to ${MAX_LIVE}; left out: all of them.` }) },
    complexity: (args) => ({ field: 1, multiplier: args.limit ?? 10 }),
    resolve: (_root, { limit }, context) => orDegraded(context, listLive(context, limit ?? null), []),
  }),
  leaderboard: t.field({
    type: [UserType],
    description: 'The users with the most XP, most first.',
    authScopes: { key: true, session: true },
    args: { limit: t.arg.int({ defaultValue: LEADERS, description: `1 to ${MAX_LEADERS}.` }) },
    complexity: (args) => ({ field: 1, multiplier: args.limit ?? LEADERS }),
    resolve: (_root, { limit }, context) => listLeaders(context, limit ?? LEADERS),
  }),
  searchUsers: t.field({
    type: UserSearchType,
    description:
      'Users by XP: the `scan` first are read, then filtered, then cut to `limit`. `limit` and `scan` are brought into range.',
    authScopes: { scope: 'users:read', session: true },
    args: {
      q: t.arg.string({ description: 'Part of wallet or name, in any letter case; `%` and `_` mean themselves.' }),
      domains: t.arg.stringList({ description: 'All of these.' }),
      platforms: t.arg.stringList({ description: 'All of these.' }),
      languages: t.arg.stringList({ description: 'All of these.' }),
      minXp: t.arg.float({ description: '0 or more.' }),
      maxXp: t.arg.float({ description: '0 or more.' }),
      live: t.arg.boolean({ description: 'Only those who are live in public.' }),
      limit: t.arg.int({ description: '1 to 100, else brought into it; 25.' }),
      scan: t.arg.int({ description: 'From `limit` to 1000, else brought into it; 400.' }),
    },
    complexity: (args) => ({ field: 1, multiplier: Math.min(Math.max(args.limit ?? SEARCH_LIMIT, 1), 100) }),
    resolve: (_root, args, context) => orDegraded(context, searchUsersOnce(context, args), { users: [], total: null }),
  }),
}));

const UserInput = builder.inputType('UserInput', {
  description: 'What a user says of itself. What is left out stays as it is.',
  fields: (t) => ({
    displayName: t.string(),
    pfpUrl: t.string({
      description:
        'An https address, or a data URI of an image of at most 256 KiB, which is stored and served under `/images/`; empty takes it back.',
    }),
    bio: t.string(),
    domains: t.stringList({ description: 'What it does.' }),
    platforms: t.stringList({ description: 'Where it does it.' }),
    languages: t.stringList({ description: 'What it speaks.' }),
  }),
});

const me = ({ caller }: Pick<Context, 'caller'>): Wallet => sessionOf(caller).wallet;
const other = 'Of the other one.';

builder.mutationFields((t) => ({
  upsertUser: t.field({
    ...countsAs('others'),
    type: UserType,
    description: 'Makes the signed-in wallet a user, or changes what it says of itself.',
    authScopes: { sessionWrite: true },
    args: { input: t.arg({ type: UserInput, required: true }) },
    resolve: (_root, { input }, context) => upsertUser(context, me(context), input),
  }),
  setPresence: t.field({
    ...countsAs('others'),
    type: UserType,
    description:
      'Says whether the signed-in wallet is live, where, and whether others may see it. It stays live as long as heartbeats come.',
    authScopes: { sessionWrite: true },
    args: {
      live: t.arg.boolean({ required: true }),
      spacePublic: t.arg.boolean({ description: 'Left out: as it was, at first private.' }),
      platform: t.arg.string({ description: 'Where, in a word.' }),
      spaceUrl: t.arg.string({ description: 'Where: an https address, or empty.' }),
    },
    resolve: (_root, args, context) => setPresence(context, me(context), args),
  }),
  heartbeat: t.boolean({
    ...countsAs('others'),
    description:
      'Says that the signed-in wallet is still there; at least every two minutes, better every thirty seconds. Answers whether it is live: else `setPresence` makes it so again.',
    authScopes: { sessionWrite: true },
    resolve: (_root, _args, context) => heartbeat(context, me(context)),
  }),
  follow: t.field({
    ...countsAs('others'),
    type: FollowsInfoType,
    description: 'Follows a user; again changes nothing. Answers how that user stands now.',
    authScopes: { sessionWrite: true },
    args: { wallet: t.arg({ type: 'Wallet', required: true, description: other }) },
    resolve: (_root, { wallet }, context) => follow(context, me(context), wallet as Wallet),
  }),
  unfollow: t.field({
    ...countsAs('others'),
    type: FollowsInfoType,
    description: 'Follows a user no more; again changes nothing. Answers how that user stands now.',
    authScopes: { sessionWrite: true },
    args: { wallet: t.arg({ type: 'Wallet', required: true, description: other }) },
    resolve: (_root, { wallet }, context) => unfollow(context, me(context), wallet as Wallet),
  }),
}));

/** How many wallets one stream may be about. */
const MAX_FOLLOWED = 200;

builder.subscriptionFields((t) => ({
  livePresence: t.field({
    type: PresenceEventType,
    description: 'Follows who is live in public: first everybody who is, as joined; then who comes, changes and goes.',
    authScopes: { scope: 'users:read', session: true, visitor: true },
    extensions: { sameForAll: true },
    subscribe: (_root, _args, context) => live(followPresence(context, { wallets: null })),
    resolve: (event) => event as PresenceEvent,
  }),
  presenceOf: t.field({
    type: PresenceEventType,
    description: 'The same for these wallets alone.',
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
