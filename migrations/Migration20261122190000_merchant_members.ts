import { Migration } from '@mikro-orm/migrations';

/** Merchants have members with roles. The own wallet of a merchant is its owner. A session names its merchant. */
export class Migration20261122190000_merchant_members extends Migration {
  override name = 'Migration20261122190000_merchant_members';

  override up(): void {
    this.addSql(`create table merchant_members (
      merchant text not null, wallet text not null, role text not null, label text null, created_at bigint not null,
      added_by text null, primary key (merchant, wallet))`);
    this.addSql('create index merchant_members_wallet_created_at_index on merchant_members (wallet, created_at)');
    this.addSql(`insert into merchant_members (merchant, wallet, role, created_at)
      select wallet, wallet, 'owner', created_at from merchants`);
    this.addSql('alter table sessions add column merchant text null');
  }
}
