import { OnlineMigration } from '#migration';

/** A cashier reads the receipts that it created. Receipts that keys create are not in the index. */
export class Migration20261122190100_receipt_creators extends OnlineMigration {
  override name = 'Migration20261122190100_receipt_creators';

  override async up(): Promise<void> {
    await this.execute('alter table receipts add column if not exists created_by text null');
    await this.createIndex(
      'receipts_by_creator',
      'on receipts (merchant, created_by, created_at desc, id desc) where created_by is not null',
    );
  }
}
