import { OnlineMigration } from '#migration';

/** Merchants register endpoints, which receive events. */
export class Migration20261122160000_webhook_endpoints extends OnlineMigration {
  override name = 'Migration20261122160000_webhook_endpoints';

  override async up(): Promise<void> {
    await this.execute(`create table if not exists webhook_endpoints (
      merchant text not null, id text not null, url text not null, description text not null, kinds text[] not null,
      sealed_secret text not null, previous_secrets jsonb not null, state text not null, disabled_reason text null,
      disabled_at bigint null, enabled_at bigint not null, failing_since bigint null, created_at bigint not null,
      updated_at bigint not null, primary key (merchant, id))`);
    await this.execute(`create table if not exists merchant_events (
      merchant text not null, position bigint generated always as identity not null,
      txid xid8 not null default pg_current_xact_id(), id text not null, kind text not null, source text not null,
      body text not null, created_at bigint not null, primary key (merchant, position),
      constraint merchant_events_merchant_source_unique unique (merchant, source))`);
    await this.execute(
      'create index if not exists merchant_events_stream on merchant_events (merchant, txid, position)',
    );
    await this.execute('create index if not exists merchant_events_created_at_index on merchant_events (created_at)');
    await this.execute(`create table if not exists event_positions (
      merchant text not null, folded_through xid8 not null, epoch text not null, deleted_through xid8 not null,
      primary key (merchant))`);
    await this.execute(`alter table webhook_deliveries
      alter column receipt_id drop not null, alter column key_id drop not null,
      add column if not exists endpoint_id text null, add column if not exists event_id text null`);
    await this.createIndex(
      'webhook_deliveries_of_event',
      'on webhook_deliveries (endpoint_id, event_id) where endpoint_id is not null',
      { unique: true },
    );
    await this.createIndex(
      'webhook_deliveries_of_endpoint',
      'on webhook_deliveries (merchant, endpoint_id, created_at) where endpoint_id is not null',
    );
  }
}
