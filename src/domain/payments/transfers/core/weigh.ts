import Big from 'big.js';
import type { Token } from '../../../../base/chain/token.ts';
import { numberMemo } from '../../../../base/core/caches.ts';
import { isDust } from '../../../../base/core/dust.ts';
import { usdFromCents } from '../../../../base/core/money.ts';
import type { AcceptedDifference } from '../../../sales/receipts/accepted-note.ts';
import type { ReceiptStatus } from '../../../sales/receipts/lifecycle.ts';
import type { Change } from '../../../sales/receipts/record-change.ts';
import { worthOf } from '../../quotes/amounts.ts';
import type { QuoteRow } from '../../quotes/quote.entity.ts';
import type { LinkedBy, TransferRow } from './transfer-row.ts';

/** What a transfer counts for on its receipt. */
export interface Credit {
  /** Decimal text. */
  readonly usd: string;
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
  /** Decimal text; the amount received beyond the due amount, at least a cent. */
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

/** Less than this beyond the due amount is no surplus: quoted amounts are rounded up. US dollars, as decimal text. */
const LEAST_SURPLUS_USD = '0.01';

/**
 * Computes the balance of a receipt from its credits, in chain order; credits in all tokens add up. Dust counts as
 * nothing until further credits make it more. Credits cover the receipt with its total, or with less if the merchant
 * accepted what is missing. Refunded money is due again; without a credit, only the total is due.
 */
export function computeBalance(due: Due, all: readonly Credit[]): Balance {
  const credits = decisiveCredit(due, all) ? all : [];
  const creditedUsd = credits.reduce((sum, { usd }) => sum.plus(usd), new Big(0));
  const refundedUsd = credits.length > 0 ? usdFromCents(due.refundedCents) : 0;
  const over = creditedUsd.minus(refundedUsd).minus(usdFromCents(due.totalCents));
  const covered = credits.length > 0 && over.plus(due.acceptedUsd ?? 0).gte(0);
  return {
    covered,
    missingUsd: covered ? '0' : over.times(-1).toFixed(),
    surplusUsd: over.gte(LEAST_SURPLUS_USD) ? over.toFixed() : '0',
  };
}

/** The price of a token, and until when it holds. */
export type Price = Pick<QuoteRow, 'usdPerUnit' | 'expiresAt'>;

/** What a transfer counts for on a receipt. */
export interface Link {
  readonly receiptId: string;
  /** Decimal text. */
  readonly usd: string;
  readonly assignedBy: string | null;
}

/** How a transfer counts for a receipt. */
export interface CreditTerms {
  readonly token: Pick<Token, 'decimals'>;
  /** US dollars per whole token for this transfer, as decimal text. */
  readonly usdPerUnit: string;
  readonly linkedBy: LinkedBy;
  /** Whether the receipt had ended. */
  readonly isLate?: boolean;
  /** The admin who assigned the transfer, if it was not matched automatically. */
  readonly assignedBy?: string;
  /** Whether that admin stated the rate, because it is unknown. */
  readonly isRateStated?: boolean;
}

/** Whether a price held at the time of the block. */
const holds = ({ expiresAt }: Price, blockTimeMs: number): boolean => expiresAt === null || blockTimeMs <= expiresAt;

/** The rate that a transfer counts at: its quote's while the quote is valid, else the block's; null if unknown. */
export const rateFor = (price: Price | null, blockTimeMs: number, rate: string | null): string | null =>
  price !== null && holds(price, blockTimeMs) ? price.usdPerUnit : rate;

/** What a transfer counts for on a receipt. */
export const linkTo = (
  { id: receiptId }: { readonly id: string },
  { amount }: Pick<TransferRow, 'amount'>,
  { token: { decimals }, usdPerUnit, assignedBy }: Omit<CreditTerms, 'linkedBy'>,
): Link => ({
  receiptId,
  usd: worthOf(BigInt(amount), { decimals, usdPerUnit }).toFixed(),
  assignedBy: assignedBy ?? null,
});

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

/**
 * The blocks in which a sum rose that never falls, between two blocks, with the amount of each rise. The sum is known
 * at the last block. `readAt` reads it at a block, once for each, so that a node that changes its answer meanwhile does
 * not make the sum fall. A rise at or before `low` counts as one of `low`.
 *
 * @param counted the sum whose rises are known
 */
export async function findRises(
  readAt: (block: number) => Promise<bigint>,
  { low, high, counted, sum }: { low: number; high: number; counted: bigint; sum: bigint },
): Promise<{ readonly block: number; readonly amount: bigint }[]> {
  const rises = [];
  const sumAt = numberMemo(readAt);
  let [from, known] = [low, counted];
  while (known < sum) {
    const block = await firstAbove(sumAt, known, from, high);
    const total = block === high ? sum : await sumAt(block);
    rises.push({ block, amount: total - known });
    [from, known] = [block, total];
  }
  return rises;
}

/** The first block between two, at most the last one, at which the sum is above `known`. */
async function firstAbove(
  readAt: (block: number) => Promise<bigint>,
  known: bigint,
  from: number,
  to: number,
): Promise<number> {
  let [below, above] = [from - 1, to];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if ((await readAt(middle)) > known) above = middle;
    else below = middle;
  }
  return above;
}
