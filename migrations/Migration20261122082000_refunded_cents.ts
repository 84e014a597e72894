import { OnlineMigration } from '#migration';

const PROVEN = `select sum(proven_cents) from refunds f
  where f.merchant = receipts.merchant and f.receipt_id = receipts.id`;

/** Stores the proven refunds of a receipt on the receipt, because its balance depends on them. */
export class Migration20261122082000_refunded_cents extends OnlineMigration {
  override name = 'Migration20261122082000_refunded_cents';

  override async up(): Promise<void> {
    await this.execute("alter table receipts add column if not exists refunded_cents bigint not null default '0'");
    await this.updateInBatches('receipts', {
      set: `refunded_cents = (${PROVEN})`,
      where: `refunded_cents = 0 and (${PROVEN}) > 0`,
    });
  }
}
