import { OnlineMigration } from '#migration';

/** Names are ordered as people order them: "Äpfel" before "Zebra". */
export class Migration20261128200000_names_in_order extends OnlineMigration {
  override name = 'Migration20261128200000_names_in_order';

  override async up(): Promise<void> {
    await this.createIndex(
      'inventory_items_by_letters',
      'on inventory_items (merchant, (lower(name) collate "und-x-icu"), id)',
    );
    await this.dropIndex('inventory_items_by_name');
  }
}
