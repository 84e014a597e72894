import type { Wallet } from '../../src/core/wallet.ts';
import type { Hint } from '../../src/payments/core/hint.ts';
import type { MatchFacts, NeededFact } from '../../src/payments/core/match.ts';
import type { CreditedTransfer, Link } from '../../src/payments/core/weigh.ts';
import type { TransferRow } from '../../src/payments/transfer-row.ts';
import type { QuoteRow } from '../../src/quotes/quote.entity.ts';
import { RECEIPT, type ReceiptStatus } from '../../src/receipts/lifecycle.ts';
import type { Change } from '../../src/receipts/record-change.ts';
import { type Clock, type Key, type NewHint, type NewReceipt, sameKey, type Terms, type View } from './payments.ts';

export const CHAIN_ID = 1;
export const PAY_TO = `0x${'2'.repeat(40)}` as Wallet;
export const MERCHANT = `0x${'3'.repeat(40)}` as Wallet;
export const TOKENS = [
  { symbol: 'USDC', address: `0x${'4'.repeat(40)}` as Wallet, decimals: 6 },
  { symbol: 'COIN', address: `0x${'5'.repeat(40)}` as Wallet, decimals: 6 },
];
const REOPENED_MS = 3_600_000;

export interface StoredReceipt extends NewReceipt {
  readonly origin: 'order';
  readonly refundedCents: 0;
  readonly createdChainId: number;
  status: ReceiptStatus;
  history: string[];
  expiresAt: number | null;
  closedAt: number | null;
  failureCode: string | null;
  acceptedUsd: string | null;
  buyerWallet: Wallet | null;
  transactionHash: `0x${string}` | null;
  transactionTimestamp: number | null;
}

export type StoredQuote = QuoteRow & { isOpen: boolean };

export interface StoredTransfer extends Partial<Omit<Link, 'receiptId' | 'quoteId'>> {
  row: TransferRow;
  isCanonical: boolean;
  meantFor: readonly string[];
}

