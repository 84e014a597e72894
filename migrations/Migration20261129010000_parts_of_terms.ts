import { OnlineMigration } from '#migration';

/** What a role that may not create an extension is refused with, and a server that does not have the extension. */
const REFUSED = new Set(['42501', '0A000', '58P01']);

/**
 * An index by which the search of receipts finds any part of a term. It needs two extensions that the owner of a
 * database may create. Without them the search finds beginnings.
 */
export class Migration20261129010000_parts_of_terms extends OnlineMigration {
  override name = 'Migration20261129010000_parts_of_terms';

  override async up(): Promise<void> {
    try {
      await this.execute('create extension if not exists pg_trgm');
      await this.execute('create extension if not exists btree_gin');
    } catch (error) {
      if (REFUSED.has((error as { code?: string }).code ?? '')) return;
      throw error;
    }
    await this.createIndex(
      'receipt_terms_parts',
      `on receipt_terms using gin (merchant, entry gin_trgm_ops)
       where entry like '=%' and entry !~ '^=(0x|r-|sub_|plan_)'`,
    );
  }
}
