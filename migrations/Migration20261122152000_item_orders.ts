import { OnlineMigration } from '#migration';

/** The catalog is read in the order of names and prices. Stock has no index: every payment would have to write it. */
export class Migration20261122152000_item_orders extends OnlineMigration {
  override name = 'Migration20261122152000_item_orders';

  override async up(): Promise<void> {
    await this.createIndex('inventory_items_by_name', 'on inventory_items (merchant, lower(name), id)');
    await this.createIndex(
      'inventory_items_by_price',
      'on inventory_items (merchant, coalesce(price_usd_cents, price_cents), id)',
    );
  }
}
