import { Migration } from '@mikro-orm/migrations';

/** Rows that speak of a chain name it, because a receipt may be paid on any of several chains. */
export class Migration20261122220000_several_chains extends Migration {
  override name = 'Migration20261122220000_several_chains';

  override up(): void {
    this.addSql(`alter table settlement_shares
      drop constraint settlement_shares_pkey,
      add constraint settlement_shares_pkey primary key (merchant, receipt_id, split, token, payee, chain_id)`);
    this.addSql('alter table receipts add column created_chain_id bigint null, add column payment_chain_id bigint null');
    // There was one chain so far, and every booked receipt stored its height.
    this.addSql(`update receipts set created_chain_id = c.chain_id
      from (select min(chain_id) as chain_id from chain_cursors having count(*) = 1) c
      where closed_at is null and created_block is not null`);
    this.addSql(`update receipts set payment_chain_id = c.chain_id
      from (select min(chain_id) as chain_id from chain_cursors having count(*) = 1) c
      where transaction_hash is not null`);
  }
}
