import { OnlineMigration } from '#migration';

/** An address for each receipt, and the transfers to and from such addresses. */
export class Migration20261128150000_receipt_addresses extends OnlineMigration {
  override name = 'Migration20261128150000_receipt_addresses';

  override async up(): Promise<void> {
    await this.execute(`create table if not exists receipt_addresses (
      address text not null primary key,
      merchant text not null,
      receipt_id text not null,
      number int not null,
      factory text not null,
      split text not null,
      only_chain_id bigint null,
      created_at bigint not null)`);
    await this.createIndex(
      'receipt_addresses_merchant_receipt_id_number_index',
      'on receipt_addresses (merchant, receipt_id, number)',
    );
    await this.execute(`create table if not exists coin_watches (
      chain_id bigint not null,
      address text not null,
      until bigint not null,
      primary key (chain_id, address))`);
    await this.createIndex('coin_watches_chain_id_until_index', 'on coin_watches (chain_id, until)');
    await this.execute('alter table chain_cursors add column if not exists addresses_scanned bigint null');
    await this.execute(`alter table transfers
      add column if not exists address_of text null,
      add column if not exists split text null,
      add column if not exists collected bool null`);
    await this.createIndex('transfers_of_address', 'on transfers (merchant, address_of) where address_of is not null');
    await this.createIndex(
      'transfers_to_collect',
      'on transfers (chain_id, split, token, block_number, log_index) where canonical and not collected',
    );
  }
}
