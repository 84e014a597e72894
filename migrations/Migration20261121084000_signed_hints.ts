import { Migration } from '@mikro-orm/migrations';

/** Who has signed that a transaction pays a receipt. */
export class Migration20261121084000_signed_hints extends Migration {
  override up(): void {
    this.addSql(`alter table "submitted_transactions" add column "signed_by" text[] null`);
  }
}
