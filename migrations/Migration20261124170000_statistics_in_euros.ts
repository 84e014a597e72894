import { OnlineMigration } from '#migration';

/** The statistics of receipts in euros, in their own currency. The statistics' worker reads all receipts again. */
export class Migration20261124170000_statistics_in_euros extends OnlineMigration {
  override name = 'Migration20261124170000_statistics_in_euros';

  override async up(): Promise<void> {
    await this.execute('alter table counted_receipts add column if not exists euro_cents bigint null');
    await this.execute(`alter table receipt_days
      add column if not exists euro_created_cents bigint not null default '0',
      add column if not exists euro_created_usd_cents bigint not null default '0',
      add column if not exists euro_paid_cents bigint not null default '0',
      add column if not exists euro_paid_usd_cents bigint not null default '0'`);
  }
}
