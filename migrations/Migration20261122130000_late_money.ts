import { Migration } from '@mikro-orm/migrations';

/** Unmatched transfers name the receipts that they were meant for. Receipts record a difference that was accepted. */
export class Migration20261122130000_late_money extends Migration {
  override name = 'Migration20261122130000_late_money';

  override up(): void {
    this.addSql('alter table transfers add column meant_for text[] null');
    this.addSql('alter table receipts add column accepted_usd text null');
  }
}
