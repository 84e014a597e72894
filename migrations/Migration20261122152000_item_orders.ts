import { Migration } from '@mikro-orm/migrations';

/** The catalog is read in the order of names and prices. Stock has no index: every payment would have to write it. */
export class Migration20261122152000_item_orders extends Migration {
  override name = 'Migration20261122152000_item_orders';

  override up(): void {
    this.addSql('create index inventory_items_by_name on inventory_items (merchant, lower(name), id)');
    this.addSql(
      'create index inventory_items_by_price on inventory_items (merchant, coalesce(price_usd_cents, price_cents), id)',
    );
  }
}
