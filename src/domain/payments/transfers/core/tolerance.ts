import Big from 'big.js';
import { usdFromCents } from '../../../../base/core/money.ts';
import type { AcceptedDifference } from '../../../sales/receipts/accepted-note.ts';
import type { LinkedBy } from './transfer-row.ts';
import type { Credit, Due } from './weigh.ts';

/** How much of a total may be missing. */
export interface Tolerance {
  readonly toleranceBps: number;
  readonly toleranceCents: number;
}

/** Whether the tolerance applies to a transfer at all. The server's own transactions have exact amounts. */
export const mayBeTolerated = (linkedBy: LinkedBy): boolean => linkedBy !== 'server';

/** Compares the credits of a receipt, without what was refunded, with its total. */
export function differenceOf(
  { totalCents, refundedCents }: Due,
  credits: readonly Pick<Credit, 'usd'>[],
): AcceptedDifference {
  const total = new Big(usdFromCents(totalCents));
  const received = credits.reduce((sum, { usd }) => sum.plus(usd), new Big(0)).minus(usdFromCents(refundedCents));
  const missing = received.gte(total) ? new Big(0) : total.minus(received);
  return { totalUsd: total.toFixed(), receivedUsd: received.toFixed(), missingUsd: missing.toFixed() };
}

/** Whether a merchant accepts a difference. Both limits apply: the share of the total, and the amount. */
export function isTolerated(
  { totalUsd, missingUsd }: AcceptedDifference,
  { toleranceBps, toleranceCents }: Tolerance,
): boolean {
  if (toleranceBps === 0 || toleranceCents === 0) return false;
  const missing = new Big(missingUsd);
  return missing.lte(usdFromCents(toleranceCents)) && missing.times(10_000).lte(new Big(totalUsd).times(toleranceBps));
}
