import { Migration } from '@mikro-orm/migrations';

/** Adds charges, their transactions and billing events. */
export class Migration20261121080000_charges extends Migration {
  override up(): void {
    this.addSql(`create table "billing_events" (
      "merchant" text not null,
      "charge_id" text not null,
      "subscription_id" text not null,
      "amount_cents" bigint not null,
      "fee_cents" bigint not null,
      "transaction_hash" text not null,
      "at" bigint not null,
      primary key ("merchant", "charge_id")
    )`);
    this.addSql(`create index "billing_events_merchant_at_index" on "billing_events" ("merchant", "at")`);
    this.addSql(`create table "bound_transactions" (
      "chain_id" bigint not null,
      "transaction_hash" text not null,
      "merchant" text not null,
      "receipt_id" text not null,
      "token" text not null,
      "amount" numeric(78,0) not null,
      "created_at" bigint not null,
      primary key ("chain_id", "transaction_hash")
    )`);
    this.addSql(`create table "charges" (
      "merchant" text not null,
      "id" text not null,
      "subscription_id" text not null,
      "period_start" bigint not null,
      "period_end" bigint not null,
      "status" text not null,
      "attempt" int not null default 1,
      "split" text not null,
      "token" text not null,
      "amount" numeric(78,0) not null,
      "amount_cents" bigint not null,
      "fee_cents" bigint not null,
      "receipt_id" text not null,
      "nonce" bigint not null,
      "transaction_hash" text not null,
      "block_time_ms" bigint null,
      "failure" text null,
      "created_at" bigint not null,
      "updated_at" bigint not null,
      primary key ("merchant", "id")
    )`);
    this.addSql(`alter table "charges" add constraint "charges_id_unique" unique ("id")`);
    this.addSql(`create index "charges_merchant_created_at_index" on "charges" ("merchant", "created_at")`);
    this.addSql(`alter table "charges" add constraint "charges_subscription_id_period_start_unique" unique ("subscription_id", "period_start")`);
    this.addSql(`create table "spender_broadcasts" (
      "chain_id" bigint not null,
      "hash" text not null,
      "sender" text not null,
      "nonce" bigint not null,
      "kind" text not null,
      "sealed_raw" text not null,
      "max_fee_per_gas" numeric(78,0) not null,
      "max_priority_fee_per_gas" numeric(78,0) not null,
      "created_at" bigint not null,
      primary key ("chain_id", "hash")
    )`);
    this.addSql(`create index "spender_broadcasts_chain_id_sender_nonce_index" on "spender_broadcasts" ("chain_id", "sender", "nonce")`);
    this.addSql(`create table "spender_nonces" (
      "chain_id" bigint not null,
      "sender" text not null,
      "next" bigint not null,
      "revocations_block" bigint null,
      primary key ("chain_id", "sender")
    )`);
    this.addSql(`create table "spender_transactions" (
      "chain_id" bigint not null,
      "sender" text not null,
      "nonce" bigint not null,
      "purpose" text not null,
      "merchant" text not null,
      "subject_id" text not null,
      "stale_at" bigint null,
      "state" text not null default 'open',
      "outcome" text null,
      "mined_hash" text null,
      "mined_block" bigint null,
      "sent_block" bigint null,
      "created_at" bigint not null,
      "updated_at" bigint not null,
      primary key ("chain_id", "sender", "nonce")
    )`);
    this.addSql(`create index spender_transactions_unfinished on spender_transactions (chain_id, sender, nonce) where state <> 'final'`);
    this.addSql(`create table "subscription_events" (
      "merchant" text not null,
      "position" bigint generated always as identity not null,
      "txid" xid8 not null default pg_current_xact_id(),
      "subscription_id" text not null,
      "kind" text not null,
      "status" text not null,
      "charge_id" text null,
      "receipt_id" text null,
      "amount_cents" bigint null,
      "fee_cents" bigint null,
      "transaction_hash" text null,
      "failure" text null,
      "at" bigint not null,
      primary key ("merchant", "position")
    )`);
    this.addSql(`create index subscription_events_stream on subscription_events (merchant, txid, position)`);
    this.addSql(`create index "subscription_events_subscription_id_index" on "subscription_events" ("subscription_id")`);
  }
}
