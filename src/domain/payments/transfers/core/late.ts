import { type Endable, endOf, isPartPaid, isVoided } from '../../../sales/receipts/ended.ts';

const HOUR_MS = 3_600_000;

/**
 * Whether money of a block counts for a receipt: `in_time`, `late` (after the end of the receipt, and still accepted),
 * or `over` (after that, or the receipt was voided). The rest of a payment is in time as long as late money is
 * accepted, because the receipt waits for it. Undefined if it depends on `lateHours` and that is unknown.
 *
 * @param lateHours for how long after the end the merchant accepts money
 */
export function timingOf(
  receipt: Endable,
  blockTimeMs: number,
  lateHours: number | undefined,
): 'in_time' | 'late' | 'over' | undefined {
  if (isVoided(receipt)) return 'over';
  const end = endOf(receipt, 0);
  if (end === null || blockTimeMs <= end) return 'in_time';
  if (lateHours === undefined) return undefined;
  if (blockTimeMs > end + lateHours * HOUR_MS) return 'over';
  return isPartPaid(receipt) ? 'in_time' : 'late';
}
