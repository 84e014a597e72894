import { OnlineMigration } from '#migration';

/** A wallet sees where it is signed in, confirms itself by a signature, and joins a merchant by an invitation. */
export class Migration20261122190200_sessions_and_invitations extends OnlineMigration {
  override name = 'Migration20261122190200_sessions_and_invitations';

  override async up(): Promise<void> {
    await this.execute(`alter table sessions
      add column if not exists confirmed_at bigint not null default '0',
      add column if not exists last_used_at bigint null,
      add column if not exists address text null, add column if not exists user_agent text null`);
    await this.execute(`alter table api_keys
      add column if not exists expires_at bigint null, add column if not exists last_used_at bigint null,
      add column if not exists origins text[] null, add column if not exists addresses text[] null`);
    await this.execute('alter table login_nonces add column if not exists session_id text null');
    await this.execute(`create table if not exists merchant_invitations (
      id text not null, merchant text not null, role text not null, label text null, digest text not null,
      created_at bigint not null, created_by text not null, expires_at bigint not null, used_at bigint null,
      used_by text null, revoked_at bigint null, primary key (id),
      constraint merchant_invitations_digest_unique unique (digest))`);
    await this.execute(`create index if not exists merchant_invitations_merchant_created_at_index
      on merchant_invitations (merchant, created_at)`);
  }
}
