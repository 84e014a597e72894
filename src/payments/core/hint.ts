import { isWaiting, type ReceiptStatus } from '../../receipts/lifecycle.ts';
import type { LinkedBy } from './linked-by.ts';

/** A hint that names the transfer's transaction, with its backing. */
export interface Hint {
  readonly receiptId: string;
  /** The status of that receipt. */
  readonly status: ReceiptStatus;
  /** A card provider vouches for it. */
  readonly vouched: boolean;
  /** Base units; null if the provider does not report the amount. */
  readonly vouchedAmount: string | null;
  /** Signed by the sender of the transfer. */
  readonly signed: boolean;
}

export interface HintedChoice {
  readonly receiptId: string;
  readonly linkedBy: Extract<LinkedBy, 'card' | 'signature'>;
}

/**
 * The receipt that a transfer of an unexpected amount pays, by the hints that name its transaction; null if it stays
 * unmatched. In this order:
 *
 * 1. The receipt that a card provider vouches for. Of several in one transaction the amount decides.
 * 2. The one receipt that the transfer's sender has signed for.
 *
 * An unsigned hint pays nothing: anyone who sees a payment page can submit one.
 */
export function chooseByHints(hints: readonly Hint[], transfer: { readonly amount: string }): HintedChoice | null {
  const vouched = vouchedReceipt(hints, transfer);
  if (vouched !== null) return { receiptId: vouched, linkedBy: 'card' };
  const signed = only(hints.filter((hint) => hint.signed));
  return signed === null ? null : { receiptId: signed, linkedBy: 'signature' };
}

/** The most receipts that hints may propose to the merchant for one transfer. */
const PROPOSED_MAX = 10;

/** The waiting receipts that hints name for a transfer. The merchant sees them first among its candidates. */
export const proposedByHints = (hints: readonly Hint[]): readonly string[] =>
  [...new Set(hints.filter(isWaiting).map(({ receiptId }) => receiptId))].slice(0, PROPOSED_MAX);

const only = (hints: readonly Hint[]): string | null => (hints.length === 1 ? hints[0]!.receiptId : null);

function vouchedReceipt(hints: readonly Hint[], { amount }: { readonly amount: string }): string | null {
  const vouched = hints.filter((hint) => hint.vouched);
  const exact = vouched.filter(
    ({ vouchedAmount }) => vouchedAmount !== null && BigInt(vouchedAmount) === BigInt(amount),
  );
  return only(exact.length > 0 ? exact : vouched);
}
