import { type RawBuilder, sql } from 'kysely';

/**
 * What a transfer proves of a refund, in US cents, for a row of `refund_transfers` by its name in the statement. A
 * server of the version before stores none: then it is the transfer's part, by amount, of what its transaction has
 * proven for the receipt, by the history or else by the refund.
 */
export const refundedPart = (row: string): RawBuilder<number> => {
  const own = sql.ref(row);
  return sql<number>`coalesce(${own}.usd_cents, (
    select div(total.cents * whole.upto, whole.amount) - div(total.cents * (whole.upto - ${own}.amount), whole.amount)
      from (select coalesce(
                     (select sum(round((h.detail ->> 'usd')::numeric * 100)) from receipt_history h
                       where h.merchant = ${own}.merchant and h.receipt_id = ${own}.receipt_id
                         and h.detail ->> 'transactionHash' = ${own}.transaction_hash
                         and (h.name = 'refund_partial' or (h.kind = 'status' and h.status = 'refunded'))),
                     (select sum(d.proven_cents) from refunds d
                       where d.merchant = ${own}.merchant and d.receipt_id = ${own}.receipt_id
                         and d.transaction_hashes = array[${own}.transaction_hash]),
                     0) as cents) total,
           (select sum(w.amount) as amount, sum(w.amount) filter (where w.log_index <= ${own}.log_index) as upto
              from refund_transfers w
             where w.merchant = ${own}.merchant and w.receipt_id = ${own}.receipt_id and w.chain_id = ${own}.chain_id
               and w.transaction_hash = ${own}.transaction_hash) whole
  )::int8)`;
};
