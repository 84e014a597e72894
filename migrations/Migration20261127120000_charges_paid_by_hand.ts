import { OnlineMigration } from '#migration';

/** Charges that another payment of their receipt has settled, and the charge of a receipt. */
export class Migration20261127120000_charges_paid_by_hand extends OnlineMigration {
  override name = 'Migration20261127120000_charges_paid_by_hand';

  override async up(): Promise<void> {
    await this.execute('alter table charges add column if not exists settled_by_payment boolean not null default false');
    await this.createIndex('charges_of_receipt', 'on charges (merchant, receipt_id)');
  }
}
