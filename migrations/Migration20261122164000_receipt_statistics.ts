import { Migration } from '@mikro-orm/migrations';

/** Sums of receipts by day, status and token, which a worker derives from the receipts. */
export class Migration20261122164000_receipt_statistics extends Migration {
  override name = 'Migration20261122164000_receipt_statistics';

  override up(): void {
    this.addSql(`create table receipt_followers (
      name text not null, version int not null, step bigint not null, epoch text not null, snapshot text not null,
      rebuild_merchant text null, rebuild_id text null, primary key (name))`);
    this.addSql(`create table counted_receipts (
      merchant text not null, id text not null, created_day int not null, paid_day int null, status text not null,
      token text not null, total_cents bigint not null, fee_cents bigint not null, refunded_cents bigint not null,
      primary key (merchant, id))`);
    this.addSql(`create table receipt_days (
      merchant text not null, day int not null, status text not null, token text not null,
      created_count bigint not null, created_cents bigint not null, paid_count bigint not null,
      paid_cents bigint not null, fee_cents bigint not null, refunded_cents bigint not null,
      primary key (merchant, day, status, token))`);
  }
}
