import type { Wallet } from '../../src/core/wallet.ts';
import { awaitsConfirmations, isDeepEnough, paidBalance } from '../../src/payments/core/confirm.ts';
import type { Hint } from '../../src/payments/core/hint.ts';
import { judgeAttempt } from '../../src/payments/core/intent.ts';
import { decideMatch, type MatchDecision, type MatchFacts, type NeededFact } from '../../src/payments/core/match.ts';
import { decideReversal, fallBack } from '../../src/payments/core/reverse.ts';
import { differenceOf, isTolerated, mayBeTolerated } from '../../src/payments/core/tolerance.ts';
import type { Link } from '../../src/payments/core/weigh.ts';
import {
  type CreditedTransfer,
  type CreditTerms,
  changesTo,
  computeBalance,
  linkTo,
  rateFor,
  weigh,
} from '../../src/payments/core/weigh.ts';
import type { TransferRow } from '../../src/payments/transfer-row.ts';
import type { QuoteRow } from '../../src/quotes/quote.entity.ts';
import { EXPIRABLE, EXPIRED, hasEnded, VOIDED } from '../../src/receipts/ended.ts';
import { isWaiting, RECEIPT, type ReceiptStatus } from '../../src/receipts/lifecycle.ts';
import type { Change } from '../../src/receipts/record-change.ts';
import {
  type Clock,
  type Key,
  type NewHint,
  type NewQuote,
  type NewReceipt,
  type Payments,
  type Recorded,
  type SeenTransfer,
  sameKey,
  type Terms,
  type View,
} from './payments.ts';

const CHAIN_ID = 1;
const PAY_TO = `0x${'2'.repeat(40)}` as Wallet;
const MERCHANT = `0x${'3'.repeat(40)}` as Wallet;
const TOKENS = [
  { symbol: 'USDC', address: `0x${'4'.repeat(40)}` as Wallet, decimals: 6 },
  { symbol: 'COIN', address: `0x${'5'.repeat(40)}` as Wallet, decimals: 6 },
];
const REOPENED_MS = 3_600_000;

interface StoredReceipt extends NewReceipt {
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
}

type StoredQuote = QuoteRow & { isOpen: boolean };

interface StoredTransfer extends Partial<Omit<Link, 'receiptId' | 'quoteId'>> {
  row: TransferRow;
  isCanonical: boolean;
  meantFor: readonly string[];
}

