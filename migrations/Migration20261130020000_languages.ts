import { OnlineMigration } from '#migration';

/** The language that an order names for its pages. */
export class Migration20261130020000_languages extends OnlineMigration {
  override name = 'Migration20261130020000_languages';

  override async up(): Promise<void> {
    await this.execute('alter table receipts add column if not exists language text null');
  }
}
