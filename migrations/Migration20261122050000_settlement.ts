import { OnlineMigration } from '#migration';

/** Adds shares that payees release themselves, and indexes for open settlements. */
export class Migration20261122050000_settlement extends OnlineMigration {
  override async up(): Promise<void> {
    await this.execute(
      'alter table settlement_shares add column if not exists self_release boolean not null default false',
    );
    await this.createIndex(
      'settlement_shares_unreckoned',
      'on settlement_shares (chain_id, split, token) where settled_at is null and owed is null',
    );
    await this.createIndex('splits_undeployed', 'on splits (chain_id, created_at) where not deployed and verified');
  }
}
