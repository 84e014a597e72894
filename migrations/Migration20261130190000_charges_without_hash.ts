import { OnlineMigration } from '#migration';

/** A charge that coins from within a contract's transaction have settled has no transaction. */
export class Migration20261130190000_charges_without_hash extends OnlineMigration {
  override name = 'Migration20261130190000_charges_without_hash';

  override async up(): Promise<void> {
    for (const table of ['charges', 'billing_events'])
      await this.execute(`alter table ${table} alter column transaction_hash drop not null`);
  }
}
