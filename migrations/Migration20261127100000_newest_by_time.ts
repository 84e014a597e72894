import { OnlineMigration } from '#migration';

/**
 * Lists of transfers are ordered by time, because heights of different chains do not compare. Shares of receipts that
 * were paid on several chains are computed again: the chain that was read first had set those of the others as well.
 */
export class Migration20261127100000_newest_by_time extends OnlineMigration {
  override name = 'Migration20261127100000_newest_by_time';

  override async up(): Promise<void> {
    await this.createIndex(
      'transfers_of_merchant_by_time',
      `on transfers (merchant, block_time_ms desc, chain_id desc, block_number desc, log_index desc)
        where canonical and receipt_id is not null`,
    );
    await this.createIndex(
      'transfers_unmatched_by_time',
      `on transfers (merchant, block_time_ms desc, chain_id desc, block_number desc, log_index desc)
        where receipt_id is null and canonical`,
    );
    await this.dropIndex('transfers_of_merchant');
    await this.dropIndex('transfers_unmatched');
    await this.updateInBatches('settlement_shares', {
      set: 'owed = null, released_at_least = null, due_since = null, settled_at = null, txid = pg_current_xact_id()',
      where: `owed is not null and exists (
        select from settlement_shares o
         where o.merchant = settlement_shares.merchant and o.receipt_id = settlement_shares.receipt_id
           and o.split = settlement_shares.split and o.token = settlement_shares.token
           and o.payee = settlement_shares.payee and o.chain_id <> settlement_shares.chain_id)`,
    });
  }
}
