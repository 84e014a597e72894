import { OnlineMigration } from '#migration';

/** Rows that speak of a chain name it, because a receipt may be paid on any of several chains. */
export class Migration20261122220000_several_chains extends OnlineMigration {
  override name = 'Migration20261122220000_several_chains';

  override async up(): Promise<void> {
    await this.setKey('settlement_shares', 'settlement_shares_pkey', {
      kind: 'primary key',
      columns: ['merchant', 'receipt_id', 'split', 'token', 'payee', 'chain_id'],
    });
    await this.execute(`alter table receipts
      add column if not exists created_chain_id bigint null, add column if not exists payment_chain_id bigint null`);
    const chains = await this.execute('select chain_id from chain_cursors');
    if (chains.length !== 1) return;
    // There was one chain so far, and every booked receipt stored its height.
    const chain = Number(chains[0]?.chain_id);
    const wasBooked = 'created_chain_id is null and closed_at is null and created_block is not null';
    const wasPaid = 'payment_chain_id is null and transaction_hash is not null';
    await this.updateInBatches('receipts', {
      set: `created_chain_id = case when ${wasBooked} then ${chain} else created_chain_id end,
            payment_chain_id = case when ${wasPaid} then ${chain} else payment_chain_id end`,
      where: `(${wasBooked}) or (${wasPaid})`,
    });
  }
}
