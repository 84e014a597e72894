import { Migration } from '@mikro-orm/migrations';

/** A cashier reads the receipts that it created. Receipts that keys create are not in the index. */
export class Migration20261122190100_receipt_creators extends Migration {
  override name = 'Migration20261122190100_receipt_creators';

  override up(): void {
    this.addSql('alter table receipts add column created_by text null');
    this.addSql(`create index receipts_by_creator on receipts (merchant, created_by, created_at desc, id desc)
      where created_by is not null`);
  }
}
