import { type Endable, endOf, isPartPaid, isVoided } from '../../../sales/receipts/ended.ts';
import { isWaiting, type ReceiptStatus } from '../../../sales/receipts/lifecycle.ts';
import type { Receipt } from '../../../sales/receipts/receipt.entity.ts';
import type { NotChosen } from '../../../shop/merchants/chosen-tokens.ts';
import type { UnmatchedReason } from './transfer.entity.ts';
import type { LinkedBy, TransferRow } from './transfer-row.ts';
import { type Link, type Price, rateFor } from './weigh.ts';

/** A receipt as far as matching depends on it. */
export type MatchableReceipt = Pick<Receipt, 'id'> & Endable & CreatedAt;

/** A final payment that lost its block, with its link to a receipt. */
export type LostPayment = TransferRow & Link;

/** A payment that version 0.1 asked for at the split; see `payments/asked-at-split.ts`. */
export interface Asked<R extends MatchableReceipt> {
  readonly receipt: R;
  readonly price: Price | null;
}

/**
 * What is known when a transfer is matched. Facts that are missing (`undefined`) were not needed so far. Null means
 * that there is none.
 */
export interface MatchFacts<R extends MatchableReceipt> {
  readonly transfer: TransferRow;
  /** US dollars per whole token at the block's time, as decimal text; null if unknown. */
  readonly rate: string | null;
  /** The block of the split's configuration; null if the transfer was checked against it before. */
  readonly splitCreatedBlock: number | null;
  /** The reorganizations that replaced blocks above the transfer's number. */
  readonly reorganizations?: readonly Reorganization[];
  /** A payment by the same transaction, of the same amount, whose block was removed. */
  readonly lost?: LostPayment | null;
  /** The receipt whose address received the transfer. */
  readonly addressed?: R | null;
  /** The receipt that the server's own transaction was bound to before it was sent. */
  readonly bound?: R | null;
  readonly asked?: Asked<R> | null;
  /** The hints that name the transaction. */
  readonly hints?: readonly Hint[];
  /** The receipt that the transfer's sender has signed for. */
  readonly claimed?: R | null;
  /** The quote of the receipt in this token, on this chain, at the time of the transfer. */
  readonly price?: Price | null;
  /** Whether the merchant has chosen to be paid on this chain, and in this token there. Null if it has. */
  readonly notChosen?: NotChosen | null;
  /** For how many hours after the end of a receipt the merchant accepts money. */
  readonly lateHours?: number;
  /** Whether a receipt whose time is over was kept open, because money is on its way to it. */
  readonly isHeldOpen?: boolean;
}

/** A fact that the decision depends on. It is added to the facts, and the decision is made again. */
export type NeededFact =
  | {
      readonly kind: 'need';
      readonly fact: 'reorganizations' | 'lost' | 'addressed' | 'bound' | 'asked' | 'hints' | 'notChosen' | 'lateHours';
    }
  | { readonly kind: 'need'; readonly fact: 'claimed' | 'price' | 'isHeldOpen'; readonly receiptId: string };

/** What to do with a transfer. */
export type MatchDecision<R extends MatchableReceipt> =
  | {
      readonly kind: 'credit';
      readonly receipt: R;
      /** US dollars per whole token, as decimal text. */
      readonly usdPerUnit: string;
      readonly linkedBy: LinkedBy;
      /** Whether the receipt had ended. */
      readonly isLate: boolean;
    }
  | {
      readonly kind: 'unmatched';
      readonly reason: UnmatchedReason;
      /** The receipts that it is known to be meant for. */
      readonly meantFor: readonly string[];
    }
  /** It is the payment that had lost its block, in another block. */
  | { readonly kind: 'relink'; readonly lost: LostPayment }
  /** Its block is on the chain again, and its link to the receipt was kept. */
  | { readonly kind: 'returned'; readonly receiptId: string }
  /** It is a collection, or marked for refund, and pays nothing. */
  | { readonly kind: 'ignore' };

/**
 * Decides what a transfer pays. Returns `need` if the decision depends on a fact that is missing, so that most
 * transfers need few of them.
 *
 * A transfer to a receipt's address is that receipt's, whatever its amount and sender. Of the transfers that go
 * straight to a split, one of the server's own pays the receipt of its charge; any other pays the receipt that its
 * sender has signed for, and else waits for the merchant to assign it. A payment that lost its block stays the payment
 * of its receipt.
 *
 * A receipt that has ended takes money for some hours, at the rate of the block; see `timingOf`. One that time has not
 * ended, because money is on its way to it, takes it as in time.
 */
