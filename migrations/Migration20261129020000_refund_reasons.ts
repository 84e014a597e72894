import { OnlineMigration } from '#migration';

/** Why money was refunded, and a note of the merchant. */
export class Migration20261129020000_refund_reasons extends OnlineMigration {
  override name = 'Migration20261129020000_refund_reasons';

  override async up(): Promise<void> {
    await this.execute('alter table refunds add column if not exists reason text null');
    await this.execute('alter table refunds add column if not exists note text null');
  }
}
