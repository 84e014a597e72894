import type { Wallet } from '../core/wallet.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { imageAddress } from '../images/data-uri.ts';
import type { FollowsInfo } from './follow.ts';
import type { PresenceEvent } from './presence-event.ts';
import { shownTo, type UserRecord } from './record.ts';
import type { UserSearch } from './search.ts';

/** The wallet that looks, where it is one that signed in. */
export const viewerOf = ({ caller }: Pick<Context, 'caller'>): Wallet | null =>
  caller.kind === 'session' ? caller.wallet : null;

const seen = (user: UserRecord, context: Context) => shownTo(user, viewerOf(context), context.clock());

export const UserType = builder.objectRef<UserRecord>('User').implement({
  // Every root field that leads here has its guard; one for each field of each user would cost more than all the rest.
  ...throughParent,
  description:
    'A wallet that others can find. Whether and where it is live is shown only where its space is public, and to itself. Texts are empty where nothing was given.',
  fields: (t) => ({
    wallet: t.expose('wallet', { pages: ['live'], type: 'Wallet', description: 'Its wallet.' }),
    displayName: t.exposeString('displayName', {
      pages: ['live'],
      description: 'The name it goes by; as it was typed, never markup.',
    }),
    pfpUrl: t.string({
      pages: ['live'],
      description:
        'The address of its picture; empty where it has none. What came as a data URI is served under `/images/`.',
      resolve: ({ pfpUrl }, _args, { settings }) => imageAddress(settings.baseUrl, pfpUrl),
    }),
    bio: t.exposeString('bio', { description: 'What it says about itself.' }),
    xp: t.exposeFloat('xp', { pages: ['live'], description: 'Points; search and leaderboard go by them.' }),
    domains: t.exposeStringList('domains', { description: 'What it does.' }),
    platforms: t.exposeStringList('platforms', { description: 'Where it does it.' }),
    languages: t.exposeStringList('languages', { pages: ['live'], description: 'What it speaks.' }),
    live: t.boolean({
      pages: ['live'],
      description: 'Whether it is live, and was heard of within two minutes.',
      resolve: (user, _args, context) => seen(user, context).live,
    }),
    liveSince: t.field({
      pages: ['live'],
      type: 'Millis',
      nullable: true,
      description: 'Since when; null while it is not live.',
      resolve: (user, _args, context) => seen(user, context).liveSince,
    }),
    lastSeen: t.expose('lastSeen', { type: 'Millis', nullable: true, description: 'When it last did anything.' }),
    lastHeartbeat: t.expose('lastHeartbeat', {
      type: 'Millis',
      nullable: true,
      description: 'Its last heartbeat; reaches the database within a second or two.',
    }),
    spacePublic: t.exposeBoolean('spacePublic', { description: 'Whether others may see that and where it is live.' }),
    spaceUrl: t.string({
      pages: ['live'],
      description: 'Where it is live: an https address.',
      resolve: (user, _args, context) => seen(user, context).spaceUrl,
    }),
    platform: t.string({
      pages: ['live'],
      description: 'Where it is live, in a word.',
      resolve: (user, _args, context) => seen(user, context).platform,
    }),
    followersCount: t.exposeInt('followersCount', { description: 'How many follow it.' }),
    followingCount: t.exposeInt('followingCount', { description: 'How many it follows.' }),
  }),
});

export const UserSearchType = builder.objectRef<UserSearch>('UserSearch').implement({
  ...throughParent,
  description: 'What a search has found.',
  fields: (t) => ({
    users: t.expose('users', { type: [UserType], description: 'Most XP first.' }),
    total: t.exposeInt('total', {
      nullable: true,
      description:
        'How many of those that were scanned match, before the list is cut to `limit`. Null in a degraded answer.',
    }),
  }),
});

export const FollowsInfoType = builder.objectRef<FollowsInfo>('FollowsInfo').implement({
  ...throughParent,
  description: 'How a wallet stands with others.',
  fields: (t) => ({
    followersCount: t.exposeInt('followersCount', { description: 'How many follow it.' }),
    followingCount: t.exposeInt('followingCount', { description: 'How many it follows.' }),
    viewerFollows: t.exposeBoolean('viewerFollows', { description: 'Whether the viewer follows it.' }),
  }),
});

const PresenceKind = builder.enumType('PresenceKind', {
  description: 'What happened to somebody’s presence.',
  values: {
    joined: { description: 'It is live now, for all to see; or was already, when the stream began.' },
    changed: { description: 'It still is, and something about it is different.' },
    left: { description: 'It is not live any more, was not heard of for two minutes, or went private.' },
  } as const,
});

export const PresenceEventType = builder.objectRef<PresenceEvent>('PresenceEvent').implement({
  pages: ['live'],
  ...throughParent,
  description: 'Somebody came, changed, or went.',
  fields: (t) => ({
    kind: t.expose('kind', { type: PresenceKind, description: 'What happened.' }),
    wallet: t.expose('wallet', { type: 'Wallet', description: 'Whose presence it is.' }),
    at: t.expose('at', { type: 'Millis', description: 'When this server learned of it.' }),
    user: t.expose('user', { type: UserType, description: 'The user as it then was.' }),
  }),
});
