import Big from 'big.js';
import type { Token } from '../../chain/token.ts';
import { isDust } from '../../core/dust.ts';
import { usdFromCents } from '../../core/money.ts';
import { worthOf } from '../../quotes/amounts.ts';
import type { QuoteRow } from '../../quotes/quote.entity.ts';
import type { ReceiptStatus } from '../../receipts/lifecycle.ts';
import type { Change } from '../../receipts/record-change.ts';
import type { TransferRow } from '../transfer-row.ts';
import type { LinkedBy } from './linked-by.ts';

/** What a transfer counts for on its receipt. */
export interface Credit {
  /** Decimal text. */
  readonly usd: string;
  /** It has exactly the amount of a quote, for the amount missing at that time, and counts at its price. */
  readonly exact: boolean;
  /**
   * The value of the quote that it was matched to, including the tag, in dollars (decimal text). Null if there was no
   * quote or it counts at another price.
   */
  readonly askedUsd: string | null;
}

/** A transfer that counts for a receipt. */
export interface CreditedTransfer
  extends Credit,
    Pick<TransferRow, 'chainId' | 'transactionHash' | 'blockTimeMs' | 'sender' | 'token' | 'amount' | 'confirmedAt'> {}

/** The amounts of a receipt that its credits are compared with, in cents. */
export interface Due {
  readonly totalCents: number;
  /** Proven refunds. */
  readonly refundedCents: number;
  /** How much of the total may be missing, because the merchant accepted it; decimal text. */
  readonly acceptedUsd?: string | null;
}

/** The due and received amounts of a receipt, in US dollars. */
export interface Balance {
  readonly covered: boolean;
  /** Decimal text; `0` if covered. */
  readonly missingUsd: string;
  /** Decimal text; the amount received beyond the due amount, without tags. */
  readonly surplusUsd: string;
}

/**
 * The credit with which the credits of a receipt, in chain order, become more than dust. Its sender is the buyer.
 * Undefined as long as they are dust.
 */
export function decisiveCredit<C extends Pick<Credit, 'usd'>>(
  { totalCents }: Pick<Due, 'totalCents'>,
  credits: readonly C[],
): C | undefined {
  let receivedUsd = new Big(0);
  return credits.find(({ usd }) => {
    receivedUsd = receivedUsd.plus(usd);
    return !isDust(receivedUsd, totalCents);
  });
}

/**
 * The credit that names a receipt's transaction, time and buyer: the largest, of equal ones the first. Undefined as
 * long as the credits are dust: a stranger who sends dust is no buyer.
 */
export function largestCredit<C extends Pick<Credit, 'usd'>>(due: Due, credits: readonly C[]): C | undefined {
  if (!decisiveCredit(due, credits)) return undefined;
  return credits.reduce((largest, one) => (new Big(one.usd).gt(largest.usd) ? one : largest));
}

/**
 * Computes the balance of a receipt from its credits, in chain order; credits in all tokens add up. Dust counts as
 * nothing until further credits make it more. The due amount is the total. If the first credit that is more than dust
 * pays a quote for at least the total, the due amount is that quote's amount, to the last base unit. A quote for a
 * remainder is below the total, so it never reduces the due amount. An exact payment only waives the tag of a quote:
 * credits below the total never cover a receipt, regardless of which of them a reorganisation removes, unless the
 * merchant accepted what is missing of the total. Refunded money is due again, to the last base unit; without a credit,
 * only the total is due.
 */
export function computeBalance(due: Due, all: readonly Credit[]): Balance {
  const { totalCents, refundedCents, acceptedUsd } = due;
  const decisive = decisiveCredit(due, all);
  const credits = decisive ? all : [];
  const totalUsd = new Big(usdFromCents(totalCents));
  const quotedUsd = new Big(decisive?.askedUsd ?? 0);
  const askedUsd = quotedUsd.gt(totalUsd) ? quotedUsd : totalUsd;
  const creditedUsd = credits.reduce((sum, { usd }) => sum.plus(usd), new Big(0));
  const refundedUsd = credits.length > 0 ? usdFromCents(refundedCents) : 0;
  const over = creditedUsd.minus(refundedUsd).minus(askedUsd);
  const exact = credits.some((credit) => credit.exact);
  const isExcused = exact && refundedCents === 0 && creditedUsd.gte(totalUsd);
  const isAccepted = acceptedUsd != null && creditedUsd.minus(refundedUsd).plus(acceptedUsd).gte(totalUsd);
  const covered = credits.length > 0 && (isExcused || isAccepted || over.gte(0));
  // An exact remainder exceeds the sum by its own tag, which is less than a cent and not a surplus.
  const surplus = over.gt(0) && !(exact && over.lt('0.01'));
  return {
    covered,
    missingUsd: covered ? '0' : over.times(-1).toFixed(),
    surplusUsd: surplus ? over.toFixed() : '0',
  };
}

