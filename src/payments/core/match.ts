import type { NotChosen } from '../../merchants/chosen-tokens.ts';
import { type Endable, isVoided } from '../../receipts/ended.ts';
import { isWaiting } from '../../receipts/lifecycle.ts';
import type { Receipt } from '../../receipts/receipt.entity.ts';
import type { UnmatchedReason } from '../transfer.entity.ts';
import type { TransferRow } from '../transfer-row.ts';
import { type CreatedAt, headAtCreation, isOlder, type Reorganization } from './age.ts';
import { chooseByHints, type Hint, proposedByHints } from './hint.ts';
import { type Holding, isCertain, isClaimed, mayBePaidFrom } from './holder.ts';
import { timingOf } from './late.ts';
import type { LinkedBy } from './linked-by.ts';
import { type Link, type PaidQuote, rateFor } from './weigh.ts';

/** A receipt as far as matching depends on it. */
export type MatchableReceipt = Pick<Receipt, 'id'> & Endable & CreatedAt;

/** A final payment that lost its block, with its link to a receipt. */
export type LostPayment = TransferRow & Link;

/** The quote with exactly the transfer's amount, and its receipt. */
interface Quoted<R extends MatchableReceipt> {
  readonly quote: PaidQuote & Holding;
  /** Null if it was deleted. */
  readonly receipt: R | null;
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
  /** The receipt that the server's own transaction was bound to before it was sent. */
  readonly bound?: R | null;
  /** The receipt of the authorization that the transfer carried out. Null or undefined if it carried out none. */
  readonly authorizedFor?: string | null;
  /** The receipt whose address received the transfer. */
  readonly addressed?: R | null;
  /** The last quote that was made of that receipt in this token, on this chain, before the transfer. */
  readonly addressedQuote?: PaidQuote | null;
  /** The receipt of the authorization, and its quote of the amount. */
  readonly authorized?: { readonly receipt: R | null; readonly quote: PaidQuote | null };
  readonly quoted?: Quoted<R> | null;
  /** Whether the merchant has chosen to be paid on this chain, and in this token there. Null if it has. */
  readonly notChosen?: NotChosen | null;
  /** Receipts with a quote of the same amount of the token on other chains, or of another token. */
  readonly quotedElsewhere?: readonly string[];
  /** For how many hours after the end of a receipt the merchant accepts money. */
  readonly lateHours?: number;
  /** Whether a receipt whose time is over was kept open, because money is on its way to it. */
  readonly isHeldOpen?: boolean;
  /** The hints that name the transaction, those with backing first. */
  readonly hints?: readonly Hint[];
  /** The receipt that the hints choose. */
  readonly hinted?: R | null;
  /** The latest quote of that receipt in this token at this address. */
  readonly hintedQuote?: PaidQuote | null;
}

/** A fact that the decision depends on. It is added to the facts, and the decision is made again. */
export type NeededFact =
  | {
      readonly kind: 'need';
      readonly fact:
        | 'reorganizations'
        | 'lost'
        | 'bound'
        | 'addressed'
        | 'quoted'
        | 'notChosen'
        | 'quotedElsewhere'
        | 'lateHours'
        | 'hints';
    }
  | {
      readonly kind: 'need';
      readonly fact: 'addressedQuote' | 'authorized' | 'hinted' | 'hintedQuote' | 'isHeldOpen';
      readonly receiptId: string;
    };

/** What to do with a transfer. */
export type MatchDecision<R extends MatchableReceipt> =
  | {
      readonly kind: 'credit';
      readonly receipt: R;
      /** US dollars per whole token, as decimal text. */
      readonly usdPerUnit: string;
      readonly quote: PaidQuote | null;
      readonly linkedBy: LinkedBy;
      /** Whether the receipt had ended. */
      readonly isLate: boolean;
    }
  | {
      readonly kind: 'unmatched';
      readonly reason: UnmatchedReason;
      /** The quote with the same amount, if there is one. */
      readonly quoteId: string | null;
      /** The receipts that it is known to be meant for. */
      readonly meantFor: readonly string[];
      /** The receipt whose buyer is asked whether the transfer is theirs; null if no one is. */
      readonly asks: string | null;
    }
  /** It is the payment that had lost its block, in another block. */
  | { readonly kind: 'relink'; readonly lost: LostPayment }
  /** Its block is on the chain again, and its link to the receipt was kept. */
  | { readonly kind: 'returned'; readonly receiptId: string }
  /** It is marked for refund and pays nothing. */
  | { readonly kind: 'ignore' };

