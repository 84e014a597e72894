import { Migration } from '@mikro-orm/migrations';

/** Adds card checkouts, their fields on receipts, and transactions that a card provider has reported. */
export class Migration20261121074500_onramp extends Migration {
  override up(): void {
    this.addSql(`create table "onramp_sessions" (
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
      primary key ("merchant", "id")
    )`);
    this.addSql(
      `alter table "onramp_sessions" add constraint "onramp_sessions_provider_provider_session_id_unique" unique ("provider", "provider_session_id")`,
    );
    this.addSql(
      `create index "onramp_sessions_merchant_receipt_id_created_at_index" on "onramp_sessions" ("merchant", "receipt_id", "created_at")`,
    );
    this.addSql(
      `create index onramp_sessions_due on onramp_sessions (expires_at) where status in ('initialized', 'requires_payment')`,
    );
    this.addSql(`alter table "receipts" add column "onramp_session_id" text null`);
    this.addSql(`alter table "receipts" add column "onramp_source_amount_cents" bigint null`);
    this.addSql(`alter table "receipts" add column "customer_total_cents" bigint null`);
    this.addSql(`alter table "receipts" add column "onramp_charged" boolean not null default false`);
    this.addSql(`alter table "submitted_transactions" add column "vouched_by" text null`);
    this.addSql(`alter table "submitted_transactions" add column "vouched_amount" numeric(78,0) null`);
  }
}
