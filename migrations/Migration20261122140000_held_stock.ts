import { Migration } from '@mikro-orm/migrations';

/** Unpaid receipts may hold stock. Receipts from before this migration hold none. */
export class Migration20261122140000_held_stock extends Migration {
  override name = 'Migration20261122140000_held_stock';

  override up(): void {
    this.addSql('alter table inventory_items add column held int not null default 0');
    this.addSql('alter table receipts add column stock_held boolean not null default false');
  }
}
