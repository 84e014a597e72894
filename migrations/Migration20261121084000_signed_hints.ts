import { Migration } from '@mikro-orm/migrations';

/** Adds the signer of a hint. */
export class Migration20261121084000_signed_hints extends Migration {
  override up(): void {
    this.addSql(`alter table "submitted_transactions" add column "signed_by" text[] null`);
  }
}
