import { OnlineMigration } from '#migration';

/** Why an assigned transfer was unmatched before, so that its assignment can be taken back. */
export class Migration20261129020100_assigned_from extends OnlineMigration {
  override name = 'Migration20261129020100_assigned_from';

  override async up(): Promise<void> {
    await this.execute('alter table transfers add column if not exists assigned_from jsonb null');
  }
}