/** Units of 10^-`decimals` as decimal text. */
export const textOf = (units: bigint, decimals = 6): string => {
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** What the memory holds of payments, and what is read of it. The decisions are made in `pure-core.ts`. */
export class CoreState {
  readonly terms: Terms;
  readonly clock: Clock;
  readonly receipts = new Map<string, StoredReceipt>();
  readonly quotes: StoredQuote[] = [];
  readonly hints: NewHint[] = [];
  readonly transfers: StoredTransfer[] = [];

  constructor(terms: Terms, clock: Clock) {
    this.terms = terms;
    this.clock = clock;
  }

  view(): View {
    return {
      receipts: [...this.receipts.values()].map(({ id, status, history }) => ({ id, status, history })),
      transfers: this.transfers.map(({ row, isCanonical, meantFor }) => ({
        ...{ blockHash: row.blockHash, transactionHash: row.transactionHash, logIndex: row.logIndex, isCanonical },
        ...{
          isConfirmed: row.confirmedAt !== null,
          receiptId: row.receiptId,
          quoteId: row.quoteId,
          reason: row.unmatchedReason,
          meantFor,
        },
        isMarked: row.refundMarkedAt !== null,
      })),
    };
  }

  find(key: Key): StoredTransfer | undefined {
    return this.transfers.find(({ row }) => sameKey(row, key));
  }

  linkedTo({ id }: StoredReceipt): StoredTransfer[] {
    return this.transfers.filter(({ isCanonical, row }) => isCanonical && row.receiptId === id);
  }

  credits(receipt: StoredReceipt): CreditedTransfer[] {
    return this.linkedTo(receipt)
      .sort(
        ({ row: a }, { row: b }) =>
          a.blockTimeMs - b.blockTimeMs || a.blockNumber - b.blockNumber || a.logIndex - b.logIndex,
      )
      .map(({ row, usd, exact, askedUsd }) => ({ ...row, usd: usd!, exact: exact!, askedUsd: askedUsd! }));
  }

  latestQuote(id: string, token: string): StoredQuote | null {
    const quotes = this.quotes.filter((quote) => quote.receiptId === id && quote.token === token);
    return quotes.reduce<StoredQuote | null>(
      (latest, one) => (latest && latest.createdAt > one.createdAt ? latest : one),
      null,
    );
  }

  rate({ token, blockTimeMs }: Pick<TransferRow, 'token' | 'blockTimeMs'>): string | null {
    const rate = token === 'USDC' ? 1_000_000n : this.terms.coinRate(blockTimeMs);
    return rate === null ? null : textOf(rate);
  }

  fact(row: TransferRow, needed: NeededFact): Partial<MatchFacts<StoredReceipt>> {
    switch (needed.fact) {
      case 'lost': {
        const lost = this.transfers.filter(
          ({ isCanonical, row: { transactionHash, receiptId, token, amount } }) =>
            !isCanonical &&
            receiptId !== null &&
            transactionHash === row.transactionHash &&
            token === row.token &&
            amount === row.amount,
        );
        const [first] = lost.sort(({ row: a }, { row: b }) => a.logIndex - b.logIndex);
        return { lost: first ? { ...first.row, ...(linkOf(first) as Link) } : null };
      }
      case 'reorganizations':
        return { reorganizations: [] };
      case 'bound':
        return { bound: null };
      case 'addressed':
        return { addressed: null };
      case 'addressedQuote':
        return { addressedQuote: null };
      case 'authorized':
        return { authorized: { receipt: null, quote: null } };
      case 'quoted': {
        const quote = this.quotes.find(({ token, amount }) => token === row.token && amount === row.amount);
        return { quoted: quote ? { quote, receipt: this.receipts.get(quote.receiptId)! } : null };
      }
      case 'notChosen':
        return { notChosen: null };
      case 'quotedElsewhere': {
        const alike = this.quotes.find(
          ({ token, amount, isOpen }) => isOpen && token === 'USDC' && amount === row.amount,
        );
        return { quotedElsewhere: alike ? [alike.receiptId] : [] };
      }
      case 'isHeldOpen':
        return { isHeldOpen: false };
      case 'lateHours':
        return { lateHours: this.terms.lateHours };
      case 'hints':
        return { hints: this.#hintsOf(row) };
      case 'hinted':
        return { hinted: this.receipts.get(needed.receiptId)! };
      case 'hintedQuote':
        return { hintedQuote: this.latestQuote(needed.receiptId, row.token) };
    }
  }

  /** One hint for each receipt: a repeated one adds its backing. */
  #hintsOf({ transactionHash, sender }: TransferRow): Hint[] {
    const hints = this.hints.filter((hint) => hint.transactionHash === transactionHash);
    return [...new Set(hints.map(({ receiptId }) => receiptId))].map((receiptId) => {
      const own = hints.filter((hint) => hint.receiptId === receiptId);
      const vouched = own.find((hint) => hint.vouched);
      return {
        ...{ receiptId, status: this.receipts.get(receiptId)!.status, vouched: vouched !== undefined },
        vouchedAmount: vouched?.vouchedAmount == null ? null : String(vouched.vouchedAmount),
        signed: own.some(({ signedBy }) => signedBy === sender),
      };
    });
  }

  link(transfer: StoredTransfer, { receiptId, quoteId, usd, askedUsd, exact, assignedBy }: Link): void {
    Object.assign(transfer, { usd, askedUsd, exact, assignedBy, meantFor: [] });
    transfer.row = { ...transfer.row, receiptId, quoteId, unmatchedReason: null, confirmedAt: null };
  }

  unlink(transfer: StoredTransfer, unmatchedReason: TransferRow['unmatchedReason'], quoteId: string | null): void {
    Object.assign(transfer, { usd: undefined, askedUsd: null, exact: false, meantFor: [] });
    transfer.row = { ...transfer.row, receiptId: null, quoteId, unmatchedReason };
  }

  /** What `recordChange` does to a receipt. */
  change(receipt: StoredReceipt, change: Change): void {
    if (change.kind !== 'status') {
      receipt.history.push(change.name);
      return;
    }
    const { status, expiresAt } = receipt;
    const { now } = this.clock;
    if (!RECEIPT.mayMove(status, change.to)) throw new Error(`A receipt cannot move from ${status} to ${change.to}`);
    receipt.status = change.to;
    receipt.history.push(change.to);
    if (change.to !== 'failed') receipt.failureCode = null;
    if (change.to === 'paid' || change.to === 'completed') receipt.closedAt ??= now;
    if (change.to === 'pending' ? status !== 'generated' : change.to === 'tx_mismatch' && status === 'tx_mined') {
      receipt.closedAt = null;
      if (expiresAt !== null && expiresAt <= now) receipt.expiresAt = now + REOPENED_MS;
    }
    if (change.to === 'tx_mined' || change.to === 'tx_mismatch') receipt.closedAt = null;
  }
}

export const inChain = ({ row: a }: StoredTransfer, { row: b }: StoredTransfer): number =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;

export const linkOf = ({ row: { receiptId, quoteId }, usd, askedUsd, exact, assignedBy }: StoredTransfer) => ({
  ...{ receiptId, quoteId, usd, askedUsd, exact, assignedBy },
});
