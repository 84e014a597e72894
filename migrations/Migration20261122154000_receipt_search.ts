import { Migration } from '@mikro-orm/migrations';

/** The search over receipts: the worker fills its tables from the history, so no statement here reads receipts. */
export class Migration20261122154000_receipt_search extends Migration {
  override name = 'Migration20261122154000_receipt_search';

  override up(): void {
    this.addSql(`create table receipt_touches (
      position bigint generated always as identity primary key, merchant text not null, receipt_id text not null)`);
    this.addSql(`create table receipt_search (
      merchant text not null, id text not null, seq int not null, created_at bigint not null, facet text not null,
      total_cents bigint not null, paid_at bigint null, mined_since bigint null, attention boolean not null,
      reference text null, buyer_email text null, buyer_wallet text null, subscription_id text null, plan_id text null,
      hashes text[] not null, skus text[] not null, terms text[] not null,
      primary key (merchant, id))`);
    this.addSql('create index receipt_search_facets on receipt_search (merchant, facet, created_at, id)');
    this.addSql('create index receipt_search_totals on receipt_search (merchant, total_cents, id)');
    this.addSql('create index receipt_search_paid on receipt_search (merchant, paid_at, id) where paid_at is not null');
    this.addSql(`create index receipt_search_attention on receipt_search (merchant, created_at, id)
      where attention or mined_since is not null`);
    this.addSql(`create table receipt_terms (
      merchant text not null, entry text collate "C" not null, created_at bigint not null, receipt_id text not null,
      primary key (merchant, entry, created_at, receipt_id))`);
    this.addSql(`create table receipt_index (
      name text not null, version int not null, step bigint not null, epoch text not null, snapshot text not null,
      rebuild_merchant text null, rebuild_id text null, primary key (name))`);
  }
}
