import { Migration } from '@mikro-orm/migrations';

/** The audit log: one chain of entries for each merchant, and the end of each chain. */
export class Migration20261122200000_audit_log extends Migration {
  override name = 'Migration20261122200000_audit_log';

  override up(): void {
    this.addSql(`create table audit_heads (
      merchant text not null, position bigint not null, hash text not null, logged_position bigint not null,
      primary key (merchant))`);
    this.addSql(`create table audit_entries (
      merchant text not null, position bigint not null, txid xid8 not null default pg_current_xact_id(),
      at bigint not null, actor text not null, action text not null, object_type text not null,
      object_id text not null, before jsonb null, after jsonb null, personal jsonb null, salt text null,
      personal_digest text not null, previous_hash text not null, hash text not null,
      primary key (merchant, position))`);
    this.addSql('create index audit_entries_stream on audit_entries (merchant, txid, position)');
  }
}
