import { OnlineMigration } from '#migration';

/** Unmatched transfers name the receipts that they were meant for. Receipts record a difference that was accepted. */
export class Migration20261122130000_late_money extends OnlineMigration {
  override name = 'Migration20261122130000_late_money';

  override async up(): Promise<void> {
    await this.execute('alter table transfers add column if not exists meant_for text[] null');
    await this.execute('alter table receipts add column if not exists accepted_usd text null');
  }
}
