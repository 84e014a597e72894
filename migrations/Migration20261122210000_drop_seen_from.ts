import { Migration } from '@mikro-orm/migrations';

/** Time alone no longer decides whose an amount is, so nothing reads this column. */
export class Migration20261122210000_drop_seen_from extends Migration {
  override name = 'Migration20261122210000_drop_seen_from';

  override up(): void {
    this.addSql('alter table quotes drop column seen_from');
  }
}
