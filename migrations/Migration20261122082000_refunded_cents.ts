import { Migration } from '@mikro-orm/migrations';

/** Stores the proven refunds of a receipt on the receipt, because its balance depends on them. */
export class Migration20261122082000_refunded_cents extends Migration {
  override name = 'Migration20261122082000_refunded_cents';

  override up(): void {
    this.addSql(`alter table receipts add column refunded_cents bigint not null default '0'`);
    this.addSql(`update receipts r set refunded_cents = f.proven_cents
      from (select merchant, receipt_id, sum(proven_cents) as proven_cents from refunds group by merchant, receipt_id) f
     where f.merchant = r.merchant and f.receipt_id = r.id and f.proven_cents > 0`);
  }
}
