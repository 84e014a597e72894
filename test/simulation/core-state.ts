import type { Wallet } from '../../src/base/core/wallet.ts';
import { CLOCK_TOLERANCE_MS } from '../../src/domain/payments/quotes/hold.ts';
import type { Hint, MatchFacts, NeededFact } from '../../src/domain/payments/transfers/core/match.ts';
import type { TransferRow } from '../../src/domain/payments/transfers/core/transfer-row.ts';
import { type CreditedTransfer, computeBalance, type Link } from '../../src/domain/payments/transfers/core/weigh.ts';
import { RECEIPT, type ReceiptStatus } from '../../src/domain/sales/receipts/lifecycle.ts';
import type { Change } from '../../src/domain/sales/receipts/record-change.ts';
import { whyNotChosen } from '../../src/domain/shop/merchants/chosen-tokens.ts';
import {
  type Clock,
  isCollected,
  type Key,
  keyOf,
  type NewAddress,
  type NewHint,
  type NewQuote,
  type NewReceipt,
  type SeenTransfer,
  sameKey,
  type Terms,
  textOf,
  type View,
} from './payments.ts';

const REOPENED_MS = 3_600_000;

/** Parties stand for wallets as they are. */
export const walletOf = (party: string) => party as Wallet;
export const MERCHANT = walletOf('merchant');
export const TOKENS = ['USDC', 'COIN'].map((symbol) => ({ symbol, address: walletOf(symbol), decimals: 6 }));

export interface StoredReceipt extends NewReceipt {
  readonly origin: 'order';
  readonly refundedCents: 0;
  status: ReceiptStatus;
  history: string[];
  expiresAt: number | null;
  closedAt: number | null;
  failureCode: string | null;
  acceptedUsd: string | null;
  buyerWallet: Wallet | null;
  transactionHash: `0x${string}` | null;
  transactionTimestamp: number | null;
  paymentChainId: number | null;
}

export interface StoredTransfer {
  readonly seen: SeenTransfer;
  row: TransferRow;
  usd: string | null;
  isCanonical: boolean;
  meantFor: readonly string[];
}

/** What the memory holds of payments, and what is read of it. The decisions are made in `pure-core.ts`. */
export class CoreState {
  readonly terms: Terms;
  readonly clock: Clock;
  readonly receipts = new Map<string, StoredReceipt>();
  readonly addresses = new Map<string, NewAddress>();
  readonly quotes: NewQuote[] = [];
  readonly hints: NewHint[] = [];
  readonly transfers: StoredTransfer[] = [];

  constructor(terms: Terms, clock: Clock) {
    this.terms = terms;
    this.clock = clock;
  }

