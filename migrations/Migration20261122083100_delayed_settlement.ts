import { Migration } from '@mikro-orm/migrations';

/**
 * Shares record since when they wait, and splits whether their contract was needed. A share that was released before
 * this version may name a transaction that was lost, so open shares count as waiting.
 */
export class Migration20261122083100_delayed_settlement extends Migration {
  override name = 'Migration20261122083100_delayed_settlement';

  override up(): void {
    this.addSql('alter table settlement_shares add column due_since bigint null');
    this.addSql('update settlement_shares set transaction_hash = null where settled_at is null');
    this.addSql('alter table splits add column deploy_requested boolean not null default false');
  }
}
