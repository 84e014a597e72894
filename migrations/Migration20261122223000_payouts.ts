import { Migration } from '@mikro-orm/migrations';

/** Shares are listed by the time of their payment and followed by their changes, and their release can be asked for. */
export class Migration20261122223000_payouts extends Migration {
  override name = 'Migration20261122223000_payouts';

  override up(): void {
    this.addSql(`alter table settlement_shares
      add column created_at bigint not null default '0',
      add column release_requested_at bigint null,
      add column position bigint generated always as identity not null,
      add column txid xid8 not null default pg_current_xact_id()`);
    // Shares of earlier versions have no time of their own: the receipt's comes close.
    this.addSql(`update settlement_shares s set created_at = r.created_at from receipts r
      where r.merchant = s.merchant and r.id = s.receipt_id`);
    this.addSql(
      'create index settlement_shares_list on settlement_shares (merchant, created_at, receipt_id, split, token, payee, chain_id)',
    );
    this.addSql(`create index settlement_shares_waiting
      on settlement_shares (merchant, created_at, receipt_id, split, token, payee, chain_id) where settled_at is null`);
    this.addSql(`create index settlement_shares_payee
      on settlement_shares (merchant, payee, created_at, receipt_id, split, token, chain_id)`);
    this.addSql('create index settlement_shares_stream on settlement_shares (merchant, txid, position)');
    this.addSql(`create index settlement_shares_requested
      on settlement_shares (merchant, release_requested_at) where release_requested_at is not null`);
    this.addSql(`create index settlement_shares_asked
      on settlement_shares (chain_id, split, token) where release_requested_at is not null and settled_at is null`);
  }
}
