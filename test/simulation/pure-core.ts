import { awaitsConfirmations, isDeepEnough, paidBalance } from '../../src/payments/core/confirm.ts';
import { judgeAttempt } from '../../src/payments/core/intent.ts';
import { decideMatch, type MatchDecision, type MatchFacts } from '../../src/payments/core/match.ts';
import { buyerOf, decideReversal, fallBack, paymentNamedBy } from '../../src/payments/core/reverse.ts';
import { differenceOf, isTolerated, mayBeTolerated } from '../../src/payments/core/tolerance.ts';
import type { Link } from '../../src/payments/core/weigh.ts';
import {
  type CreditTerms,
  changesTo,
  computeBalance,
  decisiveCredit,
  largestCredit,
  linkTo,
  rateFor,
  weigh,
} from '../../src/payments/core/weigh.ts';
import { DUST_NOTE } from '../../src/payments/dust-note.ts';
import type { TransferRow } from '../../src/payments/transfer-row.ts';
import { EXPIRED, hasEnded, VOIDED } from '../../src/receipts/ended.ts';
import { isWaiting } from '../../src/receipts/lifecycle.ts';
import {
  CHAIN_ID,
  CoreState,
  inChain,
  linkOf,
  MERCHANT,
  PAY_TO,
  type StoredReceipt,
  type StoredTransfer,
  TOKENS,
  textOf,
} from './core-state.ts';
import type {
  Clock,
  Key,
  NewHint,
  NewQuote,
  NewReceipt,
  Payments,
  Recorded,
  SeenTransfer,
  Terms,
  View,
} from './payments.ts';

/** Carries payments out in memory: every decision is one of the pure functions of `payments/core`. */
export class PureCore implements Payments {
  readonly #state: CoreState;

  constructor(terms: Terms, clock: Clock) {
    this.#state = new CoreState(terms, clock);
  }

