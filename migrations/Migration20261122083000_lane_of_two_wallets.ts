import { OnlineMigration } from '#migration';

/** The transactions of settlement join those of the spender. The index counts a merchant's deployments of a day. */
export class Migration20261122083000_lane_of_two_wallets extends OnlineMigration {
  override name = 'Migration20261122083000_lane_of_two_wallets';

  override async up(): Promise<void> {
    await this.createIndex(
      'spender_transactions_deployments',
      "on spender_transactions (merchant, created_at) where purpose = 'deploy_split'",
    );
  }
}
