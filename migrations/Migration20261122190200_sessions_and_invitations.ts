import { Migration } from '@mikro-orm/migrations';

/** A wallet sees where it is signed in, confirms itself by a signature, and joins a merchant by an invitation. */
export class Migration20261122190200_sessions_and_invitations extends Migration {
  override name = 'Migration20261122190200_sessions_and_invitations';

  override up(): void {
    this.addSql(`alter table sessions
      add column confirmed_at bigint not null default '0', add column last_used_at bigint null,
      add column address text null, add column user_agent text null`);
    this.addSql(`alter table api_keys
      add column expires_at bigint null, add column last_used_at bigint null, add column origins text[] null,
      add column addresses text[] null`);
    this.addSql('alter table login_nonces add column session_id text null');
    this.addSql(`create table merchant_invitations (
      id text not null, merchant text not null, role text not null, label text null, digest text not null,
      created_at bigint not null, created_by text not null, expires_at bigint not null, used_at bigint null,
      used_by text null, revoked_at bigint null, primary key (id))`);
    this.addSql('alter table merchant_invitations add constraint merchant_invitations_digest_unique unique (digest)');
    this.addSql(
      'create index merchant_invitations_merchant_created_at_index on merchant_invitations (merchant, created_at)',
    );
  }
}
