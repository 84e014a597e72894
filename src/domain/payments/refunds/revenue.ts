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
