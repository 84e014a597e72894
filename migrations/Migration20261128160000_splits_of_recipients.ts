import { OnlineMigration } from '#migration';

/** Finds the splits that pay a wallet. */
export class Migration20261128160000_splits_of_recipients extends OnlineMigration {
  override name = 'Migration20261128160000_splits_of_recipients';

  override async up(): Promise<void> {
    await this.createIndex('splits_recipients', 'on splits using gin (recipients jsonb_path_ops)');
  }
}
