import { Migration } from '@mikro-orm/migrations';

/** Adds plans and their subscriptions. */
export class Migration20261121072500_subscriptions extends Migration {
  override up(): void {
    this.addSql(`create table "plans" (
      "merchant" text not null,
      "id" text not null,
      "name" text not null,
      "description" text not null,
      "price_cents" bigint not null,
      "period" text not null,
      "active" boolean not null default true,
      "created_at" bigint not null,
      "updated_at" bigint not null,
      primary key ("merchant", "id")
    )`);
    this.addSql(`alter table "plans" add constraint "plans_id_unique" unique ("id")`);
    this.addSql(`create index "plans_merchant_created_at_index" on "plans" ("merchant", "created_at")`);
    this.addSql(`create table "subscriptions" (
      "merchant" text not null,
      "id" text not null,
      "plan_id" text not null,
      "customer" text not null,
      "price_cents" bigint not null,
      "period" text not null,
      "chain_id" bigint not null,
      "token" text not null,
      "permission" jsonb not null,
      "permission_hash" text not null,
      "sealed_signature" text not null,
      "status" text not null default 'active',
      "next_charge_at" bigint null,
      "last_charged_at" bigint null,
      "charge_count" int not null default 0,
      "total_charged_cents" bigint not null default '0',
      "attempts" int not null default 0,
      "last_failure" text null,
      "past_due_since" bigint null,
      "cancelled_at" bigint null,
      "revoked_at" bigint null,
      "created_at" bigint not null,
      "updated_at" bigint not null,
      primary key ("merchant", "id")
    )`);
    this.addSql(`alter table "subscriptions" add constraint "subscriptions_id_unique" unique ("id")`);
    this.addSql(
      `alter table "subscriptions" add constraint "subscriptions_permission_hash_unique" unique ("permission_hash")`,
    );
    this.addSql(
      `create index "subscriptions_merchant_created_at_index" on "subscriptions" ("merchant", "created_at")`,
    );
    this.addSql(
      `create index "subscriptions_customer_created_at_index" on "subscriptions" ("customer", "created_at")`,
    );
    this.addSql(
      `create index subscriptions_due on subscriptions (next_charge_at, id) where status in ('active', 'past_due')`,
    );
  }
}
