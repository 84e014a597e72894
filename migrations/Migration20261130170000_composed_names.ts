import { OnlineMigration } from '#migration';

/** Writes the names that the search for users compares in one form of each letter (NFC). */
export class Migration20261130170000_composed_names extends OnlineMigration {
  override name = 'Migration20261130170000_composed_names';

  override async up(): Promise<void> {
    await this.updateInBatches('users', {
      set: 'search_name = normalize(search_name, NFC)',
      where: 'search_name is not nfc normalized',
    });
  }
}
