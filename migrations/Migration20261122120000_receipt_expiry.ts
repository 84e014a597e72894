import { Migration } from '@mikro-orm/migrations';

/** Receipts may end unpaid. Receipts from before this migration never end. */
export class Migration20261122120000_receipt_expiry extends Migration {
  override name = 'Migration20261122120000_receipt_expiry';

  override up(): void {
    this.addSql(`alter table receipts
      add column lifetime_ms bigint null, add column expires_at bigint null, add column closed_at bigint null`);
    this.addSql(
      'create index receipts_expiring on receipts (expires_at) where closed_at is null and expires_at is not null',
    );
  }
}