/**
 * Decides what a transfer pays. Returns `need` if the decision depends on a fact that is missing, so that most
 * transfers need few of them. In this order:
 *
 * 1. A payment that lost its block stays the payment of its receipt.
 * 2. A transfer to a receipt's address is that receipt's, whatever its amount and sender; see `matchArrival`.
 *
 * A transfer to a split is matched by its amount, never by its sender, because exchanges and batchers pay too:
 *
 * 3. A transaction of the server pays the receipt that it was bound to, even if its amount equals another quote.
 * 4. A transfer that its sender has only signed pays the receipt that the signature was bound to before it was sent.
 * 5. The amount of a quote pays that quote's receipt. If another unpaid receipt has held the amount, time alone decides
 *    nothing; see `matchAmbiguous`.
 * 6. Any other amount pays the receipt that signed or vouched hints choose; see `chooseByHints`. On a chain or in a
 *    token that the merchant did not choose it does so only if the receipt was quoted there.
 *
 * A receipt that has ended takes money for some hours, at the rate of the block; see `timingOf`. One that time has not
 * ended, because money is on its way to it, takes it as in time.
 */
export function decideMatch<R extends MatchableReceipt>(facts: MatchFacts<R>): MatchDecision<R> | NeededFact {
  const { transfer, rate, splitCreatedBlock, reorganizations, lost, bound, authorizedFor, authorized, quoted } = facts;
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
  if (authorizedFor != null && authorized === undefined)
    return { kind: 'need', fact: 'authorized', receiptId: authorizedFor };
  if (authorizedFor != null && authorized?.receipt) return matchAuthorized(facts, authorized.receipt, authorized.quote);
  if (quoted === undefined) return { kind: 'need', fact: 'quoted' };
  if (quoted === null) return matchUnquoted(facts);
  return isCertain(quoted.quote) ? matchQuoted(facts, quoted) : matchAmbiguous(facts, quoted);
}

/**
 * Money at a receipt's address. Money that the receipt does not wait for stays at it, for its merchant to decide. A
 * token that the merchant did not choose counts only if the receipt was quoted in it.
 */
function matchArrival<R extends MatchableReceipt>(facts: MatchFacts<R>): MatchDecision<R> | NeededFact {
  const { transfer, addressed: receipt, addressedQuote: quote, notChosen } = facts;
  if (receipt === undefined) return { kind: 'need', fact: 'addressed' };
  const own = [transfer.addressOf!];
  if (receipt === null || !isWaiting(receipt)) return unmatched('duplicate', null, own);
  if (quote === undefined) return { kind: 'need', fact: 'addressedQuote', receiptId: receipt.id };
  if (quote === null && notChosen === undefined) return { kind: 'need', fact: 'notChosen' };
  if (quote === null && notChosen) return unmatched(notChosen, null, own);
  const decision = creditWaiting(facts, receipt, { quote, quoteId: null, linkedBy: 'address' });
  if (decision.kind === 'unmatched') return { ...decision, meantFor: own };
  // The quote is a price: any amount counts, and the total is due.
  return decision.kind === 'credit' ? { ...decision, quote: null } : decision;
}

/** The receipts that have held an amount unpaid, latest first; none if there is only one. */
const holdersOf = <R extends MatchableReceipt>({ quote, receipt }: Quoted<R>): readonly string[] =>
  quote.earlier.length === 0 || receipt === null ? quote.earlier : [receipt.id, ...quote.earlier];

/**
 * An amount that several receipts have held pays the one that its sender or a card provider names, else its present
 * holder if its buyer says so. Otherwise that buyer is asked.
 */
function matchAmbiguous<R extends MatchableReceipt>(
  facts: MatchFacts<R>,
  { quote, receipt }: Quoted<R>,
): MatchDecision<R> | NeededFact {
  const { transfer, hints } = facts;
  if (hints === undefined) return { kind: 'need', fact: 'hints' };
  const choice = chooseByHints(hints, transfer);
  if (choice !== null) {
    const decision = matchByHints(facts);
    return decision.kind === 'unmatched' ? { ...decision, quoteId: quote.id } : decision;
  }
  const { blockTimeMs } = transfer;
  if (receipt !== null && isClaimed(hints, quote, { receiptId: receipt.id, blockTimeMs }))
    return matchQuoted(facts, { quote, receipt });
  const mayBeHolders = blockTimeMs >= mayBePaidFrom(quote);
  const meantFor = mayBeHolders ? holdersOf({ quote, receipt }) : quote.earlier;
  const asks = mayBeHolders && receipt !== null && isWaiting(receipt) ? receipt.id : null;
  return { ...unmatched('ambiguous', quote.id, meantFor), asks };
}

const unmatched = (reason: UnmatchedReason, quoteId: string | null = null, meantFor: readonly string[] = []) =>
  ({ kind: 'unmatched', reason, quoteId, meantFor, asks: null }) as const;

function matchBound<R extends MatchableReceipt>(receipt: R, usdPerUnit: string): MatchDecision<R> {
  if (isVoided(receipt)) return unmatched('late', null, [receipt.id]);
  return isWaiting(receipt)
    ? { kind: 'credit', receipt, usdPerUnit, quote: null, linkedBy: 'server', isLate: false }
    : unmatched('duplicate');
}

