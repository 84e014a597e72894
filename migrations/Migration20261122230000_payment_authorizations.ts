import { Migration } from '@mikro-orm/migrations';

/** Transfers that buyers have signed and the server sends, bound to the receipts that they pay. */
export class Migration20261122230000_payment_authorizations extends Migration {
  override name = 'Migration20261122230000_payment_authorizations';

  override up(): void {
    this.addSql(`create table payment_authorizations (
      chain_id bigint not null, token text not null, payer text not null, nonce text not null,
      merchant text not null, receipt_id text not null, pay_to text not null, amount numeric(78,0) not null,
      valid_before bigint not null, state text not null, transaction_hash text not null,
      created_at bigint not null, updated_at bigint not null,
      primary key (chain_id, token, payer, nonce))`);
    this.addSql(`create index payment_authorizations_merchant_receipt_id_created_at_index
      on payment_authorizations (merchant, receipt_id, created_at)`);
    this.addSql(`create unique index payment_authorizations_open on payment_authorizations (merchant, receipt_id)
      where state in ('sent', 'mined')`);
  }
}
