import { Migration } from '@mikro-orm/migrations';

/** Makes the proof of a refund unique per merchant, so that one merchant cannot claim the transfer of another. */
export class Migration20261122030100_refund_proofs extends Migration {
  override up(): void {
    this.addSql(
      'alter table "refund_transfers" drop constraint "refund_transfers_chain_id_transaction_hash_log_index_unique"',
    );
    this.addSql(
      `alter table "refund_transfers" add constraint "refund_transfers_merchant_chain_id_transaction_ha_ff572_unique" unique ("merchant", "chain_id", "transaction_hash", "log_index")`,
    );
  }
}
