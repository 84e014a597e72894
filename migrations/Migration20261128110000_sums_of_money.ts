import { OnlineMigration } from '#migration';

/**
 * What was received and sent back, in the statistics and by refund, and an index of receipts by the time of their
 * payment. The statistics' worker reads all receipts again.
 */
export class Migration20261128110000_sums_of_money extends OnlineMigration {
  override name = 'Migration20261128110000_sums_of_money';

  override async up(): Promise<void> {
    await this.execute(`alter table counted_receipts
      add column if not exists tax_cents bigint not null default '0',
      add column if not exists received_cents bigint not null default '0',
      add column if not exists sent_back_days int[] not null default '{}',
      add column if not exists sent_back_cents bigint[] not null default '{}'`);
    await this.execute(`alter table receipt_days
      add column if not exists tax_cents bigint not null default '0',
      add column if not exists received_cents bigint not null default '0',
      add column if not exists surplus_cents bigint not null default '0',
      add column if not exists returned_surplus_cents bigint not null default '0',
      add column if not exists sent_back_cents bigint not null default '0'`);
    await this.createIndex(
      'receipts_paid',
      `on receipts (merchant, coalesce(closed_at, transaction_timestamp, created_at))
        where status in ('paid', 'completed', 'refunded')`,
    );
    await this.execute('alter table refund_transfers add column if not exists usd_cents bigint null');
    await this.updateInBatches('refund_transfers', { set: `usd_cents = (${PART})`, where: 'usd_cents is null' });
  }
}

/**
 * The part of each transfer in what its transaction has proven for its receipt. Where a transaction has several
 * transfers, the parts are those of the amounts. The history has the proven amount; where its row was deleted, the
 * refund has it, if this transaction alone proves it.
 */
export const PART = `
  select div(total.cents * upto.amount, whole.amount)
           - div(total.cents * (upto.amount - refund_transfers.amount), whole.amount)
    from (select coalesce(
                   (select sum(round((h.detail ->> 'usd')::numeric * 100)) from receipt_history h
                     where h.merchant = refund_transfers.merchant and h.receipt_id = refund_transfers.receipt_id
                       and h.detail ->> 'transactionHash' = refund_transfers.transaction_hash
                       and (h.name = 'refund_partial' or (h.kind = 'status' and h.status = 'refunded'))),
                   (select sum(r.proven_cents) from refunds r
                     where r.merchant = refund_transfers.merchant and r.receipt_id = refund_transfers.receipt_id
                       and r.transaction_hashes = array[refund_transfers.transaction_hash]),
                   0) as cents) total,
         (select sum(t.amount) as amount from refund_transfers t
           where t.merchant = refund_transfers.merchant and t.receipt_id = refund_transfers.receipt_id
             and t.transaction_hash = refund_transfers.transaction_hash) whole,
         (select sum(t.amount) as amount from refund_transfers t
           where t.merchant = refund_transfers.merchant and t.receipt_id = refund_transfers.receipt_id
             and t.transaction_hash = refund_transfers.transaction_hash
             and (t.chain_id, t.log_index) <= (refund_transfers.chain_id, refund_transfers.log_index)) upto`;
