import { OnlineMigration } from '#migration';

/** Receipts may end unpaid. Receipts from before this migration never end. */
export class Migration20261122120000_receipt_expiry extends OnlineMigration {
  override name = 'Migration20261122120000_receipt_expiry';

  override async up(): Promise<void> {
    await this.execute(`alter table receipts
      add column if not exists lifetime_ms bigint null, add column if not exists expires_at bigint null,
      add column if not exists closed_at bigint null`);
    await this.createIndex(
      'receipts_expiring',
      'on receipts (expires_at) where closed_at is null and expires_at is not null',
    );
  }
}