/** The quote that a transfer pays. */
export type PaidQuote = Pick<QuoteRow, 'id' | 'amount' | 'usd' | 'usdPerUnit' | 'expiresAt'>;

/** What a transfer counts for on a receipt. */
export interface Link {
  readonly receiptId: string;
  readonly quoteId: string | null;
  /** Decimal text. */
  readonly usd: string;
  /** Decimal text; null if no quote was valid. */
  readonly askedUsd: string | null;
  readonly exact: boolean;
  readonly assignedBy: string | null;
}

/** How a transfer counts for a receipt. */
export interface CreditTerms {
  readonly token: Pick<Token, 'decimals'>;
  /** US dollars per whole token for this transfer, as decimal text. */
  readonly usdPerUnit: string;
  /** The quote that it pays, if there is one. */
  readonly quote: PaidQuote | null;
  readonly linkedBy: LinkedBy;
  /** Whether the receipt had ended. */
  readonly isLate?: boolean;
  /** The admin who assigned the transfer, if it was not matched automatically. */
  readonly assignedBy?: string;
  /** Whether that admin stated the rate, because it is unknown. */
  readonly isRateStated?: boolean;
}

/** Whether a quote was valid at the time of the block. */
const holds = ({ expiresAt }: Pick<PaidQuote, 'expiresAt'>, blockTimeMs: number): boolean =>
  expiresAt === null || blockTimeMs <= expiresAt;

/** The rate that a transfer counts at: its quote's while the quote is valid, else the block's; null if unknown. */
export const rateFor = (quote: PaidQuote | null, blockTimeMs: number, rate: string | null): string | null =>
  quote !== null && holds(quote, blockTimeMs) ? quote.usdPerUnit : rate;

/**
 * What a transfer counts for on a receipt. A quote counts at its own rate, also after its end if the rate is the same.
 * One for more than the total is of an earlier, higher price, and its amount is not due any more.
 */
export function linkTo(
  receipt: Pick<Due, 'totalCents'> & { readonly id: string },
  transfer: Pick<TransferRow, 'amount'>,
  { token, usdPerUnit, quote, assignedBy }: Omit<CreditTerms, 'linkedBy'>,
): Link {
  const held = quote !== null && new Big(usdPerUnit).eq(quote.usdPerUnit);
  const isCurrent = held && new Big(quote.usd).lte(usdFromCents(receipt.totalCents));
  const value = (amount: string, rate: string) =>
    worthOf(BigInt(amount), { decimals: token.decimals, usdPerUnit: rate }).toFixed();
  return {
    receiptId: receipt.id,
    quoteId: quote?.id ?? null,
    usd: value(transfer.amount, usdPerUnit),
    askedUsd: isCurrent ? value(quote.amount, quote.usdPerUnit) : null,
    exact: held && quote.amount === transfer.amount,
    assignedBy: assignedBy ?? null,
  };
}

/** The sum of a receipt's payments in one token, in base units. */
interface PaidSum {
  readonly paidToken: string;
  readonly paidAmount: string;
}

/** What follows for a receipt from its credits. */
export interface Weighed {
  /** Null if it stays as it is, because only dust has arrived. */
  readonly to: Extract<ReceiptStatus, 'tx_mined' | 'tx_mismatch'> | null;
  readonly balance: Balance;
  /** The payment in the token and on the chain of the last transfer; null if something is missing. */
  readonly paid: PaidSum | null;
}

/**
 * Weighs all credits of a receipt, in order of time, after a transfer was added: sufficient credits are a
 * payment (`tx_mined`), insufficient ones a mismatch, and dust is nothing.
 */
export function weigh(
  due: Due,
  credits: readonly CreditedTransfer[],
  { token, chainId }: Pick<TransferRow, 'token' | 'chainId'>,
): Weighed {
  const balance = computeBalance(due, credits);
  if (!balance.covered) return { to: decisiveCredit(due, credits) ? 'tx_mismatch' : null, balance, paid: null };
  const alike = credits.filter((credit) => credit.token === token && credit.chainId === chainId);
  const amounts = alike.map(({ amount }) => BigInt(amount));
  const paidAmount = String(amounts.reduce((sum, amount) => sum + amount, 0n));
  return { to: 'tx_mined', balance, paid: { paidToken: token, paidAmount } };
}

/**
 * The changes that move a receipt to a status that the chain shows. A payment without a quote also starts the payment,
 * so `pending` is recorded first. A receipt that has the status already gets a note.
 */
export function changesTo(from: ReceiptStatus, to: ReceiptStatus): readonly Change[] {
  const start: Change[] = from === 'generated' ? [{ kind: 'status', to: 'pending' }] : [];
  return [...start, from === to ? { kind: 'note', name: `${to}_again` } : { kind: 'status', to }];
}
