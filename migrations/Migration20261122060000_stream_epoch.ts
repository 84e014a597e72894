import { Migration } from '@mikro-orm/migrations';

/** Adds the epoch of stream cursors. Its row is written at startup. */
export class Migration20261122060000_stream_epoch extends Migration {
  override up(): void {
    this.addSql(`create table "stream_epoch" ("name" text not null, "epoch" text not null, "system_identifier" text null,
      "is_first" boolean not null, "started_at" bigint not null, primary key ("name"))`);
  }
}
