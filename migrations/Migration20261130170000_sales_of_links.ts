import { OnlineMigration } from '#migration';

/** An index of the paid receipts of each link, with what the list of links sums. */
export class Migration20261130170000_sales_of_links extends OnlineMigration {
  override name = 'Migration20261130170000_sales_of_links';

  override async up(): Promise<void> {
    await this.createIndex(
      'receipts_sold_by_link',
      `on receipts (merchant, link_id) include (total_cents, status, paid_token)
        where link_id is not null and status in ('paid', 'completed', 'refunded')`,
    );
  }
}
