import { Migration } from '@mikro-orm/migrations';

/** Each split with the transaction that wrote it, so that the watcher follows them without a clock. */
export class Migration20261122100000_split_transactions extends Migration {
  override up(): void {
    this.addSql('alter table "splits" add column "txid" xid8 not null default pg_current_xact_id()');
    this.addSql('create index "splits_chain_id_txid_index" on "splits" ("chain_id", "txid")');
    this.addSql('drop index "splits_chain_id_created_at_index"');
  }
}
