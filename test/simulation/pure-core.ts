import { awaitsConfirmations, isDeepEnough, paidBalance } from '../../src/domain/payments/transfers/core/confirm.ts';
import { judgeAttempt } from '../../src/domain/payments/transfers/core/intent.ts';
import { decideMatch, type MatchDecision, type MatchFacts } from '../../src/domain/payments/transfers/core/match.ts';
import { buyerOf, decideReversal, fallBack, paymentNamedBy } from '../../src/domain/payments/transfers/core/reverse.ts';
import {
  type CreditTerms,
  changesTo,
  computeBalance,
  decisiveCredit,
  differenceOf,
  isTolerated,
  largestCredit,
  linkTo,
  mayBeTolerated,
  rateFor,
  weigh,
} from '../../src/domain/payments/transfers/core/weigh.ts';
import { DUST_NOTE } from '../../src/domain/payments/transfers/credit.ts';
import { ACCEPTED_NOTE } from '../../src/domain/sales/receipts/accepted-note.ts';
import { EXPIRED, hasEnded, VOIDED } from '../../src/domain/sales/receipts/ended.ts';
import { isWaiting } from '../../src/domain/sales/receipts/lifecycle.ts';
import {
  CoreState,
  inChain,
  isAt,
  linkOf,
  MERCHANT,
  type StoredReceipt,
  type StoredTransfer,
  TOKENS,
  walletOf,
} from './core-state.ts';
import {
  type Clock,
  type Failure,
  type Key,
  type NewAddress,
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

/** Carries payments out in memory: every decision is one of the pure functions of `payments/core`. */
export class PureCore implements Payments {
  readonly #state: CoreState;

  constructor(terms: Terms, clock: Clock) {
    this.#state = new CoreState(terms, clock);
  }

  addReceipt(receipt: NewReceipt): void {
    this.#state.receipts.set(receipt.id, {
      ...receipt,
      ...{ origin: 'order', refundedCents: 0, status: 'generated', history: ['generated'] },
      ...{ closedAt: null, failureCode: null, acceptedUsd: null, buyerWallet: null },
      ...{ transactionHash: null, transactionTimestamp: null, paymentChainId: null },
    });
  }

  addAddress(address: NewAddress): void {
    this.#state.addresses.set(address.address, address);
  }

  addQuote(quote: NewQuote): void {
    const { quotes } = this.#state;
    const place = quotes.findIndex((one) => isAt(one, quote.payTo, quote));
    if (place >= 0) quotes.splice(place, 1);
    quotes.push(quote);
    const receipt = this.#state.receipts.get(quote.receiptId)!;
    if (receipt.status === 'generated') this.#state.change(receipt, { kind: 'status', to: 'pending' });
  }

  record(seen: SeenTransfer): Recorded {
    let transfer = this.#state.find(seen);
    if (transfer?.isCanonical) return 'known';
    const isTwin = ({ isCanonical, row }: StoredTransfer) =>
      isCanonical && sameKey({ ...row, blockHash: seen.blockHash }, seen);
    if (this.#state.transfers.some(isTwin)) return 'conflict';
    if (transfer) {
      transfer.isCanonical = true;
      transfer.row = { ...transfer.row, confirmedAt: null };
    } else {
      const { from, to, amount, ...place } = seen;
      const row = {
        ...{ ...place, sender: walletOf(from), payTo: walletOf(to), merchant: MERCHANT, amount: String(amount) },
        ...{ ...this.#state.placeOf(seen), seenAt: seen.blockTimeMs },
        ...{ confirmedAt: null, receiptId: null, unmatchedReason: null, refundMarkedAt: null },
      };
      transfer = { seen, row, usd: null, isCanonical: true, meantFor: [] };
      this.#state.transfers.push(transfer);
    }
    if (!isCollection(transfer)) this.#match(transfer, transfer.row.split === null ? 0 : null);
    return 'stored';
  }

  hint(hint: NewHint): void {
    if (isWaiting(this.#state.receipts.get(hint.receiptId)!)) this.#state.hints.push(hint);
  }

  followHint({ chainId, transactionHash }: Pick<NewHint, 'chainId' | 'transactionHash'>): void {
    for (const transfer of [...this.#state.transfers].sort(inChain)) {
      const { row, isCanonical } = transfer;
      const isIts = row.chainId === chainId && row.transactionHash === transactionHash;
      if (isIts && isCanonical && row.unmatchedReason === 'unknown_amount') this.#match(transfer, null);
    }
  }

  confirm(chainId: number, upTo: number, head: number): void {
    const blocks = { head, tagged: { safe: null, finalized: null } };
    const isUnconfirmed = ({ isCanonical, row }: StoredTransfer) =>
      isCanonical && row.chainId === chainId && row.confirmedAt === null && row.blockNumber <= upTo;
    for (const transfer of this.#state.transfers.filter(isUnconfirmed).sort(inChain)) {
      if (!isDeepEnough(transfer.row.blockNumber, this.#state.terms.depth, blocks)) continue;
      transfer.row = { ...transfer.row, confirmedAt: this.#state.clock.now };
      const receipt = this.#state.receipts.get(transfer.row.receiptId ?? '');
      if (receipt && awaitsConfirmations(receipt) && paidBalance(receipt, this.#state.credits(receipt)) !== null)
        this.#state.change(receipt, { kind: 'status', to: 'paid' });
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
    this.#state.unlink(transfer, null);
    const fallback = fallBack(receipt, this.#state.credits(receipt));
    if (fallback) Object.assign(receipt, fallback.fields);
    if (fallback?.balance.covered) this.#resetConfirmations(receipt);
    const to = fallback?.to ?? null;
    this.#state.change(receipt, to === null ? { kind: 'note', name: 'payment_lost' } : { kind: 'status', to });
    for (const duplicate of this.#state.duplicatesOf(receipt))
      if (duplicate.row.receiptId === null) this.#match(duplicate, null);
  }

  expire(): void {
    for (const receipt of this.#state.receipts.values())
      if (receipt.closedAt === null && this.#hasEnded(receipt)) this.#end(receipt, EXPIRED);
  }

  void(receiptId: string): void {
    const receipt = this.#state.receipts.get(receiptId)!;
    const isEnded = receipt.closedAt !== null && receipt.status === 'failed';
    if (isEnded ? receipt.failureCode !== VOIDED : isWaiting(receipt)) this.#end(receipt, VOIDED);
  }

  fail(receiptId: string, failure: Failure): void {
    const receipt = this.#state.receipts.get(receiptId)!;
    if (!isWaiting(receipt) || this.#hasEnded(receipt)) return;
    const addresses = [...this.#state.addresses.values()]
      .filter((one) => one.receiptId === receiptId)
      .map(({ address }) => walletOf(address));
    const isReverted = failure === 'reverted';
    const intent = { contract: isReverted ? TOKENS[0]!.address : MERCHANT, to: addresses[0]!, value: 1n };
    const outcome = isReverted ? 'reverted' : 'success';
    const decision = judgeAttempt({ receipt, outcome, intent, addresses, tokens: TOKENS });
    if (!decision) return;
    if (decision.to === 'failed') receipt.failureCode = decision.failureCode;
    for (const change of changesTo(receipt.status, decision.to)) this.#state.change(receipt, change);
  }

  complete(receiptId: string): void {
    const receipt = this.#state.receipts.get(receiptId)!;
    if (receipt.status === 'paid') this.#state.change(receipt, { kind: 'status', to: 'completed' });
  }

  accept(receiptId: string): void {
    const receipt = this.#state.receipts.get(receiptId)!;
    const credits = this.#state.credits(receipt);
    if (receipt.status !== 'tx_mismatch' && receipt.status !== 'failed') return;
    if (!decisiveCredit(receipt, credits)) return;
    receipt.acceptedUsd = differenceOf(receipt, credits).missingUsd;
    this.#state.change(receipt, { kind: 'status', to: 'tx_mined' });
    this.#state.change(receipt, { kind: 'note', name: ACCEPTED_NOTE });
    this.#resetConfirmations(receipt);
  }

  assign(key: Key, receiptId: string): void {
    const transfer = this.#state.find(key);
    const receipt = this.#state.receipts.get(receiptId)!;
    if (!isUnmatched(transfer) || transfer.row.refundMarkedAt !== null || !isWaiting(receipt)) return;
    const { row } = transfer;
    const usdPerUnit = rateFor(this.#state.priceOf(receiptId, row), row.blockTimeMs, this.#state.rate(row));
    if (usdPerUnit === null) return;
    this.#credit(transfer, receipt, { token: { decimals: 6 }, usdPerUnit, linkedBy: 'assignment' });
  }

  mark(key: Key, isMarked: boolean): void {
    const transfer = this.#state.find(key);
    if (!isUnmatched(transfer) || (isMarked && transfer.row.confirmedAt === null)) return;
    transfer.row = { ...transfer.row, refundMarkedAt: isMarked ? 1 : null };
  }

  #match(transfer: StoredTransfer, splitCreatedBlock: number | null): void {
    let facts: MatchFacts<StoredReceipt> = {
      ...{ transfer: transfer.row, rate: this.#state.rate(transfer.row), splitCreatedBlock },
    };
    let decision = decideMatch(facts);
    while (decision.kind === 'need') {
      facts = { ...facts, ...this.#state.fact(transfer, decision) };
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
        this.#state.unlink(transfer, decision.reason);
        transfer.meantFor = decision.meantFor;
        break;
      case 'relink': {
        const lost = this.#state.find(decision.lost)!;
        this.#state.link(transfer, linkOf(lost));
        this.#state.unlink(lost, null);
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
    const isShort = decisiveCredit(receipt, credits) && !computeBalance(receipt, credits).covered;
    const difference = differenceOf(receipt, credits);
    const isAccepted = isShort && mayBeTolerated(terms.linkedBy) && isTolerated(difference, this.#state.terms);
    if (isAccepted) receipt.acceptedUsd = difference.missingUsd;
    const { to } = weigh(receipt, credits, transfer.row);
    if (to === null) {
      this.#state.change(receipt, { kind: 'note', name: DUST_NOTE });
      return;
    }
    const largest = largestCredit(receipt, credits) ?? null;
    Object.assign(receipt, paymentNamedBy(largest), { buyerWallet: buyerOf(largest) });
    for (const change of changesTo(receipt.status, to)) this.#state.change(receipt, change);
    if (isAccepted) this.#state.change(receipt, { kind: 'note', name: ACCEPTED_NOTE });
  }

  #resetConfirmations(receipt: StoredReceipt): void {
    for (const one of this.#state.linkedTo(receipt)) one.row = { ...one.row, confirmedAt: null };
  }

  #hasEnded(receipt: StoredReceipt): boolean {
    return hasEnded(receipt, this.#state.clock.now, this.#state.terms.lateHours);
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

const isCollection = ({ row }: StoredTransfer): boolean => row.addressOf !== null && row.split === null;

const isUnmatched = (transfer: StoredTransfer | undefined): transfer is StoredTransfer =>
  transfer?.isCanonical === true && transfer.row.receiptId === null && !isCollection(transfer);
