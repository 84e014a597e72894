import { Migration } from '@mikro-orm/migrations';

/** The statistics of receipts in euros, in their own currency. The statistics' worker reads all receipts again. */
export class Migration20261124170000_statistics_in_euros extends Migration {
  override name = 'Migration20261124170000_statistics_in_euros';

  override up(): void {
    this.addSql('alter table counted_receipts add column euro_cents bigint null');
    this.addSql(`alter table receipt_days
      add column euro_created_cents bigint not null default '0',
      add column euro_created_usd_cents bigint not null default '0',
      add column euro_paid_cents bigint not null default '0',
      add column euro_paid_usd_cents bigint not null default '0'`);
  }
}
