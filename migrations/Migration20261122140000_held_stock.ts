import { OnlineMigration } from '#migration';

/** Unpaid receipts may hold stock. Receipts from before this migration hold none. */
export class Migration20261122140000_held_stock extends OnlineMigration {
  override name = 'Migration20261122140000_held_stock';

  override async up(): Promise<void> {
    await this.execute('alter table inventory_items add column if not exists held int not null default 0');
    await this.execute('alter table receipts add column if not exists stock_held boolean not null default false');
  }
}
