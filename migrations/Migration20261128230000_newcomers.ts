import { OnlineMigration } from '#migration';

/** Merchants that register themselves, and what all of them store together on a day. */
export class Migration20261128230000_newcomers extends OnlineMigration {
  override name = 'Migration20261128230000_newcomers';

  override async up(): Promise<void> {
    await this.execute('alter table merchants add column if not exists newcomer boolean not null default false');
    await this.createIndex('merchants_new', 'on merchants (created_at) where newcomer');
    await this.execute('create table if not exists storage_days (day int primary key, bytes bigint not null)');
  }
}