/** Units of 10^-`decimals` as decimal text. */
export const textOf = (units: bigint, decimals = 6): string => {
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** Carries payments out in memory: every decision is one of the pure functions of `payments/core`. */
export class PureCore implements Payments {
  readonly #terms: Terms;
  readonly #clock: Clock;
  readonly #receipts = new Map<string, StoredReceipt>();
  readonly #quotes: StoredQuote[] = [];
  readonly #hints: NewHint[] = [];
  readonly #transfers: StoredTransfer[] = [];

  constructor(terms: Terms, clock: Clock) {
    this.#terms = terms;
    this.#clock = clock;
  }

  addReceipt(receipt: NewReceipt): void {
    this.#receipts.set(receipt.id, {
      ...receipt,
      ...{ origin: 'order', refundedCents: 0, createdChainId: CHAIN_ID, status: 'generated', history: ['generated'] },
      ...{ closedAt: null, failureCode: null, acceptedUsd: null, buyerWallet: null },
    });
  }

  addQuote({ receiptId, token, amount, due, rate, ...quote }: NewQuote): void {
    const place = this.#quotes.findIndex((one) => one.token === token && one.amount === String(amount));
    if (place >= 0) this.#quotes.splice(place, 1);
    this.#quotes.push({
      ...{
        ...quote,
        merchant: MERCHANT,
        receiptId,
        chainId: CHAIN_ID,
        payTo: PAY_TO,
        token,
        usd: textOf(due, 12),
        isOpen: true,
      },
      ...{ amount: String(amount), usdPerUnit: textOf(rate), seenAt: quote.createdAt, earlier: [...quote.earlier] },
    });
    const receipt = this.#receipts.get(receiptId)!;
    if (receipt.status === 'generated') this.#change(receipt, { kind: 'status', to: 'pending' });
  }

  record(seen: SeenTransfer): Recorded {
    let transfer = this.#find(seen);
    if (transfer?.isCanonical) return 'known';
    const isTwin = ({ isCanonical, row }: StoredTransfer) =>
      isCanonical && row.transactionHash === seen.transactionHash && row.logIndex === seen.logIndex;
    if (this.#transfers.some(isTwin)) return 'conflict';
    if (transfer) {
      transfer.isCanonical = true;
      transfer.row = { ...transfer.row, confirmedAt: null };
    } else {
      const { blockTimeMs } = seen;
      const row: TransferRow = {
        ...{ ...seen, chainId: CHAIN_ID, payTo: PAY_TO, merchant: MERCHANT, amount: String(seen.amount) },
        ...{ confirmedAt: null, receiptId: null, quoteId: null, unmatchedReason: null, refundMarkedAt: null },
        seenAt: blockTimeMs,
      };
      transfer = { row, isCanonical: true, meantFor: [] };
      this.#transfers.push(transfer);
    }
    this.#match(transfer, 0);
    return 'stored';
  }

  hint(hint: NewHint): void {
    if (!isWaiting(this.#receipts.get(hint.receiptId)!)) return;
    this.#hints.push(hint);
  }

  followHint(transactionHash: `0x${string}`): void {
    for (const transfer of [...this.#transfers].sort((a, b) => a.row.logIndex - b.row.logIndex)) {
      const { unmatchedReason, receiptId } = transfer.row;
      const isOpen = unmatchedReason === 'unknown_amount' || unmatchedReason === 'ambiguous';
      if (transfer.isCanonical && transfer.row.transactionHash === transactionHash && receiptId === null && isOpen)
        this.#match(transfer, null);
    }
  }

  confirm(upTo: number, head: number): void {
    const blocks = { head, tagged: { safe: null, finalized: null } };
    const waiting = this.#transfers
      .filter(({ isCanonical, row }) => isCanonical && row.confirmedAt === null && row.blockNumber <= upTo)
      .sort(({ row: a }, { row: b }) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
    for (const transfer of waiting) {
      if (!isDeepEnough(transfer.row.blockNumber, this.#terms.depth, blocks)) continue;
      transfer.row = { ...transfer.row, confirmedAt: this.#clock.now };
      const receipt = this.#receipts.get(transfer.row.receiptId ?? '');
      if (!receipt || !awaitsConfirmations(receipt) || paidBalance(receipt, this.#credits(receipt)) === null) continue;
      this.#change(receipt, { kind: 'status', to: 'paid' });
      for (const quote of this.#quotes) if (quote.receiptId === receipt.id) quote.isOpen = false;
    }
  }

  revert(key: Key): void {
    const transfer = this.#find(key);
    if (!transfer?.isCanonical) return;
    transfer.isCanonical = false;
    const receipt = this.#receipts.get(transfer.row.receiptId ?? '');
    if (!receipt) return;
    if (decideReversal(receipt, transfer.row).isKept) {
      this.#change(receipt, { kind: 'note', name: 'payment_lost' });
      return;
    }
    this.#unlink(transfer, null, null);
    const fallback = fallBack(receipt, this.#credits(receipt));
    if (fallback) {
      Object.assign(receipt, fallback.fields);
      if (fallback.balance.covered)
        for (const one of this.#linkedTo(receipt)) one.row = { ...one.row, confirmedAt: null };
      this.#change(receipt, fallback.change);
    }
    const duplicates = this.#transfers.filter(
      ({ isCanonical, row }) =>
        isCanonical &&
        row.receiptId === null &&
        this.#quotes.some(({ id, receiptId }) => id === row.quoteId && receiptId === receipt.id),
    );
    for (const duplicate of duplicates.sort(inChain)) this.#match(duplicate, null);
  }

  expire(): void {
    for (const receipt of this.#receipts.values()) {
      const { closedAt, expiresAt, status } = receipt;
      if (closedAt === null && expiresAt !== null && expiresAt <= this.#clock.now && EXPIRABLE.includes(status))
        this.#end(receipt, EXPIRED);
    }
  }

  void(receiptId: string): void {
    const receipt = this.#receipts.get(receiptId)!;
    const isEnded = receipt.closedAt !== null && receipt.status === 'failed';
    if (isEnded ? receipt.failureCode !== VOIDED : isWaiting(receipt)) this.#end(receipt, VOIDED);
  }

  fail(receiptId: string): void {
    const receipt = this.#receipts.get(receiptId)!;
    const quote = this.#quotes.find((one) => one.receiptId === receiptId);
    if (!quote || !isWaiting(receipt) || hasEnded(receipt, this.#clock.now)) return;
    const intent = { contract: TOKENS.find(({ symbol }) => symbol === quote.token)!.address, to: PAY_TO, value: 1n };
    const decision = judgeAttempt({ receipt, outcome: 'reverted', intent, quotes: [quote], tokens: TOKENS });
    if (decision?.to !== 'failed') return;
    receipt.failureCode = decision.failureCode;
    for (const change of changesTo(receipt.status, 'failed')) this.#change(receipt, change);
  }

  complete(receiptId: string): void {
    const receipt = this.#receipts.get(receiptId)!;
    if (receipt.status === 'paid') this.#change(receipt, { kind: 'status', to: 'completed' });
  }

  assign(key: Key, receiptId: string): void {
    const transfer = this.#find(key);
    const receipt = this.#receipts.get(receiptId)!;
    if (!transfer?.isCanonical || transfer.row.receiptId !== null || transfer.row.refundMarkedAt !== null) return;
    const { row } = transfer;
    const quote = this.#latestQuote(receiptId, row.token);
    const usdPerUnit = rateFor(quote, row.blockTimeMs, null) ?? this.#rate(row);
    if (!isWaiting(receipt) || usdPerUnit === null) return;
    this.#credit(transfer, receipt, { token: { decimals: 6 }, usdPerUnit, quote, linkedBy: 'assignment' });
  }

  mark(key: Key, isMarked: boolean): void {
    const transfer = this.#find(key);
    if (!transfer?.isCanonical || transfer.row.receiptId !== null) return;
    if (isMarked && transfer.row.confirmedAt === null) return;
    transfer.row = { ...transfer.row, refundMarkedAt: isMarked ? 1 : null };
  }

  view(): View {
    return {
      receipts: [...this.#receipts.values()].map(({ id, status, history }) => ({ id, status, history })),
      transfers: this.#transfers.map(({ row, isCanonical, meantFor }) => ({
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

  #find(key: Key): StoredTransfer | undefined {
    return this.#transfers.find(({ row }) => sameKey(row, key));
  }

  #linkedTo({ id }: StoredReceipt): StoredTransfer[] {
    return this.#transfers.filter(({ isCanonical, row }) => isCanonical && row.receiptId === id);
  }

  #credits(receipt: StoredReceipt): CreditedTransfer[] {
    return this.#linkedTo(receipt)
      .sort(
        ({ row: a }, { row: b }) =>
          a.blockTimeMs - b.blockTimeMs || a.blockNumber - b.blockNumber || a.logIndex - b.logIndex,
      )
      .map(({ row, usd, exact, askedUsd }) => ({ ...row, usd: usd!, exact: exact!, askedUsd: askedUsd! }));
  }

  #latestQuote(id: string, token: string): StoredQuote | null {
    const quotes = this.#quotes.filter((quote) => quote.receiptId === id && quote.token === token);
    return quotes.reduce<StoredQuote | null>(
      (latest, one) => (latest && latest.createdAt > one.createdAt ? latest : one),
      null,
    );
  }

  #rate({ token, blockTimeMs }: Pick<TransferRow, 'token' | 'blockTimeMs'>): string | null {
    const rate = token === 'USDC' ? 1_000_000n : this.#terms.coinRate(blockTimeMs);
    return rate === null ? null : textOf(rate);
  }

  #match(transfer: StoredTransfer, splitCreatedBlock: number | null): void {
    const { row } = transfer;
    let facts: MatchFacts<StoredReceipt> = {
      transfer: row,
      rate: this.#rate(row),
      splitCreatedBlock,
      authorizedFor: null,
    };
    let decision = decideMatch(facts);
    while (decision.kind === 'need') {
      facts = { ...facts, ...this.#fact(row, decision) };
      decision = decideMatch(facts);
    }
    this.#carryOut(transfer, decision);
  }

  #fact(row: TransferRow, needed: NeededFact): Partial<MatchFacts<StoredReceipt>> {
    switch (needed.fact) {
      case 'lost': {
        const lost = this.#transfers.filter(
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
      case 'bound':
        return { bound: null };
      case 'authorized':
        return { authorized: { receipt: null, quote: null } };
      case 'quoted': {
        const quote = this.#quotes.find(({ token, amount }) => token === row.token && amount === row.amount);
        return { quoted: quote ? { quote, receipt: this.#receipts.get(quote.receiptId)! } : null };
      }
      case 'notChosen':
        return { notChosen: null };
      case 'quotedElsewhere': {
        const alike = this.#quotes.find(
          ({ token, amount, isOpen }) => isOpen && token === 'USDC' && amount === row.amount,
        );
        return { quotedElsewhere: alike ? [alike.receiptId] : [] };
      }
      case 'lateHours':
        return { lateHours: this.#terms.lateHours };
      case 'hints':
        return { hints: this.#hintsOf(row) };
      case 'isSole':
        return { isSole: this.#isSole(row, needed) };
      case 'hinted':
        return { hinted: this.#receipts.get(needed.receiptId)! };
      case 'hintedQuote':
        return { hintedQuote: this.#latestQuote(needed.receiptId, row.token) };
    }
  }

  /** One hint for each receipt: a repeated one adds its backing. */
  #hintsOf({ transactionHash, sender }: TransferRow): Hint[] {
    const hints = this.#hints.filter((hint) => hint.transactionHash === transactionHash);
    return [...new Set(hints.map(({ receiptId }) => receiptId))].map((receiptId) => {
      const own = hints.filter((hint) => hint.receiptId === receiptId);
      const vouched = own.find((hint) => hint.vouched);
      return {
        ...{ receiptId, status: this.#receipts.get(receiptId)!.status, vouched: vouched !== undefined },
        vouchedAmount: vouched?.vouchedAmount == null ? null : String(vouched.vouchedAmount),
        signed: own.some(({ signedBy }) => signedBy === sender),
      };
    });
  }

  #isSole({ token }: TransferRow, { receiptId, endedBefore }: { receiptId: string; endedBefore: number }): boolean {
    const waits = ({ status, closedAt, expiresAt }: StoredReceipt) =>
      isWaiting({ status }) && (closedAt === null || Math.min(closedAt, expiresAt ?? closedAt) >= endedBefore);
    return (
      this.#quotes.some((quote) => quote.receiptId === receiptId && quote.token === token && quote.isOpen) &&
      !this.#quotes.some(
        (quote) => quote.receiptId !== receiptId && quote.isOpen && waits(this.#receipts.get(quote.receiptId)!),
      )
    );
  }

  #carryOut(transfer: StoredTransfer, decision: MatchDecision<StoredReceipt>): void {
    const noteBack = (id: string) => this.#change(this.#receipts.get(id)!, { kind: 'note', name: 'payment_back' });
    switch (decision.kind) {
      case 'credit':
        this.#credit(transfer, decision.receipt, { ...decision, token: { decimals: 6 } });
        break;
      case 'unmatched':
        this.#unlink(transfer, decision.reason, decision.quoteId);
        transfer.meantFor = decision.meantFor;
        break;
      case 'relink': {
        const lost = this.#find(decision.lost)!;
        this.#link(transfer, linkOf(lost) as Link);
        this.#unlink(lost, null, null);
        noteBack(decision.lost.receiptId);
        break;
      }
      case 'returned':
        noteBack(decision.receiptId);
        break;
      case 'ignore':
        break;
    }
  }

  #credit(transfer: StoredTransfer, receipt: StoredReceipt, terms: CreditTerms): void {
    this.#link(transfer, linkTo(receipt, transfer.row, terms));
    const credits = this.#credits(receipt);
    if (mayBeTolerated(terms.linkedBy) && !computeBalance(receipt, credits).covered) {
      const difference = differenceOf(receipt, credits);
      if (isTolerated(difference, this.#terms)) receipt.acceptedUsd = difference.missingUsd;
    }
    const { to } = weigh(receipt, credits, transfer.row);
    receipt.buyerWallet ??= transfer.row.sender;
    for (const change of changesTo(receipt.status, to)) this.#change(receipt, change);
  }

  #link(transfer: StoredTransfer, { receiptId, quoteId, usd, askedUsd, exact, assignedBy }: Link): void {
    Object.assign(transfer, { usd, askedUsd, exact, assignedBy, meantFor: [] });
    transfer.row = { ...transfer.row, receiptId, quoteId, unmatchedReason: null, confirmedAt: null };
  }

  #unlink(transfer: StoredTransfer, unmatchedReason: TransferRow['unmatchedReason'], quoteId: string | null): void {
    Object.assign(transfer, { usd: undefined, askedUsd: null, exact: false, meantFor: [] });
    transfer.row = { ...transfer.row, receiptId: null, quoteId, unmatchedReason };
  }

  #end(receipt: StoredReceipt, code: typeof EXPIRED | typeof VOIDED): void {
    const hasFailed = receipt.status === 'failed';
    Object.assign(receipt, { failureCode: code, closedAt: this.#clock.now });
    if (!hasFailed) this.#change(receipt, { kind: 'status', to: 'failed' });
  }

  /** What `recordChange` does to a receipt. */
  #change(receipt: StoredReceipt, change: Change): void {
    if (change.kind !== 'status') {
      receipt.history.push(change.name);
      return;
    }
    const { status, expiresAt } = receipt;
    const { now } = this.#clock;
    if (!RECEIPT.mayMove(status, change.to)) throw new Error(`A receipt cannot move from ${status} to ${change.to}`);
    receipt.status = change.to;
    receipt.history.push(change.to);
    if (change.to !== 'failed') receipt.failureCode = null;
    if (change.to === 'paid' || change.to === 'completed') receipt.closedAt ??= now;
    if (change.to === 'pending' && status !== 'generated') {
      receipt.closedAt = null;
      if (expiresAt !== null && expiresAt <= now) receipt.expiresAt = now + REOPENED_MS;
    }
    if (change.to === 'tx_mined' || change.to === 'tx_mismatch') receipt.closedAt = null;
  }
}

const inChain = ({ row: a }: StoredTransfer, { row: b }: StoredTransfer): number =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;

const linkOf = ({ row: { receiptId, quoteId }, usd, askedUsd, exact, assignedBy }: StoredTransfer) => ({
  ...{ receiptId, quoteId, usd, askedUsd, exact, assignedBy },
});
