import { OnlineMigration } from '#migration';

/**
 * An exact payment of version 0.1 counts as what its quote asked for, without the digits that made the amount unique.
 * So far each sum left them out.
 */
export class Migration20261128210000_payments_without_tags extends OnlineMigration {
  override name = 'Migration20261128210000_payments_without_tags';

  override async up(): Promise<void> {
    await this.updateInBatches('transfers', {
      set: `usd = coalesce((select q.usd from quotes q where q.merchant = transfers.merchant and q.id = transfers.quote_id), usd),
            asked_usd = null, exact = false`,
      where: 'exact',
    });
    // Collections pay no receipt, and are not unmatched.
    await this.createIndex(
      'transfers_unmatched',
      `on transfers (merchant, block_time_ms desc, chain_id desc, block_number desc, log_index desc)
       where receipt_id is null and canonical and unmatched_reason is not null`,
    );
    await this.dropIndex('transfers_unmatched_by_time');
    // Nothing is reserved any more.
    await this.dropIndex('quotes_open');
  }
}