function matchAuthorized<R extends MatchableReceipt>(
  facts: MatchFacts<R>,
  receipt: R,
  quote: PaidQuote | null,
): MatchDecision<R> | NeededFact {
  if (!isWaiting(receipt)) return unmatched('duplicate', quote?.id ?? null, [receipt.id]);
  return creditWaiting(facts, receipt, { quote, quoteId: quote?.id ?? null, linkedBy: 'authorization' });
}

function matchQuoted<R extends MatchableReceipt>(
  facts: MatchFacts<R>,
  { quote, receipt }: Quoted<R>,
): MatchDecision<R> | NeededFact {
  if (receipt === null) return unmatched('unknown_amount', quote.id);
  if (!isWaiting(receipt)) return unmatched('duplicate', quote.id, holdersOf({ quote, receipt }));
  return creditWaiting(facts, receipt, { quote, quoteId: quote.id, linkedBy: 'quote' });
}

/** An amount that no receipt was quoted. What stays unmatched names the receipts that were quoted it elsewhere. */
function matchUnquoted<R extends MatchableReceipt>(facts: MatchFacts<R>): MatchDecision<R> | NeededFact {
  const { notChosen, quotedElsewhere } = facts;
  if (notChosen === undefined) return { kind: 'need', fact: 'notChosen' };
  const decision = matchByHints(facts);
  const isCredit = decision.kind === 'credit';
  if (isCredit && (notChosen === null || decision.quote !== null)) return decision;
  if (!isCredit && (decision.kind !== 'unmatched' || decision.reason !== 'unknown_amount')) return decision;
  if (quotedElsewhere === undefined) return { kind: 'need', fact: 'quotedElsewhere' };
  const meantFor = isCredit ? [decision.receipt.id] : [...new Set([...decision.meantFor, ...quotedElsewhere])];
  return unmatched(notChosen ?? 'unknown_amount', null, meantFor);
}

function matchByHints<R extends MatchableReceipt>(facts: MatchFacts<R>): MatchDecision<R> | NeededFact {
  const { transfer, hints, hinted, hintedQuote } = facts;
  if (hints === undefined) return { kind: 'need', fact: 'hints' };
  const choice = chooseByHints(hints, transfer);
  const proposed = proposedByHints(hints);
  if (choice === null) return unmatched('unknown_amount', null, proposed);
  const { receiptId, linkedBy } = choice;
  if (hinted === undefined) return { kind: 'need', fact: 'hinted', receiptId };
  if (hinted === null || !isWaiting(hinted)) return unmatched('unknown_amount', null, proposed);
  if (hintedQuote === undefined) return { kind: 'need', fact: 'hintedQuote', receiptId };
  return creditWaiting(facts, hinted, { quote: hintedQuote, quoteId: null, linkedBy });
}

interface Linked {
  readonly quote: PaidQuote | null;
  /** The quote with exactly the transfer's amount. */
  readonly quoteId: string | null;
  readonly linkedBy: LinkedBy;
}

/** Decides about money for a receipt that waits for it, or has ended. */
function creditWaiting<R extends MatchableReceipt>(
  { transfer, rate, lateHours, isHeldOpen, reorganizations }: MatchFacts<R>,
  receipt: R,
  { quote, quoteId, linkedBy }: Linked,
): MatchDecision<R> | NeededFact {
  // The address of a receipt is unknown before the receipt exists.
  if (linkedBy !== 'address') {
    const isTooOld = isOlder(transfer.blockNumber, headAtCreation(receipt, transfer.chainId), reorganizations);
    if (isTooOld === undefined) return { kind: 'need', fact: 'reorganizations' };
    if (isTooOld) return unmatched('too_old', quoteId);
  }
  const isPastEnd = timingOf(receipt, transfer.blockTimeMs, Number.POSITIVE_INFINITY) === 'late';
  if (isPastEnd && receipt.closedAt == null && isHeldOpen === undefined)
    return { kind: 'need', fact: 'isHeldOpen', receiptId: receipt.id };
  const waits = isPastEnd && receipt.closedAt == null && isHeldOpen === true;
  const timing = waits ? 'in_time' : timingOf(receipt, transfer.blockTimeMs, lateHours);
  if (timing === undefined) return { kind: 'need', fact: 'lateHours' };
  if (timing === 'over') return unmatched('late', quoteId, [receipt.id]);
  const isLate = timing === 'late';
  const usdPerUnit = isLate ? rate : rateFor(quote, transfer.blockTimeMs, rate);
  if (usdPerUnit === null) return unmatched('no_rate', quoteId);
  return { kind: 'credit', receipt, usdPerUnit, quote, linkedBy, isLate };
}
