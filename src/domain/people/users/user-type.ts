import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import type { Context } from '../../../base/graphql/context.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { imageAddress } from '../../../base/records/images/data-uri.ts';
import type { FollowsInfo } from './follow.ts';
import type { PresenceEvent } from './presence-state.ts';
import { shownTo, type UserRecord } from './record.ts';
import type { UserSearch } from './search.ts';

/** The signed-in wallet; null for other callers. */
export const viewerOf = ({ caller }: Pick<Context, 'caller'>): Wallet | null =>
  caller.kind === 'session' ? caller.wallet : null;

const seen = (user: UserRecord, context: Context) => shownTo(user, viewerOf(context), context.clock());

export const UserType = builder.objectRef<UserRecord>('User').implement({
  // Every root field that returns users is authorized. Checks per field and user would cost more than the rest of the
  // query.
  ...throughParent,
  description:
    'A wallet with a profile. Presence is visible only if its space is public, and to the wallet itself. Texts that were not given are empty.',
  fields: (t) => ({
    id: t.id({ pages: ['live'], description: GLOBAL_ID, resolve: ({ wallet }) => globalId('User', wallet) }),
    wallet: t.expose('wallet', { pages: ['live'], type: 'Wallet', description: 'The wallet of the user.' }),
    displayName: t.exposeString('displayName', {
      pages: ['live'],
      description: 'The display name: plain text, never markup.',
    }),
    pfpUrl: t.string({
      pages: ['live'],
      description: 'The URL of the picture; empty if there is none. Uploaded data URIs are served under `/images/`.',
      resolve: ({ pfpUrl }, _args, { settings }) => imageAddress(settings.baseUrl, pfpUrl),
    }),
    bio: t.exposeString('bio', { description: 'A short text about the user.' }),
    xp: t.exposeFloat('xp', { pages: ['live'], description: 'Points. Search and leaderboard are ordered by them.' }),
    domains: t.exposeStringList('domains', { description: 'Fields of work or interest.' }),
    platforms: t.exposeStringList('platforms', { description: 'Platforms that the user is active on.' }),
    languages: t.exposeStringList('languages', { pages: ['live'], description: 'Languages that the user speaks.' }),
    live: t.boolean({
      pages: ['live'],
      description: 'Whether the user is live, with a heartbeat within two minutes.',
      resolve: (user, _args, context) => seen(user, context).live,
    }),
    liveSince: t.field({
      pages: ['live'],
      type: 'Millis',
      nullable: true,
      description: 'Since when the user is live; null while not live.',
      resolve: (user, _args, context) => seen(user, context).liveSince,
    }),
    lastSeen: t.field({
      type: 'Millis',
      nullable: true,
      description: 'Time of the last activity. Others see the day (UTC) if the space is not public.',
      resolve: (user, _args, context) => seen(user, context).lastSeen,
    }),
    lastHeartbeat: t.field({
      type: 'Millis',
      nullable: true,
      description:
        'Time of the last heartbeat, with a delay of up to two seconds. Others see the day (UTC) if the space is not public.',
      resolve: (user, _args, context) => seen(user, context).lastHeartbeat,
    }),
    spacePublic: t.exposeBoolean('spacePublic', {
      description: 'Whether others may see that the user is live, and where.',
    }),
    spaceUrl: t.string({
      pages: ['live'],
      description: 'The https URL of the space where the user is live.',
      resolve: (user, _args, context) => seen(user, context).spaceUrl,
    }),
    platform: t.string({
      pages: ['live'],
      description: 'A short name of the platform where the user is live.',
      resolve: (user, _args, context) => seen(user, context).platform,
    }),
    followersCount: t.exposeInt('followersCount', { description: 'Number of followers.' }),
    followingCount: t.exposeInt('followingCount', { description: 'Number of wallets that the user follows.' }),
  }),
});

export const UserSearchType = builder.objectRef<UserSearch>('UserSearch').implement({
  ...throughParent,
  description: 'The result of a user search.',
  fields: (t) => ({
    users: t.expose('users', { type: [UserType], description: 'Ordered by XP, highest first.' }),
    total: t.exposeInt('total', {
      nullable: true,
      description: 'Number of scanned users that match, before `limit` applies. Null in a degraded answer.',
    }),
  }),
});

export const FollowsInfoType = builder.objectRef<FollowsInfo>('FollowsInfo').implement({
  ...throughParent,
  description: 'The follower counts of a wallet.',
  fields: (t) => ({
    followersCount: t.exposeInt('followersCount', { description: 'How many follow it.' }),
    followingCount: t.exposeInt('followingCount', { description: 'How many it follows.' }),
    viewerFollows: t.exposeBoolean('viewerFollows', { description: 'Whether the viewer follows it.' }),
  }),
});

const PresenceKind = builder.enumType('PresenceKind', {
  description: 'The kind of a presence event.',
  values: {
    joined: { description: 'The user became publicly live, or was already when the stream began.' },
    changed: { description: 'The user is still live and its data changed.' },
    left: { description: 'The user ended its presence, sent no heartbeat for two minutes, or became private.' },
  } as const,
});

export const PresenceEventType = builder.objectRef<PresenceEvent>('PresenceEvent').implement({
  pages: ['live'],
  ...throughParent,
  description: 'A publicly live user joined, changed or left.',
  fields: (t) => ({
    kind: t.expose('kind', { type: PresenceKind, description: 'What happened.' }),
    wallet: t.expose('wallet', { type: 'Wallet', description: 'The wallet of the user.' }),
    at: t.expose('at', { type: 'Millis', description: 'When this server received the change.' }),
    user: t.expose('user', { type: UserType, description: 'The user at that time.' }),
  }),
});
