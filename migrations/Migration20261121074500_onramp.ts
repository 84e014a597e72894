import { OnlineMigration } from '#migration';

/** Adds card checkouts, their fields on receipts, and transactions that a card provider has reported. */
export class Migration20261121074500_onramp extends OnlineMigration {
  override async up(): Promise<void> {
    await this.execute(`create table if not exists "onramp_sessions" (
      "merchant" text not null,
      "id" text not null,
      "receipt_id" text not null,
      "provider" text not null,
      "provider_session_id" text not null,
      "status" text not null,
      "failure_code" text null,
      "chain_id" bigint not null,
      "token" text not null,
      "pay_to" text not null,
      "amount" numeric(78,0) not null,
      "source_amount_cents" bigint not null,
      "customer_total_cents" bigint null,
      "url" text not null,
      "redirect_url" text null,
      "transaction_hash" text null,
      "event_ids" jsonb not null,
      "event_at" bigint null,
      "created_at" bigint not null,
      "updated_at" bigint not null,
      "expires_at" bigint not null,
      primary key ("merchant", "id"),
      constraint "onramp_sessions_provider_provider_session_id_unique" unique ("provider", "provider_session_id")
    )`);
    await this.execute(
      `create index if not exists "onramp_sessions_merchant_receipt_id_created_at_index" on "onramp_sessions" ("merchant", "receipt_id", "created_at")`,
    );
    await this.execute(
      `create index if not exists onramp_sessions_due on onramp_sessions (expires_at) where status in ('initialized', 'requires_payment')`,
    );
    await this.execute(`alter table receipts
      add column if not exists onramp_session_id text null,
      add column if not exists onramp_source_amount_cents bigint null,
      add column if not exists customer_total_cents bigint null,
      add column if not exists onramp_charged boolean not null default false`);
    await this.execute(`alter table submitted_transactions
      add column if not exists vouched_by text null, add column if not exists vouched_amount numeric(78,0) null`);
  }
}
