import { OnlineMigration } from '#migration';

/** What a wallet has sent within a day is counted for each merchant and for all of them. */
export class Migration20261128090000_sent_of_a_day extends OnlineMigration {
  override name = 'Migration20261128090000_sent_of_a_day';

  override async up(): Promise<void> {
    await this.createIndex(
      'spender_transactions_by_purpose',
      'on spender_transactions (chain_id, sender, purpose, created_at)',
    );
    await this.dropIndex('spender_transactions_deployments');
  }
}
