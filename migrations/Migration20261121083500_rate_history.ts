import { Migration } from '@mikro-orm/migrations';

/** Adds the history of exchange rates. */
export class Migration20261121083500_rate_history extends Migration {
  override up(): void {
    this.addSql(`create table "rate_history" (
      "currency" text not null,
      "quoted_at" bigint not null,
      "provider" text not null,
      "usd_per_unit" text not null,
      primary key ("currency", "quoted_at", "provider")
    )`);
  }
}
