import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../../../base/core/wallet.ts';
import { columnsOf, type TableOf } from '../../../base/platform/postgres/database.ts';

/** A wallet with a profile. */
export const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  indexes: [
    // Searches scan this index before they filter, so their cost does not grow with the number of users.
    { name: 'users_by_xp', expression: 'create index users_by_xp on users (xp desc, wallet)' },
    {
      name: 'users_by_picture',
      expression: "create index users_by_picture on users (pfp_url) where pfp_url like '/images/%'",
    },
    { name: 'users_live', expression: 'create index users_live on users (live_since desc, wallet) where live' },
  ],
  properties: {
    wallet: p.text().$type<Wallet>().primary(),
    displayName: p.text().default(''),
    /**
     * The name in the form that searches compare: lower-cased in JavaScript like the query, independent of the
     * database's locale.
     */
    searchName: p.text().default(''),
    pfpUrl: p.text().default(''),
    bio: p.text().default(''),
    xp: p.double().$type<number>().default(0),
    domains: p.array().$type<string[]>().columnType('text[]').defaultRaw(`'{}'`),
    platforms: p.array().$type<string[]>().columnType('text[]').defaultRaw(`'{}'`),
    languages: p.array().$type<string[]>().columnType('text[]').defaultRaw(`'{}'`),
    live: p.boolean().default(false),
    /** Whether others may see that the wallet is live, and where. */
    spacePublic: p.boolean().default(false),
    spaceUrl: p.text().default(''),
    /** The platform where the wallet is live, as the client names it. */
    platform: p.text().default(''),
    liveSince: p.bigint('number').nullable(),
    /** When the wallet last did anything. */
    lastSeen: p.bigint('number').nullable(),
    lastHeartbeat: p.bigint('number').nullable(),
    followersCount: p.integer().default(0),
    followingCount: p.integer().default(0),
    /**
     * Increases with every change that presence followers can see, so the state with the higher version is the later
     * one.
     */
    version: p.bigint('number').default(0),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** The columns that searches compare are not part of a user as it is read. */
type Shown = Exclude<keyof TableOf<typeof UserSchema>, 'searchName'>;

export const USER_COLUMNS = columnsOf(UserSchema).filter((column): column is Shown => column !== 'searchName');

/** One wallet follows another. */
export const FollowSchema = defineEntity({
  name: 'Follow',
  tableName: 'follows',
  properties: {
    follower: p.text().$type<Wallet>().primary(),
    followed: p.text().$type<Wallet>().primary(),
    createdAt: p.bigint('number'),
  },
});

declare module '../../../base/platform/postgres/database.ts' {
  interface Database {
    User: TableOf<typeof UserSchema>;
    Follow: TableOf<typeof FollowSchema>;
  }
}
