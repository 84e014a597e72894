import { defineEntity, p } from '@mikro-orm/core';
import type { Wallet } from '../core/wallet.ts';
import type { TableOf } from '../platform/database.ts';

const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  indexes: [
    // What a search scans before it filters; as flat for a million users as for ten.
    { name: 'users_by_xp', expression: 'create index users_by_xp on users (xp desc, wallet)' },
    { name: 'users_live', expression: 'create index users_live on users (live_since desc, wallet) where live' },
  ],
  properties: {
    wallet: p.text().$type<Wallet>().primary(),
    displayName: p.text().default(''),
    /** The name as searches compare it: lower-cased by the same rules as what is searched for, whatever the database's locale is. */
    searchName: p.text().default(''),
    pfpUrl: p.text().default(''),
    bio: p.text().default(''),
    xp: p.double().default(0),
    domains: p.array().$type<string[]>().columnType('text[]').defaultRaw(`'{}'`),
    platforms: p.array().$type<string[]>().columnType('text[]').defaultRaw(`'{}'`),
    languages: p.array().$type<string[]>().columnType('text[]').defaultRaw(`'{}'`),
    live: p.boolean().default(false),
    /** Whether others may see that the wallet is live, and where. */
    spacePublic: p.boolean().default(false),
    spaceUrl: p.text().default(''),
    /** Where it is live, in the client's word. */
    platform: p.text().default(''),
    liveSince: p.bigint('number').nullable(),
    /** When the wallet last did anything. */
    lastSeen: p.bigint('number').nullable(),
    lastHeartbeat: p.bigint('number').nullable(),
    followersCount: p.integer().default(0),
    followingCount: p.integer().default(0),
    /** Raised by every change that those who follow presence may see: of two states the one with the higher version is the later. */
    version: p.bigint('number').default(0),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
  },
});

/** A wallet that others can find. */
export class User extends UserSchema.class {}
UserSchema.setClass(User);

declare module '../platform/database.ts' {
  interface Database {
    User: TableOf<typeof UserSchema>;
  }
}
