import { Migration } from '@mikro-orm/migrations';

/** Adds refunds, the transfers that prove them, and unmatched transfers to return. */
export class Migration20261121081500_refunds extends Migration {
  override up(): void {
    this.addSql(`create table "refunds" (
      "merchant" text not null,
      "receipt_id" text not null,
      "id" text not null,
      "state" text not null,
      "usd_cents" bigint not null,
      "proven_cents" bigint not null,
      "buyer" text not null,
      "items" jsonb not null,
      "transaction_hashes" text[] not null,
      "actor" text not null,
      "created_at" bigint not null,
      "refunded_at" bigint null,
      primary key ("merchant", "receipt_id", "id")
    )`);
    this.addSql(`create table "refund_transfers" (
      "merchant" text not null,
      "receipt_id" text not null,
      "chain_id" bigint not null,
      "transaction_hash" text not null,
      "log_index" int not null,
      "token" text not null,
      "sender" text not null,
      "buyer" text not null,
      "amount" numeric(78,0) not null,
      "created_at" bigint not null,
      primary key ("merchant", "receipt_id", "chain_id", "transaction_hash", "log_index")
    )`);
    this.addSql(
      `create index "refund_transfers_merchant_created_at_index" on "refund_transfers" ("merchant", "created_at")`,
    );
    this.addSql(
      `alter table "refund_transfers" add constraint "refund_transfers_chain_id_transaction_hash_log_index_unique" unique ("chain_id", "transaction_hash", "log_index")`,
    );
    this.addSql(
      `alter table "transfers" add column "refund_marked_at" bigint null, add column "refund_marked_by" text null`,
    );
  }
}
