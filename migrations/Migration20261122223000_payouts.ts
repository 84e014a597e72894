import { OnlineMigration } from '#migration';

/** Shares are listed by the time of their payment and followed by their changes, and their release can be asked for. */
export class Migration20261122223000_payouts extends OnlineMigration {
  override name = 'Migration20261122223000_payouts';

  override async up(): Promise<void> {
    await this.execute(`alter table settlement_shares
      add column if not exists created_at bigint not null default '0',
      add column if not exists release_requested_at bigint null`);
    await this.addIdentity('settlement_shares', 'position');
    await this.addFilledColumn('settlement_shares', 'txid', { type: 'xid8', value: 'pg_current_xact_id()' });
    // Shares of earlier versions have no time of their own: the receipt's comes close.
    const time = `select r.created_at from receipts r
      where r.merchant = settlement_shares.merchant and r.id = settlement_shares.receipt_id`;
    await this.updateInBatches('settlement_shares', {
      set: `created_at = coalesce((${time}), 0)`,
      where: 'created_at = 0',
    });
    const share = 'receipt_id, split, token, payee, chain_id';
    await this.createIndex('settlement_shares_list', `on settlement_shares (merchant, created_at, ${share})`);
    await this.createIndex(
      'settlement_shares_waiting',
      `on settlement_shares (merchant, created_at, ${share}) where settled_at is null`,
    );
    await this.createIndex(
      'settlement_shares_payee',
      'on settlement_shares (merchant, payee, created_at, receipt_id, split, token, chain_id)',
    );
    await this.createIndex('settlement_shares_stream', 'on settlement_shares (merchant, txid, position)');
    await this.createIndex(
      'settlement_shares_requested',
      'on settlement_shares (merchant, release_requested_at) where release_requested_at is not null',
    );
    await this.createIndex(
      'settlement_shares_asked',
      'on settlement_shares (chain_id, split, token) where release_requested_at is not null and settled_at is null',
    );
  }
}
