import { type RawBuilder, sql } from 'kysely';

/** The money of a receipt that was paid, in cents. */
export interface Money {
  readonly totalCents: number;
  /** What was received for it, in whole cents. */
  readonly received: number;
  /** What of that was sent back. */
  readonly refundedCents: number;
}

/** Sums over paid receipts, in cents. docs/integrate/statistics.md defines each. */
export interface Sums {
  readonly paidCents: number;
  readonly receivedCents: number;
  readonly surplusCents: number;
  readonly refundedCents: number;
  readonly returnedSurplusCents: number;
}

/** What follows from the sums. */
export interface Revenue {
  /** What is missing of the totals of paid receipts. */
  readonly shortfallCents: number;
  /** What of the refunds was revenue, and not surplus. */
  readonly refundedRevenueCents: number;
  /** What remains of the sales: neither missing nor sent back, without surplus. */
  readonly netCents: number;
}

/** The sums of one receipt. A refund returns the surplus first. */
export function sumsOf({ totalCents, received, refundedCents }: Money): Sums {
  const surplusCents = Math.max(0, received - totalCents);
  const returnedSurplusCents = Math.min(surplusCents, refundedCents);
  return { paidCents: totalCents, receivedCents: received, surplusCents, refundedCents, returnedSurplusCents };
}

/** Each is linear in the sums, so it holds for one receipt and for many. */
export function revenueOf(sums: Sums): Revenue {
  const { paidCents, receivedCents, surplusCents, refundedCents, returnedSurplusCents } = sums;
  const shortfallCents = paidCents - (receivedCents - surplusCents);
  const refundedRevenueCents = refundedCents - returnedSurplusCents;
  return { shortfallCents, refundedRevenueCents, netCents: paidCents - shortfallCents - refundedRevenueCents };
}

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
