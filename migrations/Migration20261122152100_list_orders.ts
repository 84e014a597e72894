import { Migration } from '@mikro-orm/migrations';

/** Lists of refunds and of a subscription's events are paged by these keys. */
export class Migration20261122152100_list_orders extends Migration {
  override name = 'Migration20261122152100_list_orders';

  override up(): void {
    this.addSql('create index refunds_by_time on refunds (merchant, created_at, receipt_id, id)');
    this.addSql('create index refunds_by_state on refunds (merchant, state, created_at, receipt_id, id)');
    this.addSql('create index subscription_events_history on subscription_events (subscription_id, "position")');
    this.addSql('drop index subscription_events_subscription_id_index');
  }
}
