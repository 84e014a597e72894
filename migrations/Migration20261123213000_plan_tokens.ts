import { Migration } from '@mikro-orm/migrations';

/** The tokens and chains that a plan takes. Null: those of the first chain, as before. */
export class Migration20261123213000_plan_tokens extends Migration {
  override name = 'Migration20261123213000_plan_tokens';

  override up(): void {
    this.addSql('alter table plans add column payment_tokens jsonb null');
  }
}
