import { OnlineMigration } from '#migration';

/** The time zone in whose days each merchant's receipts are counted. */
export class Migration20261130060000_counted_zones extends OnlineMigration {
  override name = 'Migration20261130060000_counted_zones';

  override async up(): Promise<void> {
    await this.execute(
      `create table if not exists counted_zones (merchant text not null primary key, zone text not null,
         starts bigint[] not null, offsets bigint[] not null, after_id text null)`,
    );
  }
}
