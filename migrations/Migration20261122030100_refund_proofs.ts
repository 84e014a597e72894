import { OnlineMigration } from '#migration';

/** Makes the proof of a refund unique per merchant, so that one merchant cannot claim the transfer of another. */
export class Migration20261122030100_refund_proofs extends OnlineMigration {
  override async up(): Promise<void> {
    await this.setKey('refund_transfers', 'refund_transfers_merchant_chain_id_transaction_ha_ff572_unique', {
      kind: 'unique',
      columns: ['merchant', 'chain_id', 'transaction_hash', 'log_index'],
    });
    await this.execute(`alter table refund_transfers
      drop constraint if exists refund_transfers_chain_id_transaction_hash_log_index_unique`);
  }
}
