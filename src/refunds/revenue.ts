/** The money of a receipt that was paid, in cents. */
export interface Money {
  readonly totalCents: number;
  /** What was received for it, in whole cents. */
  readonly received: number;
  /** What of that was sent back. */
  readonly refundedCents: number;
}

/** What of the money of a receipt is revenue, in cents. docs/statistics.md defines each. */
export interface Revenue {
  readonly surplusCents: number;
  readonly shortfallCents: number;
  readonly refundedRevenueCents: number;
  readonly returnedSurplusCents: number;
  readonly netCents: number;
}

/** A refund returns the surplus first. */
export function revenueOf({ totalCents, received, refundedCents }: Money): Revenue {
  const surplusCents = Math.max(0, received - totalCents);
  const shortfallCents = Math.max(0, totalCents - received);
  const refundedRevenueCents = Math.max(0, refundedCents - surplusCents);
  return {
    ...{ surplusCents, shortfallCents, refundedRevenueCents },
    returnedSurplusCents: refundedCents - refundedRevenueCents,
    netCents: totalCents - shortfallCents - refundedRevenueCents,
  };
}
