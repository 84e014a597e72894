import { Migration } from '@mikro-orm/migrations';

/** Creates the initial tables. */
export class Migration20261121000000_initial extends Migration {
  override up(): void {
    this.addSql(`create table "api_keys" (
      "id" text not null,
      "merchant" text not null,
      "label" text null,
      "scopes" text[] not null,
      "digest" text not null,
      "sealed" text not null,
      "unlimited" boolean not null default false,
      "limits" jsonb null,
      "created_at" bigint not null,
      "revoked_at" bigint null,
      primary key ("id")
    )`);
    this.addSql(`alter table "api_keys" add constraint "api_keys_digest_unique" unique ("digest")`);
    this.addSql(`create index "api_keys_merchant_created_at_index" on "api_keys" ("merchant", "created_at")`);
    this.addSql(`create table "webhook_attempts" (
      "delivery_id" text not null,
      "number" int not null,
      "at" bigint not null,
      "duration_ms" int not null,
      "status_code" int null,
      "error" text null,
      "answer" text null,
      primary key ("delivery_id", "number")
    )`);
    this.addSql(`create table "chain_blocks" (
      "chain_id" bigint not null,
      "number" bigint not null,
      "hash" text not null,
      "time_ms" bigint not null,
      primary key ("chain_id", "number")
    )`);
    this.addSql(`create table "chain_cursors" (
      "chain_id" bigint not null,
      "head" bigint not null,
      "scanned" bigint not null,
      "confirmed" bigint not null,
      "updated_at" bigint not null,
      primary key ("chain_id")
    )`);
    this.addSql(`create table "webhook_deliveries" (
      "id" text not null,
      "merchant" text not null,
      "receipt_id" text not null,
      "seq" int not null,
      "event" text not null,
      "url" text not null,
      "key_id" text not null,
      "body" text not null,
      "state" text not null,
      "created_at" bigint not null,
      "finished_at" bigint null,
      primary key ("id")
    )`);
    this.addSql(
      `create index "webhook_deliveries_merchant_created_at_index" on "webhook_deliveries" ("merchant", "created_at")`,
    );
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_merchant_receipt_id_seq_unique" unique ("merchant", "receipt_id", "seq")`,
    );
    this.addSql(`create table "receipt_history" (
      "merchant" text not null,
      "receipt_id" text not null,
      "seq" int not null,
      "kind" text not null,
      "status" text not null,
      "previous_status" text null,
      "name" text null,
      "actor" text not null,
      "detail" jsonb null,
      "at" bigint not null,
      "position" bigint generated always as identity not null,
      "txid" xid8 not null default pg_current_xact_id(),
      primary key ("merchant", "receipt_id", "seq")
    )`);
    this.addSql(`create index receipt_history_stream on receipt_history (merchant, txid, position)`);
    this.addSql(`create table "idempotent_answers" (
      "merchant" text not null,
      "operation" text not null,
      "key" text not null,
      "body_digest" text not null,
      "answer" json null,
      "created_at" bigint not null,
      primary key ("merchant", "operation", "key")
    )`);
    this.addSql(`create index "idempotent_answers_created_at_index" on "idempotent_answers" ("created_at")`);
    this.addSql(`create table "inventory_items" (
      "merchant" text not null,
      "id" text not null,
      "sku" text not null,
      "name" text not null,
      "price_usd_cents" bigint null,
      "price_cents" bigint null,
      "currency" text null,
      "stock_qty" int not null default -1,
      "taxable" boolean not null default false,
      "category" text null,
      "description" text null,
      "tags" text[] not null,
      "images" jsonb not null,
      "thumb" text null,
      "attributes" jsonb null,
      "cost_usd_cents" bigint null,
      "jurisdiction_code" text null,
      "created_at" bigint not null,
      "updated_at" bigint not null,
      primary key ("merchant", "id")
    )`);
    this.addSql(
      `create index "inventory_items_merchant_updated_at_id_index" on "inventory_items" ("merchant", "updated_at", "id")`,
    );
    this.addSql(
      `alter table "inventory_items" add constraint "inventory_items_merchant_sku_unique" unique ("merchant", "sku")`,
    );
    this.addSql(`create table "login_nonces" (
      "nonce" text not null,
      "wallet" text not null,
      "host" text not null,
      "issued_at" bigint not null,
      "expires_at" bigint not null,
      primary key ("nonce")
    )`);
    this.addSql(`create index "login_nonces_expires_at_index" on "login_nonces" ("expires_at")`);
    this.addSql(`create table "merchants" (
      "wallet" text not null,
      "name" text not null,
      "brand_key" text not null,
      "shop" jsonb not null,
      "pricing" jsonb not null,
      "version" bigint not null default '1',
      "created_at" bigint not null,
      "updated_at" bigint not null,
      primary key ("wallet")
    )`);
    this.addSql(
      `create index "merchants_brand_key_created_at_wallet_index" on "merchants" ("brand_key", "created_at", "wallet")`,
    );
    this.addSql(`create table "merchant_jurisdictions" (
      "merchant" text not null,
      "code" text not null,
      "display_name" text not null,
      "rate" text not null,
      "components" jsonb not null,
      "updated_at" bigint not null,
      primary key ("merchant", "code")
    )`);
    this.addSql(`create table "quotes" (
      "merchant" text not null,
      "id" text not null,
      "receipt_id" text not null,
      "chain_id" bigint not null,
      "pay_to" text not null,
      "token" text not null,
      "amount" numeric(78,0) not null,
      "usd" text not null,
      "usd_per_unit" text not null,
      "created_at" bigint not null,
      "expires_at" bigint null,
      "reserved_until" bigint null,
      primary key ("merchant", "id")
    )`);
    this.addSql(
      `create index "quotes_merchant_receipt_id_created_at_index" on "quotes" ("merchant", "receipt_id", "created_at")`,
    );
    this.addSql(
      `alter table "quotes" add constraint "quotes_chain_id_pay_to_token_amount_unique" unique ("chain_id", "pay_to", "token", "amount")`,
    );
    this.addSql(`create table "receipts" (
      "merchant" text not null,
      "id" text not null,
      "origin" text not null,
      "status" text not null,
      "seq" int not null default 1,
      "announced_status" text not null,
      "total_cents" bigint not null,
      "currency" text not null,
      "line_items" jsonb not null,
      "jurisdiction_code" text null,
      "tax_rate" text null,
      "tax_components" jsonb null,
      "pricing" jsonb null,
      "brand_name" text not null,
      "transaction_id" text null,
      "metadata" jsonb null,
      "billing_address" jsonb null,
      "redirect_url" text null,
      "success_url" text null,
      "post_payment" text null,
      "webhook_url" text null,
      "key_id" text null,
      "created_block" bigint null,
      "content_digest" text null,
      "transaction_hash" text null,
      "transaction_timestamp" bigint null,
      "buyer_wallet" text null,
      "paid_token" text null,
      "paid_amount" numeric(78,0) null,
      "failure_code" text null,
      "stock_taken" boolean not null default false,
      "created_at" bigint not null,
      "updated_at" bigint not null,
      primary key ("merchant", "id")
    )`);
    this.addSql(`create index receipts_newest on receipts (merchant, created_at desc, id desc)`);
    this.addSql(`create index receipts_by_id on receipts (id)`);
    this.addSql(`create table "sessions" (
      "id" text not null,
      "wallet" text not null,
      "created_at" bigint not null,
      "expires_at" bigint not null,
      "revoked_at" bigint null,
      primary key ("id")
    )`);
    this.addSql(`create index "sessions_wallet_created_at_index" on "sessions" ("wallet", "created_at")`);
    this.addSql(`create table "settlement_shares" (
      "merchant" text not null,
      "receipt_id" text not null,
      "split" text not null,
      "token" text not null,
      "payee" text not null,
      "chain_id" bigint not null,
      "shares_bps" int not null,
      "owed" numeric(78,0) null,
      "released_at_least" numeric(78,0) null,
      "settled_at" bigint null,
      "transaction_hash" text null,
      primary key ("merchant", "receipt_id", "split", "token", "payee")
    )`);
    this.addSql(
      `create index settlement_shares_open on settlement_shares (chain_id, split, token, payee) where settled_at is null`,
    );
    this.addSql(`create table "splits" (
      "merchant" text not null,
      "id" text not null,
      "chain_id" bigint not null,
      "address" text not null,
      "recipients" jsonb not null,
      "salt" text null,
      "init_code" text null,
      "verified" boolean not null,
      "deployed" boolean not null default false,
      "created_block" bigint not null,
      "created_at" bigint not null,
      "replaced_at" bigint null,
      primary key ("merchant", "id")
    )`);
    this.addSql(`create index "splits_chain_id_created_at_index" on "splits" ("chain_id", "created_at")`);
    this.addSql(`create unique index splits_active on splits (merchant, chain_id) where replaced_at is null`);
    this.addSql(`alter table "splits" add constraint "splits_chain_id_address_unique" unique ("chain_id", "address")`);
    this.addSql(`create table "submitted_transactions" (
      "merchant" text not null,
      "receipt_id" text not null,
      "transaction_hash" text not null,
      "chain_id" bigint not null,
      "submitted_at" bigint not null,
      "closed_at" bigint null,
      primary key ("merchant", "receipt_id", "transaction_hash")
    )`);
    this.addSql(
      `create index submitted_transactions_open on submitted_transactions (chain_id, submitted_at) where closed_at is null`,
    );
    this.addSql(`create index submitted_transactions_by_hash on submitted_transactions (chain_id, transaction_hash)`);
    this.addSql(`create table "transfers" (
      "chain_id" bigint not null,
      "block_hash" text not null,
      "transaction_hash" text not null,
      "log_index" int not null,
      "block_number" bigint not null,
      "block_time_ms" bigint not null,
      "token" text not null,
      "sender" text not null,
      "pay_to" text not null,
      "amount" numeric(78,0) not null,
      "canonical" boolean not null default true,
      "confirmed_at" bigint null,
      "merchant" text not null,
      "receipt_id" text null,
      "quote_id" text null,
      "usd" text null,
      "asked_usd" text null,
      "exact" boolean not null default false,
      "unmatched_reason" text null,
      "assigned_by" text null,
      "seen_at" bigint not null,
      primary key ("chain_id", "block_hash", "transaction_hash", "log_index")
    )`);
    this.addSql(
      `create unique index transfers_canonical on transfers (chain_id, transaction_hash, log_index) where canonical`,
    );
    this.addSql(`create index transfers_of_receipt on transfers (merchant, receipt_id) where receipt_id is not null`);
    this.addSql(
      `create index transfers_of_merchant on transfers (merchant, block_number desc, log_index desc) where canonical and receipt_id is not null`,
    );
    this.addSql(
      `create index transfers_unmatched on transfers (merchant, block_number desc, log_index desc) where receipt_id is null and canonical`,
    );
    this.addSql(
      `create index transfers_to_split on transfers (chain_id, pay_to, token, block_number, log_index) where canonical`,
    );
    this.addSql(`create index transfers_by_block on transfers (chain_id, block_number) where canonical`);
    this.addSql(
      `create index transfers_unconfirmed on transfers (chain_id, block_number, log_index) where canonical and confirmed_at is null`,
    );
    this.addSql(
      `create index transfers_lost on transfers (chain_id, transaction_hash) where not canonical and receipt_id is not null`,
    );
  }
}