  addReceipt(receipt: NewReceipt): void {
    this.#state.receipts.set(receipt.id, {
      ...receipt,
      ...{ origin: 'order', refundedCents: 0, createdChainId: CHAIN_ID, status: 'generated', history: ['generated'] },
      ...{ closedAt: null, failureCode: null, acceptedUsd: null, buyerWallet: null, transactionHash: null },
      transactionTimestamp: null,
    });
  }

  addQuote({ receiptId, token, amount, due, rate, ...quote }: NewQuote): void {
    const place = this.#state.quotes.findIndex((one) => one.token === token && one.amount === String(amount));
    if (place >= 0) this.#state.quotes.splice(place, 1);
    this.#state.quotes.push({
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
    const receipt = this.#state.receipts.get(receiptId)!;
    if (receipt.status === 'generated') this.#state.change(receipt, { kind: 'status', to: 'pending' });
  }

  record(seen: SeenTransfer): Recorded {
    let transfer = this.#state.find(seen);
    if (transfer?.isCanonical) return 'known';
    const isTwin = ({ isCanonical, row }: StoredTransfer) =>
      isCanonical && row.transactionHash === seen.transactionHash && row.logIndex === seen.logIndex;
    if (this.#state.transfers.some(isTwin)) return 'conflict';
    if (transfer) {
      transfer.isCanonical = true;
      transfer.row = { ...transfer.row, confirmedAt: null };
    } else {
      const { blockTimeMs } = seen;
      const row: TransferRow = {
        ...{ ...seen, chainId: CHAIN_ID, payTo: PAY_TO, merchant: MERCHANT, amount: String(seen.amount) },
        ...{ addressOf: null, split: null },
        ...{ confirmedAt: null, receiptId: null, quoteId: null, unmatchedReason: null, refundMarkedAt: null },
        seenAt: blockTimeMs,
      };
      transfer = { row, isCanonical: true, meantFor: [] };
      this.#state.transfers.push(transfer);
    }
    this.#match(transfer, 0);
    return 'stored';
  }

  hint(hint: NewHint): void {
    if (!isWaiting(this.#state.receipts.get(hint.receiptId)!)) return;
    this.#state.hints.push(hint);
  }

  followHint(transactionHash: `0x${string}`): void {
    for (const transfer of [...this.#state.transfers].sort((a, b) => a.row.logIndex - b.row.logIndex)) {
      const { unmatchedReason, receiptId } = transfer.row;
      const isOpen = unmatchedReason === 'unknown_amount' || unmatchedReason === 'ambiguous';
      if (transfer.isCanonical && transfer.row.transactionHash === transactionHash && receiptId === null && isOpen)
        this.#match(transfer, null);
    }
  }

  confirm(upTo: number, head: number): void {
    const blocks = { head, tagged: { safe: null, finalized: null } };
    const waiting = this.#state.transfers
      .filter(({ isCanonical, row }) => isCanonical && row.confirmedAt === null && row.blockNumber <= upTo)
      .sort(({ row: a }, { row: b }) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
    for (const transfer of waiting) {
      if (!isDeepEnough(transfer.row.blockNumber, this.#state.terms.depth, blocks)) continue;
      transfer.row = { ...transfer.row, confirmedAt: this.#state.clock.now };
      const receipt = this.#state.receipts.get(transfer.row.receiptId ?? '');
      if (!receipt || !awaitsConfirmations(receipt) || paidBalance(receipt, this.#state.credits(receipt)) === null)
        continue;
      this.#state.change(receipt, { kind: 'status', to: 'paid' });
      for (const quote of this.#state.quotes) if (quote.receiptId === receipt.id) quote.isOpen = false;
    }
  }

  revert(key: Key): void {
    const transfer = this.#state.find(key);
    if (!transfer?.isCanonical) return;
    transfer.isCanonical = false;
    const receipt = this.#state.receipts.get(transfer.row.receiptId ?? '');
    if (!receipt) return;
    if (decideReversal(receipt, transfer.row).isKept) {
      this.#state.change(receipt, { kind: 'note', name: 'payment_lost' });
      return;
    }
    this.#state.unlink(transfer, null, null);
    const fallback = fallBack(receipt, this.#state.credits(receipt));
    if (fallback) {
      Object.assign(receipt, fallback.fields);
      if (fallback.balance.covered)
        for (const one of this.#state.linkedTo(receipt)) one.row = { ...one.row, confirmedAt: null };
    }
    this.#state.change(receipt, fallback?.change ?? { kind: 'note', name: 'payment_lost' });
    const duplicates = this.#state.transfers.filter(
      ({ isCanonical, row }) =>
        isCanonical &&
        row.receiptId === null &&
        this.#state.quotes.some(({ id, receiptId }) => id === row.quoteId && receiptId === receipt.id),
    );
    for (const duplicate of duplicates.sort(inChain)) this.#match(duplicate, null);
  }

  expire(): void {
    for (const receipt of this.#state.receipts.values()) {
      const { closedAt } = receipt;
      if (closedAt === null && hasEnded(receipt, this.#state.clock.now, this.#state.terms.lateHours))
        this.#end(receipt, EXPIRED);
    }
  }

  void(receiptId: string): void {
    const receipt = this.#state.receipts.get(receiptId)!;
    const isEnded = receipt.closedAt !== null && receipt.status === 'failed';
    if (isEnded ? receipt.failureCode !== VOIDED : isWaiting(receipt)) this.#end(receipt, VOIDED);
  }

  fail(receiptId: string): void {
    const receipt = this.#state.receipts.get(receiptId)!;
    const quote = this.#state.quotes.find((one) => one.receiptId === receiptId);
    if (!quote || !isWaiting(receipt) || hasEnded(receipt, this.#state.clock.now, this.#state.terms.lateHours)) return;
    const intent = { contract: TOKENS.find(({ symbol }) => symbol === quote.token)!.address, to: PAY_TO, value: 1n };
    const decision = judgeAttempt({ receipt, outcome: 'reverted', intent, quotes: [quote], tokens: TOKENS });
    if (decision?.to !== 'failed') return;
    receipt.failureCode = decision.failureCode;
    for (const change of changesTo(receipt.status, 'failed')) this.#state.change(receipt, change);
  }

  complete(receiptId: string): void {
    const receipt = this.#state.receipts.get(receiptId)!;
    if (receipt.status === 'paid') this.#state.change(receipt, { kind: 'status', to: 'completed' });
  }

  assign(key: Key, receiptId: string): void {
    const transfer = this.#state.find(key);
    const receipt = this.#state.receipts.get(receiptId)!;
    if (!transfer?.isCanonical || transfer.row.receiptId !== null || transfer.row.refundMarkedAt !== null) return;
    const { row } = transfer;
    const quote = this.#state.latestQuote(receiptId, row.token);
    const usdPerUnit = rateFor(quote, row.blockTimeMs, null) ?? this.#state.rate(row);
    if (!isWaiting(receipt) || usdPerUnit === null) return;
    this.#credit(transfer, receipt, { token: { decimals: 6 }, usdPerUnit, quote, linkedBy: 'assignment' });
  }

  mark(key: Key, isMarked: boolean): void {
    const transfer = this.#state.find(key);
    if (!transfer?.isCanonical || transfer.row.receiptId !== null) return;
    if (isMarked && transfer.row.confirmedAt === null) return;
    transfer.row = { ...transfer.row, refundMarkedAt: isMarked ? 1 : null };
  }

  #match(transfer: StoredTransfer, splitCreatedBlock: number | null): void {
    const { row } = transfer;
    let facts: MatchFacts<StoredReceipt> = {
      transfer: row,
      rate: this.#state.rate(row),
      splitCreatedBlock,
      authorizedFor: null,
    };
    let decision = decideMatch(facts);
    while (decision.kind === 'need') {
      facts = { ...facts, ...this.#state.fact(row, decision) };
      decision = decideMatch(facts);
    }
    this.#carryOut(transfer, decision);
  }

  #carryOut(transfer: StoredTransfer, decision: MatchDecision<StoredReceipt>): void {
    const noteBack = (id: string) =>
      this.#state.change(this.#state.receipts.get(id)!, { kind: 'note', name: 'payment_back' });
    switch (decision.kind) {
      case 'credit':
        this.#credit(transfer, decision.receipt, { ...decision, token: { decimals: 6 } });
        break;
      case 'unmatched':
        this.#state.unlink(transfer, decision.reason, decision.quoteId);
        transfer.meantFor = decision.meantFor;
        break;
      case 'relink': {
        const lost = this.#state.find(decision.lost)!;
        this.#state.link(transfer, linkOf(lost) as Link);
        this.#state.unlink(lost, null, null);
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
    this.#state.link(transfer, linkTo(receipt, transfer.row, terms));
    const credits = this.#state.credits(receipt);
    const decisive = decisiveCredit(receipt, credits);
    if (decisive && mayBeTolerated(terms.linkedBy) && !computeBalance(receipt, credits).covered) {
      const difference = differenceOf(receipt, credits);
      if (isTolerated(difference, this.#state.terms)) receipt.acceptedUsd = difference.missingUsd;
    }
    const { to } = weigh(receipt, credits, transfer.row);
    if (to === null) {
      this.#state.change(receipt, { kind: 'note', name: DUST_NOTE });
      return;
    }
    const largest = largestCredit(receipt, credits) ?? null;
    Object.assign(receipt, paymentNamedBy(largest), { buyerWallet: buyerOf(largest) });
    for (const change of changesTo(receipt.status, to)) this.#state.change(receipt, change);
  }

  #end(receipt: StoredReceipt, code: typeof EXPIRED | typeof VOIDED): void {
    const hasFailed = receipt.status === 'failed';
    Object.assign(receipt, { failureCode: code, closedAt: this.#state.clock.now });
    if (!hasFailed) this.#state.change(receipt, { kind: 'status', to: 'failed' });
  }

  view(): View {
    return this.#state.view();
  }
}