  view(): View {
    const onChain = this.transfers.filter(({ isCanonical }) => isCanonical).map(({ seen }) => seen);
    return {
      receipts: [...this.receipts.values()].map((receipt) => {
        const { missingUsd, surplusUsd } = computeBalance(receipt, this.credits(receipt));
        return {
          ...{ id: receipt.id, status: receipt.status, history: receipt.history },
          ...{ missing: missingUsd, surplus: surplusUsd, buyer: receipt.buyerWallet },
          ...{ hash: receipt.transactionHash, chainId: receipt.paymentChainId },
        };
      }),
      transfers: this.transfers.map(({ seen, row, isCanonical, meantFor }) => ({
        ...keyOf(row),
        ...{ isCanonical, isConfirmed: row.confirmedAt !== null },
        isCollected: isCanonical && row.split !== null ? isCollected(seen, onChain) : null,
        ...{ receiptId: row.receiptId, reason: row.unmatchedReason, meantFor, isMarked: row.refundMarkedAt !== null },
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
    const linked = this.linkedTo(receipt).sort(inTime);
    return linked.map(({ row, usd }) => ({ ...row, usd: usd! }));
  }

  /** Other money that was meant for a receipt, as `payments/reorg.ts` reads it. */
  duplicatesOf({ id }: StoredReceipt): StoredTransfer[] {
    const open = this.transfers.filter(({ isCanonical, row }) => isCanonical && row.receiptId === null).sort(inTime);
    const own = this.quotes.filter(({ receiptId }) => receiptId === id);
    return [
      ...open.filter(({ row }) => row.split !== null && row.addressOf === id),
      ...open.filter(({ seen, row }) => row.split === null && own.some((quote) => isAt(quote, seen.to, seen))),
    ];
  }

  /** The receipt whose address received a transfer, or has sent it to its split. */
  placeOf({ from, to }: SeenTransfer): Pick<TransferRow, 'addressOf' | 'split'> {
    const receiver = this.addresses.get(to);
    if (receiver) return { addressOf: receiver.receiptId, split: walletOf(receiver.split) };
    const sender = this.addresses.get(from);
    return { addressOf: sender?.split === to ? sender.receiptId : null, split: null };
  }

  priceOf(receiptId: string, { chainId, token, blockTimeMs }: TransferRow) {
    const quotes = this.quotes
      .filter((quote) => quote.receiptId === receiptId && quote.chainId === chainId && quote.token === token)
      .sort((a, b) => a.createdAt - b.createdAt);
    const before = quotes.findLast(({ createdAt }) => createdAt <= blockTimeMs + CLOCK_TOLERANCE_MS);
    const quote = before ?? quotes[0];
    return quote ? { usdPerUnit: textOf(quote.rate), expiresAt: quote.expiresAt } : null;
  }

  rate({ token, blockTimeMs }: Pick<TransferRow, 'token' | 'blockTimeMs'>): string | null {
    const rate = token === 'USDC' ? 1_000_000n : this.terms.coinRate(blockTimeMs);
    return rate === null ? null : textOf(rate);
  }

  fact({ row, seen }: StoredTransfer, needed: NeededFact): Partial<MatchFacts<StoredReceipt>> {
    switch (needed.fact) {
      case 'lost':
        return { lost: this.#lost(row) };
      case 'reorganizations':
        return { reorganizations: [] };
      case 'bound':
        return { bound: null };
      case 'addressed':
        return { addressed: this.receipts.get(row.addressOf!)! };
      case 'asked': {
        const quote = this.quotes.find((one) => isAt(one, seen.to, seen));
        const vouched = this.#hintsOf(row).filter(({ isVouched }) => isVouched);
        const [id, ...others] = quote ? [quote.receiptId, ...quote.earlier] : vouched.map((one) => one.receiptId);
        if (id === undefined || others.length > 0) return { asked: null };
        return { asked: { receipt: this.receipts.get(id)!, price: this.priceOf(id, row) } };
      }
      case 'notChosen':
        return { notChosen: whyNotChosen(this.terms.chosen, row) };
      case 'isHeldOpen':
        return { isHeldOpen: false };
      case 'lateHours':
        return { lateHours: this.terms.lateHours };
      case 'hints':
        return { hints: this.#hintsOf(row) };
      case 'claimed':
        return { claimed: this.receipts.get(needed.receiptId)! };
      case 'price':
        return { price: this.priceOf(needed.receiptId, row) };
    }
  }

  #lost({ chainId, transactionHash, payTo, token, amount }: TransferRow): (TransferRow & Link) | null {
    const alike = { chainId, transactionHash, payTo, token, amount };
    const isAlike = ({ isCanonical, row }: StoredTransfer) =>
      !isCanonical &&
      row.receiptId !== null &&
      Object.entries(alike).every(([name, value]) => row[name as keyof typeof alike] === value);
    const [first] = this.transfers.filter(isAlike).sort(({ row: a }, { row: b }) => a.logIndex - b.logIndex);
    return first ? { ...first.row, ...linkOf(first) } : null;
  }

  /** One hint for each receipt, signed ones first: a repeated one adds its backing. */
  #hintsOf({ chainId, transactionHash, sender }: TransferRow): (Hint & { readonly isVouched: boolean })[] {
    const hints = this.hints.filter((hint) => hint.chainId === chainId && hint.transactionHash === transactionHash);
    const found = [...new Set(hints.map(({ receiptId }) => receiptId))].sort().map((receiptId) => {
      const own = hints.filter((hint) => hint.receiptId === receiptId);
      const [isVouched, signed] = [own.some(({ vouched }) => vouched), own.some(({ signedBy }) => signedBy === sender)];
      return { receiptId, status: this.receipts.get(receiptId)!.status, isVouched, signed };
    });
    return found.sort((a, b) => Number(b.signed) - Number(a.signed));
  }

  link(transfer: StoredTransfer, { receiptId, usd }: Link): void {
    Object.assign(transfer, { usd, meantFor: [] });
    transfer.row = { ...transfer.row, receiptId, unmatchedReason: null, confirmedAt: null };
  }

  unlink(transfer: StoredTransfer, unmatchedReason: TransferRow['unmatchedReason']): void {
    Object.assign(transfer, { usd: null, meantFor: [] });
    transfer.row = { ...transfer.row, receiptId: null, unmatchedReason };
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

/** Whether a quote has this amount at this place. */
export const isAt = (
  quote: NewQuote,
  payTo: string,
  { chainId, token, amount }: Pick<NewQuote, 'chainId' | 'token' | 'amount'>,
): boolean => quote.payTo === payTo && quote.chainId === chainId && quote.token === token && quote.amount === amount;

export const inChain = ({ row: a }: StoredTransfer, { row: b }: StoredTransfer): number =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;

const inTime = (a: StoredTransfer, b: StoredTransfer): number => a.row.blockTimeMs - b.row.blockTimeMs || inChain(a, b);

/** The link of a transfer that pays a receipt. */
export const linkOf = ({ row, usd }: StoredTransfer): Link => ({
  ...{ receiptId: row.receiptId!, usd: usd!, assignedBy: null },
});
