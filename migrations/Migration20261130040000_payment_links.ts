import { OnlineMigration } from '#migration';

/** Payment links, and the link that a receipt was made by. */
export class Migration20261130040000_payment_links extends OnlineMigration {
  override name = 'Migration20261130040000_payment_links';

  override async up(): Promise<void> {
    await this.execute(`create table if not exists payment_links (
      merchant text not null,
      id text not null,
      name text not null,
      items jsonb null,
      amount_cents bigint null,
      currency text null,
      jurisdiction_code text null,
      expires_in_minutes int not null,
      per_day int null,
      per_address int not null,
      ends_at bigint null,
      return_url text null,
      active boolean not null default true,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (merchant, id),
      constraint payment_links_id_unique unique (id)
    )`);
    await this.execute('alter table receipts add column if not exists link_id text null');
    await this.execute('alter table receipts add column if not exists link_visitor text null');
    await this.createIndex('receipts_of_link', 'on receipts (merchant, link_id, created_at) where link_id is not null');
  }
}
