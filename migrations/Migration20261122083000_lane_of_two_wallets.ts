import { Migration } from '@mikro-orm/migrations';

/** The transactions of settlement join those of the spender. The index counts a merchant's deployments of a day. */
export class Migration20261122083000_lane_of_two_wallets extends Migration {
  override name = 'Migration20261122083000_lane_of_two_wallets';

  override up(): void {
    this.addSql(
      `create index spender_transactions_deployments on spender_transactions (merchant, created_at) where purpose = 'deploy_split'`,
    );
  }
}
