import { OnlineMigration } from '#migration';

/** The metrics count the receipts that wait for confirmations or a release, and find the oldest. */
export class Migration20261122213000_receipts_in_flight extends OnlineMigration {
  override name = 'Migration20261122213000_receipts_in_flight';

  override async up(): Promise<void> {
    await this.createIndex(
      'receipts_in_flight',
      "on receipts (status, transaction_timestamp) where status in ('tx_mined', 'tx_mismatch', 'paid')",
    );
  }
}
