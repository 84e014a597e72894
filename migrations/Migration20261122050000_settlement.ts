import { Migration } from '@mikro-orm/migrations';

/** Adds shares that payees release themselves, and indexes for open settlements. */
export class Migration20261122050000_settlement extends Migration {
  override up(): void {
    this.addSql(`alter table "settlement_shares" add column "self_release" boolean not null default false`);
    this.addSql(
      `create index settlement_shares_unreckoned on settlement_shares (chain_id, split, token) where settled_at is null and owed is null`,
    );
    this.addSql(
      `create index splits_undeployed on splits (chain_id, created_at) where not deployed and verified`,
    );
  }
}
