import { OnlineMigration } from '#migration';

/**
 * Shares record since when they wait, and splits whether their contract was needed. A share that was released before
 * this version may name a transaction that was lost, so open shares count as waiting.
 */
export class Migration20261122083100_delayed_settlement extends OnlineMigration {
  override name = 'Migration20261122083100_delayed_settlement';

  override async up(): Promise<void> {
    await this.execute('alter table settlement_shares add column if not exists due_since bigint null');
    await this.updateInBatches('settlement_shares', {
      set: 'transaction_hash = null',
      where: 'settled_at is null and transaction_hash is not null',
    });
    await this.execute('alter table splits add column if not exists deploy_requested boolean not null default false');
  }
}