export function decideMatch<R extends MatchableReceipt>(facts: MatchFacts<R>): MatchDecision<R> | NeededFact {
  const { transfer, rate, splitCreatedBlock, reorganizations, lost, bound, asked } = facts;
  // A collection brings to the split what has arrived before.
  if (transfer.addressOf !== null && transfer.split === null) return { kind: 'ignore' };
  if (transfer.receiptId !== null) return { kind: 'returned', receiptId: transfer.receiptId };
  if (transfer.refundMarkedAt !== null) return { kind: 'ignore' };
  const isBeforeSplit = isOlder(transfer.blockNumber, splitCreatedBlock, reorganizations);
  if (isBeforeSplit === undefined) return { kind: 'need', fact: 'reorganizations' };
  if (isBeforeSplit) return unmatched('too_old');
  if (lost === undefined) return { kind: 'need', fact: 'lost' };
  if (lost !== null) return { kind: 'relink', lost };
  if (transfer.split !== null) return matchArrival(facts);
  if (bound === undefined) return { kind: 'need', fact: 'bound' };
  if (bound !== null && rate !== null) return matchBound(bound, rate);
  if (asked === undefined) return { kind: 'need', fact: 'asked' };
  return asked === null ? matchClaimed(facts) : matchAsked(facts, asked);
}

const unmatched = (reason: UnmatchedReason, meantFor: readonly string[] = []) =>
  ({ kind: 'unmatched', reason, meantFor }) as const;

/** Money at a receipt's address. Money that the receipt does not wait for stays at it, for its merchant to decide. */
function matchArrival<R extends MatchableReceipt>(facts: MatchFacts<R>): MatchDecision<R> | NeededFact {
  const { transfer, addressed: receipt } = facts;
  if (receipt === undefined) return { kind: 'need', fact: 'addressed' };
  if (receipt === null || !isWaiting(receipt)) return unmatched('duplicate', [transfer.addressOf!]);
  return creditAtPrice(facts, receipt, 'address');
}

function matchBound<R extends MatchableReceipt>(receipt: R, usdPerUnit: string): MatchDecision<R> {
  if (isVoided(receipt)) return unmatched('late', [receipt.id]);
  return isWaiting(receipt)
    ? { kind: 'credit', receipt, usdPerUnit, linkedBy: 'server', isLate: false }
    : unmatched('duplicate');
}

const matchAsked = <R extends MatchableReceipt>(
  facts: MatchFacts<R>,
  { receipt, price }: Asked<R>,
): MatchDecision<R> | NeededFact =>
  isWaiting(receipt) ? creditWaiting(facts, receipt, price, 'asked') : unmatched('duplicate', [receipt.id]);

function matchClaimed<R extends MatchableReceipt>(facts: MatchFacts<R>): MatchDecision<R> | NeededFact {
  const { hints, claimed } = facts;
  if (hints === undefined) return { kind: 'need', fact: 'hints' };
  const receiptId = claimedBy(hints);
  if (receiptId === null) return unclaimed(facts, hints);
  if (claimed === undefined) return { kind: 'need', fact: 'claimed', receiptId };
  return claimed === null || !isWaiting(claimed) ? unclaimed(facts, hints) : creditAtPrice(facts, claimed, 'signature');
}

/** What stays unmatched names the receipts that hints propose to the merchant. */
function unclaimed<R extends MatchableReceipt>(
  { notChosen }: MatchFacts<R>,
  hints: readonly Hint[],
): MatchDecision<R> | NeededFact {
  if (notChosen === undefined) return { kind: 'need', fact: 'notChosen' };
  return unmatched(notChosen ?? 'unknown_amount', proposedBy(hints));
}

/** A token that the merchant did not choose counts only if the receipt was quoted in it. */
function creditAtPrice<R extends MatchableReceipt>(
  facts: MatchFacts<R>,
  receipt: R,
  linkedBy: LinkedBy,
): MatchDecision<R> | NeededFact {
  const { price, notChosen } = facts;
  if (price === undefined) return { kind: 'need', fact: 'price', receiptId: receipt.id };
  if (price === null && notChosen === undefined) return { kind: 'need', fact: 'notChosen' };
  if (price === null && notChosen) return unmatched(notChosen, [receipt.id]);
  return creditWaiting(facts, receipt, price, linkedBy);
}

