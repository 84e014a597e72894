import { Migration } from '@mikro-orm/migrations';

/** Amounts of unpaid receipts are reused. No row is rewritten: the new columns are null or have a constant default. */
export class Migration20261122133000_quote_holders extends Migration {
  override name = 'Migration20261122133000_quote_holders';

  override up(): void {
    this.addSql(`alter table quotes
      add column seen_at bigint null, add column seen_from bigint null, add column earlier text[] not null default '{}'`);
  }
}
