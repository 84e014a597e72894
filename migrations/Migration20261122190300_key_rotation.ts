import { Migration } from '@mikro-orm/migrations';

/** A rotated key names the key that replaces it, and works until it expires. */
export class Migration20261122190300_key_rotation extends Migration {
  override name = 'Migration20261122190300_key_rotation';

  override up(): void {
    this.addSql('alter table api_keys add column replaced_by text null');
  }
}
