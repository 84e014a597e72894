import { Migration } from '@mikro-orm/migrations';

/** Adds the time by which the delivery of a card payment is due. */
export class Migration20261121090500_card_delivery extends Migration {
  override up(): void {
    this.addSql(`alter table "onramp_sessions" add column "delivery_due_at" bigint null`);
    this.addSql(
      `create index onramp_sessions_delivery_due on onramp_sessions (delivery_due_at) where delivery_due_at is not null`,
    );
    this.addSql(
      `update "onramp_sessions" set "delivery_due_at" = "updated_at" + 3600000 where "status" = 'fulfillment_processing'`,
    );
  }
}
