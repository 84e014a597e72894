import { OnlineMigration } from '#migration';

/** Finds the transfers that wait for an exchange rate. */
export class Migration20261128110010_transfers_without_rate extends OnlineMigration {
  override name = 'Migration20261128110010_transfers_without_rate';

  override async up(): Promise<void> {
    await this.createIndex(
      'transfers_without_rate',
      "on transfers (chain_id, seen_at) where unmatched_reason = 'no_rate'",
    );
  }
}
