import { Migration } from '@mikro-orm/migrations';

/** Adds users and their follows. */
export class Migration20261121073000_users extends Migration {
  override up(): void {
    this.addSql(`create table "users" (
      "wallet" text not null,
      "display_name" text not null default '',
      "search_name" text not null default '',
      "pfp_url" text not null default '',
      "bio" text not null default '',
      "xp" double precision not null default 0,
      "domains" text[] not null default '{}',
      "platforms" text[] not null default '{}',
      "languages" text[] not null default '{}',
      "live" boolean not null default false,
      "space_public" boolean not null default false,
      "space_url" text not null default '',
      "platform" text not null default '',
      "live_since" bigint null,
      "last_seen" bigint null,
      "last_heartbeat" bigint null,
      "followers_count" int not null default 0,
      "following_count" int not null default 0,
      "version" bigint not null default '0',
      "created_at" bigint not null,
      "updated_at" bigint not null,
      primary key ("wallet")
    )`);
    this.addSql(`create index users_by_xp on users (xp desc, wallet)`);
    this.addSql(`create index users_live on users (live_since desc, wallet) where live`);
    this.addSql(`create table "follows" (
      "follower" text not null,
      "followed" text not null,
      "created_at" bigint not null,
      primary key ("follower", "followed")
    )`);
  }
}
