import { OnlineMigration } from '#migration';

/** Lists of refunds and of a subscription's events are paged by these keys. */
export class Migration20261122152100_list_orders extends OnlineMigration {
  override name = 'Migration20261122152100_list_orders';

  override async up(): Promise<void> {
    await this.createIndex('refunds_by_time', 'on refunds (merchant, created_at, receipt_id, id)');
    await this.createIndex('refunds_by_state', 'on refunds (merchant, state, created_at, receipt_id, id)');
    await this.createIndex('subscription_events_history', 'on subscription_events (subscription_id, "position")');
    await this.dropIndex('subscription_events_subscription_id_index');
  }
}
