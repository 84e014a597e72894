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
  /**
   * The choice holds only if the receipt was quoted in this token at this address and no other receipt of the merchant
   * waits for money, in any token.
   */
  readonly onlyIfSole: boolean;
  readonly linkedBy: Extract<LinkedBy, 'card' | 'signature' | 'hint'>;
}

/**
 * The receipt that a transfer of an unexpected amount pays, by the hints that name its transaction; null if it stays
 * unmatched. In this order:
 *
 * 1. The receipt that a card provider vouches for. Of several in one transaction the amount decides.
 * 2. The one receipt that the transfer's sender has signed for.
 * 3. The one waiting receipt that an unsigned hint names, if it is the only one that waits. Anyone who sees a payment
 *    page can submit a hint, so with two receipts waiting it proves nothing.
 */
export function chooseByHints(hints: readonly Hint[], transfer: { readonly amount: string }): HintedChoice | null {
  const vouched = vouchedReceipt(hints, transfer);
  if (vouched !== null) return { receiptId: vouched, onlyIfSole: false, linkedBy: 'card' };
  const signed = only(hints.filter((hint) => hint.signed));
  if (signed !== null) return { receiptId: signed, onlyIfSole: false, linkedBy: 'signature' };
  const waiting = only(hints.filter(isWaiting));
  return waiting === null ? null : { receiptId: waiting, onlyIfSole: true, linkedBy: 'hint' };
}

const only = (hints: readonly Hint[]): string | null => (hints.length === 1 ? hints[0]!.receiptId : null);

function vouchedReceipt(hints: readonly Hint[], { amount }: { readonly amount: string }): string | null {
  const vouched = hints.filter((hint) => hint.vouched);
  const exact = vouched.filter(
    ({ vouchedAmount }) => vouchedAmount !== null && BigInt(vouchedAmount) === BigInt(amount),
  );
  return only(exact.length > 0 ? exact : vouched);
}
