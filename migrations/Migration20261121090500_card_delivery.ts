import { OnlineMigration } from '#migration';

/** Adds the time by which the delivery of a card payment is due. */
export class Migration20261121090500_card_delivery extends OnlineMigration {
  override async up(): Promise<void> {
    await this.execute('alter table onramp_sessions add column if not exists delivery_due_at bigint null');
    await this.updateInBatches('onramp_sessions', {
      set: 'delivery_due_at = updated_at + 3600000',
      where: "status = 'fulfillment_processing' and delivery_due_at is null",
    });
    await this.createIndex(
      'onramp_sessions_delivery_due',
      'on onramp_sessions (delivery_due_at) where delivery_due_at is not null',
    );
  }
}
