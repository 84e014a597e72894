import { Migration } from '@mikro-orm/migrations';

/** The epoch of stream cursors; its row is written at start. */
export class Migration20261122060000_stream_epoch extends Migration {
  override up(): void {
    this.addSql(`create table "stream_epoch" ("name" text not null, "epoch" text not null, "system_identifier" text null,
      "is_first" boolean not null, "started_at" bigint not null, primary key ("name"))`);
  }
}