/** Decides about money for a receipt that waits for it, or has ended. */
function creditWaiting<R extends MatchableReceipt>(
  { transfer, rate, lateHours, isHeldOpen, reorganizations }: MatchFacts<R>,
  receipt: R,
  price: Price | null,
  linkedBy: LinkedBy,
): MatchDecision<R> | NeededFact {
  // The address of a receipt is unknown before the receipt exists.
  if (linkedBy !== 'address') {
    const isTooOld = isOlder(transfer.blockNumber, headAtCreation(receipt, transfer.chainId), reorganizations);
    if (isTooOld === undefined) return { kind: 'need', fact: 'reorganizations' };
    if (isTooOld) return unmatched('too_old');
  }
  const isPastEnd = timingOf(receipt, transfer.blockTimeMs, Number.POSITIVE_INFINITY) === 'late';
  if (isPastEnd && receipt.closedAt == null && isHeldOpen === undefined)
    return { kind: 'need', fact: 'isHeldOpen', receiptId: receipt.id };
  const waits = isPastEnd && receipt.closedAt == null && isHeldOpen === true;
  const timing = waits ? 'in_time' : timingOf(receipt, transfer.blockTimeMs, lateHours);
  if (timing === undefined) return { kind: 'need', fact: 'lateHours' };
  if (timing === 'over') return unmatched('late', [receipt.id]);
  const isLate = timing === 'late';
  const usdPerUnit = isLate ? rate : rateFor(price, transfer.blockTimeMs, rate);
  if (usdPerUnit === null) return unmatched('no_rate', [receipt.id]);
  return { kind: 'credit', receipt, usdPerUnit, linkedBy, isLate };
}

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
function claimedBy(hints: readonly Hint[]): string | null {
  const signed = hints.filter((hint) => hint.signed);
  return signed.length === 1 ? signed[0]!.receiptId : null;
}

/** The most receipts that hints may propose to the merchant for one transfer. */
const PROPOSED_MAX = 10;

/** The waiting receipts that hints name for a transfer. The merchant sees them first among its candidates. */
const proposedBy = (hints: readonly Hint[]): readonly string[] =>
  [...new Set(hints.filter(isWaiting).map(({ receiptId }) => receiptId))].slice(0, PROPOSED_MAX);

const HOUR_MS = 3_600_000;

/**
 * Whether money of a block counts for a receipt: `in_time`, `late` (after the end of the receipt, and still accepted),
 * or `over` (after that, or the receipt was voided). The rest of a payment is in time as long as late money is
 * accepted, because the receipt waits for it. Undefined if it depends on `lateHours` and that is unknown.
 *
 * @param lateHours for how long after the end the merchant accepts money
 */
function timingOf(
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

/** What was known of the chains when a receipt was created. */
export type CreatedAt = Partial<Pick<Receipt, 'createdBlock' | 'createdChainId' | 'createdHeads'>>;

/** Other blocks have replaced the ones above `fork`, up to `head`. */
export interface Reorganization {
  readonly fork: number;
  readonly head: number;
}

/** The head of a chain when the receipt was created; null if it was not known. */
export const headAtCreation = (
  { createdBlock = null, createdChainId = null, createdHeads = null }: CreatedAt,
  chainId: number,
): number | null => (createdChainId === chainId ? createdBlock : (createdHeads?.[chainId] ?? null));

/**
 * Whether a block is older than a head that was recorded earlier, by heights: the clocks of chains and servers may
 * differ. On another branch a later block may have a lower number than that head. So a head that may have been among
 * replaced blocks counts as the block below them. Undefined if that matters and the reorganizations are unknown.
 */
export function isOlder(
  block: number,
  head: number | null,
  reorganizations: readonly Reorganization[] | undefined,
): boolean | undefined {
  if (head === null || block >= head) return false;
  return reorganizations && block < lasting(head, reorganizations);
}

/** The newest block that a recorded head and every branch since then have in common. */
function lasting(head: number, reorganizations: readonly Reorganization[]): number {
  const replaced = reorganizations.filter((one) => one.fork < head && head <= one.head);
  if (replaced.length === 0) return head;
  return lasting(Math.min(...replaced.map(({ fork }) => fork)), reorganizations);
}
