import { Migration } from '@mikro-orm/migrations';

/** The heads of all chains when a receipt was created, and the blocks that reorganizations have replaced. */
export class Migration20261124130000_heads_of_chains extends Migration {
  override name = 'Migration20261124130000_heads_of_chains';

  override up(): void {
    this.addSql('alter table receipts add column created_heads jsonb null');
    this.addSql(`create table chain_reorganizations (
      chain_id bigint not null,
      head bigint not null,
      fork bigint not null,
      primary key (chain_id, head, fork))`);
  }
}
