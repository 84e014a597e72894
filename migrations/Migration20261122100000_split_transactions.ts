import { OnlineMigration } from '#migration';

/** Each split with the transaction that wrote it, so that the watcher follows them without a clock. */
export class Migration20261122100000_split_transactions extends OnlineMigration {
  override async up(): Promise<void> {
    await this.addFilledColumn('splits', 'txid', { type: 'xid8', value: 'pg_current_xact_id()' });
    await this.createIndex('splits_chain_id_txid_index', 'on splits (chain_id, txid)');
    await this.dropIndex('splits_chain_id_created_at_index');
  }
}
