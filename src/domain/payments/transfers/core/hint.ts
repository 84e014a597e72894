import { isWaiting, type ReceiptStatus } from '../../../sales/receipts/lifecycle.ts';

/** A hint that names the transfer's transaction. */
export interface Hint {
  readonly receiptId: string;
  /** The status of that receipt. */
  readonly status: ReceiptStatus;
  /** Signed by the sender of the transfer. */
  readonly signed: boolean;
}

/**
 * The one receipt that a transfer's sender has signed for; null if there is none, or several. An unsigned hint pays
 * nothing: anyone who sees a payment page can submit one.
 */
export function claimedBy(hints: readonly Hint[]): string | null {
  const signed = hints.filter((hint) => hint.signed);
  return signed.length === 1 ? signed[0]!.receiptId : null;
}

/** The most receipts that hints may propose to the merchant for one transfer. */
const PROPOSED_MAX = 10;

/** The waiting receipts that hints name for a transfer. The merchant sees them first among its candidates. */
export const proposedBy = (hints: readonly Hint[]): readonly string[] =>
  [...new Set(hints.filter(isWaiting).map(({ receiptId }) => receiptId))].slice(0, PROPOSED_MAX);
