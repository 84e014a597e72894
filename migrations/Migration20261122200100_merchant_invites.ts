import { Migration } from '@mikro-orm/migrations';

/** Codes with which wallets register merchants, and the suspension of merchants by the operator. */
export class Migration20261122200100_merchant_invites extends Migration {
  override name = 'Migration20261122200100_merchant_invites';

  override up(): void {
    this.addSql(`create table merchant_invites (
      id text not null, digest text not null, note text not null, created_at bigint not null,
      expires_at bigint not null, used_at bigint null, used_by text null, primary key (id))`);
    this.addSql('alter table merchant_invites add constraint merchant_invites_digest_unique unique (digest)');
    this.addSql('alter table merchants add column suspended_at bigint null');
    this.addSql('alter table merchants add column suspended_reason text null');
  }
}
