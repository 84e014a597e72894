import { OnlineMigration } from '#migration';

/** Writes the names that the search for users compares with one form of each letter, also at the end of a word. */
export class Migration20261130180000_letter_forms extends OnlineMigration {
  override name = 'Migration20261130180000_letter_forms';

  override async up(): Promise<void> {
    await this.updateInBatches('users', {
      set: `search_name = translate(replace(search_name, U&'i\\0307', 'i'), 'ςſµϐϑϕϖϰϱϵẛι', 'σsμβθφπκρεṡι')`,
      where: `search_name ~ U&'[ςſµϐϑϕϖϰϱϵẛι]|i\\0307'`,
    });
  }
}
