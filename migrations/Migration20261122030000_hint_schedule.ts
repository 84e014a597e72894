import { Migration } from '@mikro-orm/migrations';

/** Adds a schedule for hints, and indexes for open quotes and unmatched transfers. */
export class Migration20261122030000_hint_schedule extends Migration {
  override up(): void {
    this.addSql(`alter table "submitted_transactions" add column "looks" int not null default 0`);
    this.addSql(`alter table "submitted_transactions" add column "next_look_at" bigint not null default '0'`);
    this.addSql('drop index "submitted_transactions_open"');
    this.addSql(
      'create index submitted_transactions_due on submitted_transactions (chain_id, next_look_at) where closed_at is null',
    );
    this.addSql('create index quotes_open on quotes (merchant, receipt_id) where reserved_until is null');
    this.addSql(`create index transfers_errors on transfers (chain_id, seen_at) where unmatched_reason = 'error'`);
  }
}
