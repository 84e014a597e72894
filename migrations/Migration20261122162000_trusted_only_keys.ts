import { Migration } from '@mikro-orm/migrations';

/** A key may be limited to trusted documents. */
export class Migration20261122162000_trusted_only_keys extends Migration {
  override name = 'Migration20261122162000_trusted_only_keys';

  override up(): void {
    this.addSql('alter table api_keys add column trusted_only boolean not null default false');
  }
}
