import { OnlineMigration } from '#migration';

/** Adds a schedule for hints, and indexes for open quotes and unmatched transfers. */
export class Migration20261122030000_hint_schedule extends OnlineMigration {
  override async up(): Promise<void> {
    await this.execute(`alter table submitted_transactions
      add column if not exists looks int not null default 0,
      add column if not exists next_look_at bigint not null default '0'`);
    await this.dropIndex('submitted_transactions_open');
    await this.createIndex(
      'submitted_transactions_due',
      'on submitted_transactions (chain_id, next_look_at) where closed_at is null',
    );
    await this.createIndex('quotes_open', 'on quotes (merchant, receipt_id) where reserved_until is null');
    await this.createIndex('transfers_errors', "on transfers (chain_id, seen_at) where unmatched_reason = 'error'");
  }
}
