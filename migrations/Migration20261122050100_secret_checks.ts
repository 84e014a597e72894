import { Migration } from '@mikro-orm/migrations';

/** Adds the check values that detect a changed secret. */
export class Migration20261122050100_secret_checks extends Migration {
  override up(): void {
    this.addSql(
      `create table "secret_checks" ("name" text not null, "value" text not null, constraint "secret_checks_pkey" primary key ("name"))`,
    );
  }
}
