import type { ReceiptStatus } from '../../src/domain/sales/receipts/lifecycle.ts';
import {
  type Clock,
  type Failure,
  isCollected,
  type Key,
  keyOf,
  type NewAddress,
  type NewHint,
  type NewQuote,
  type NewReceipt,
  type Party,
  type Payments,
  type Recorded,
  type SeenTransfer,
  sameKey,
  type Terms,
  textOf,
  type View,
} from './payments.ts';

// What should happen to payments, said once more and without any code of the product. Money is in units of 10^-12
// dollars, so that every amount in either token is a whole number.

const CENT = 10_000_000_000n;
const MICRO = 1_000_000n;
const SKEW_MS = 15_000;
const HOUR_MS = 3_600_000;

interface Receipt extends NewReceipt {
  status: ReceiptStatus;
  history: string[];
  expiresAt: number | null;
  closedAt: number | null;
  isVoided: boolean;
  forgiven: bigint | null;
  /** The payment that it names. */
  named: Pick<Money, 'from' | 'transactionHash' | 'chainId'> | null;
}
interface Money extends SeenTransfer {
  isOnChain: boolean;
  isConfirmed: boolean;
  pays: string | null;
  worth: bigint;
  reason: string | null;
  meantFor: readonly string[];
  isMarked: boolean;
}

const WAITS = ['generated', 'pending', 'tx_mismatch', 'failed'];
const FINAL = ['paid', 'completed', 'refunded'];

export class Model implements Payments {
  readonly terms: Terms;
  readonly clock: Clock;
  readonly receipts: Receipt[] = [];
  readonly addresses: NewAddress[] = [];
  quotes: NewQuote[] = [];
  readonly hints: NewHint[] = [];
  readonly money: Money[] = [];
  constructor(terms: Terms, clock: Clock) {
    this.terms = terms;
    this.clock = clock;
  }

  addReceipt(receipt: NewReceipt) {
    const fresh = { closedAt: null, isVoided: false, forgiven: null, named: null };
    this.receipts.push({ ...receipt, ...fresh, status: 'generated', history: ['generated'] });
  }
  addAddress(address: NewAddress) {
    this.addresses.push(address);
  }
  addQuote(quote: NewQuote) {
    this.quotes = this.quotes.filter((one) => !this.isAsked(one, quote.payTo, quote));
    this.quotes.push(quote);
    const receipt = this.receipt(quote.receiptId);
    if (receipt.status === 'generated') this.move(receipt, 'pending');
  }
  hint(hint: NewHint) {
    if (this.waits(hint.receiptId)) this.hints.push(hint);
  }

  record(seen: SeenTransfer): Recorded {
    let money = this.money.find((one) => sameKey(one, seen));
    if (money?.isOnChain) return 'known';
    const isTwin = (one: Money) => sameKey({ ...one, blockHash: seen.blockHash }, seen);
    if (this.money.some((one) => one.isOnChain && isTwin(one))) return 'conflict';
    if (!money) {
      const fresh = { pays: null, worth: 0n, reason: null, meantFor: [], isMarked: false };
      money = { ...seen, ...fresh, isOnChain: true, isConfirmed: false };
      this.money.push(money);
    }
    Object.assign(money, { isOnChain: true, isConfirmed: false });
    if (!this.isCollection(money)) this.match(money);
    return 'stored';
  }
  followHint({ chainId, transactionHash: hash }: Pick<NewHint, 'chainId' | 'transactionHash'>) {
    for (const one of this.inOrder(this.money))
      if (one.isOnChain && one.chainId === chainId && one.transactionHash === hash && one.reason === 'unknown_amount')
        this.match(one);
  }

  /**
   * What the money pays: its lost twin's receipt, the receipt of its address, and at a split the receipt that version
   * 0.1 asked to pay there, or that its sender has signed for.
   */
  match(money: Money) {
    if (money.pays) return this.note(money.pays, 'payment_back');
    if (money.isMarked) return;
    const twin = this.inOrder(this.money).find((one) => !one.isOnChain && one.pays && this.isSameMoney(one, money));
    if (twin) {
      const { pays, worth } = twin;
      Object.assign(money, { pays, worth, reason: null, meantFor: [], isConfirmed: false });
      twin.pays = null;
      return this.note(pays!, 'payment_back');
    }
    const address = this.addressed(money);
    if (address && !this.waits(address.receiptId)) return this.leave(money, 'duplicate', [address.receiptId]);
    if (address) return this.payAtPrice(money, address.receiptId);
    const hints = this.hints.filter(
      (one) => one.chainId === money.chainId && one.transactionHash === money.transactionHash,
    );
    const named = (test: (hint: NewHint) => boolean) =>
      [...new Set(hints.filter(test).map(({ receiptId }) => receiptId))].sort();
    const quote = this.quotes.find((one) => this.isAsked(one, money.to, money));
    const asked = quote ? [quote.receiptId, ...quote.earlier] : named(({ vouched }) => vouched);
    if (asked.length === 1 && !this.waits(asked[0]!)) return this.leave(money, 'duplicate', asked);
    if (asked.length === 1) return this.pay(money, asked[0]!);
    const signed = named(({ signedBy }) => signedBy === money.from);
    if (signed.length === 1 && this.waits(signed[0]!)) return this.payAtPrice(money, signed[0]!);
    const proposed = [...new Set([...signed, ...named(() => true)])].filter((id) => this.waits(id));
    this.leave(money, this.notChosen(money) ?? 'unknown_amount', proposed);
  }
  /** A token that the merchant does not take pays only a receipt that was quoted in it. */
  payAtPrice(money: Money, id: string) {
    const unwanted = this.price(money, id) ? null : this.notChosen(money);
    if (unwanted) return this.leave(money, unwanted, [id]);
    this.pay(money, id);
  }
  pay(money: Money, id: string) {
    const receipt = this.receipt(id);
    const isAtAddress = this.addressed(money) !== undefined;
    if (!isAtAddress && money.blockNumber < receipt.createdHeads[money.chainId]!)
      return this.leave(money, 'too_old', []);
    const end = receipt.expiresAt;
    const isAfter = end !== null && money.blockTimeMs > end;
    if (receipt.isVoided || (isAfter && money.blockTimeMs > end + this.terms.lateHours * HOUR_MS))
      return this.leave(money, 'late', [id]);
    const isLate = isAfter && !this.isPartPaid(receipt);
    const rate = isLate ? this.rate(money) : this.rateOf(money, id);
    if (rate === null) return this.leave(money, 'no_rate', [id]);
    this.credit(money, receipt, rate);
  }
  leave(money: Money, reason: string, meantFor: readonly string[]) {
    Object.assign(money, { reason, meantFor });
  }
  credit(money: Money, receipt: Receipt, rate: bigint) {
    const worth = money.amount * rate;
    Object.assign(money, { pays: receipt.id, worth, reason: null, meantFor: [], isConfirmed: false });
    if (this.isDust(receipt)) return this.note(receipt.id, 'dust_received');
    const { toleranceBps, toleranceCents } = this.terms;
    const missing = this.missing(receipt);
    const isTolerated =
      missing > 0n &&
      missing <= BigInt(toleranceCents) * CENT &&
      missing * 10_000n <= this.total(receipt) * BigInt(toleranceBps);
    if (isTolerated) receipt.forgiven = this.total(receipt) - this.sum(receipt);
    this.name(receipt);
    if (receipt.status === 'generated') this.move(receipt, 'pending');
    this.show(receipt, this.isCovered(receipt) ? 'tx_mined' : 'tx_mismatch', (status) => `${status}_again`);
    if (isTolerated) this.note(receipt.id, 'accepted_difference');
  }

  confirm(chainId: number, upTo: number, head: number) {
    for (const one of this.inOrder(this.money)) {
      if (!one.isOnChain || one.isConfirmed || one.chainId !== chainId) continue;
      if (one.blockNumber > upTo || one.blockNumber > head - this.terms.depth) continue;
      one.isConfirmed = true;
      const receipt = this.receipts.find(({ id }) => id === one.pays);
      if (receipt?.status !== 'tx_mined' || !this.isCovered(receipt)) continue;
      if (this.credits(receipt).every(({ isConfirmed }) => isConfirmed)) this.move(receipt, 'paid');
    }
  }
  revert(key: Key) {
    const money = this.money.find((one) => sameKey(one, key));
    if (!money?.isOnChain) return;
    money.isOnChain = false;
    if (!money.pays) return;
    const receipt = this.receipt(money.pays);
    if (FINAL.includes(receipt.status)) return this.note(receipt.id, 'payment_lost');
    money.pays = null;
    const hasFollowed = receipt.status === 'tx_mined' || this.isPartPaid(receipt);
    this.name(receipt);
    const isCovered = this.isCovered(receipt);
    if (isCovered) for (const one of this.credits(receipt)) one.isConfirmed = false;
    else receipt.forgiven = null;
    const rest = this.isDust(receipt) ? 'pending' : 'tx_mismatch';
    if (hasFollowed) this.show(receipt, isCovered ? 'tx_mined' : rest, () => 'payment_lost');
    else this.note(receipt.id, 'payment_lost');
    const open = this.inTime(this.money.filter((one) => one.isOnChain && !one.pays && !this.isCollection(one)));
    const arrived = open.filter((one) => this.addressed(one)?.receiptId === receipt.id);
    const own = this.quotes.filter(({ receiptId }) => receiptId === receipt.id);
    const asked = open.filter((one) => !this.addressed(one) && own.some((quote) => this.isAsked(quote, one.to, one)));
    for (const one of [...arrived, ...asked]) if (!one.pays) this.match(one);
  }

  expire() {
    for (const one of this.receipts)
      if (one.closedAt === null && WAITS.includes(one.status) && this.isOver(one)) this.end(one, false);
  }
  void(id: string) {
    if (this.waits(id) && !this.receipt(id).isVoided) this.end(this.receipt(id), true);
  }
  end(receipt: Receipt, isVoided: boolean) {
    if (receipt.status !== 'failed') this.move(receipt, 'failed');
    Object.assign(receipt, { closedAt: this.clock.now, isVoided });
  }
  fail(id: string, failure: Failure) {
    const receipt = this.receipt(id);
    const hasEnded = receipt.status === 'failed' && receipt.closedAt !== null;
    if (!this.waits(id) || hasEnded || this.isOver(receipt)) return;
    const again = (status: string) => `${status}_again`;
    if (failure === 'reverted' && this.isPartPaid(receipt)) return;
    if (receipt.status === 'generated') this.move(receipt, 'pending');
    this.show(receipt, failure === 'reverted' ? 'failed' : 'tx_mismatch', again);
  }
  complete(id: string) {
    if (this.receipt(id).status === 'paid') this.move(this.receipt(id), 'completed');
  }
  accept(id: string) {
    const receipt = this.receipt(id);
    if (!['tx_mismatch', 'failed'].includes(receipt.status) || this.isDust(receipt)) return;
    receipt.forgiven = this.over(receipt) < 0n ? -this.over(receipt) : 0n;
    this.move(receipt, 'tx_mined');
    this.note(id, 'accepted_difference');
    for (const one of this.credits(receipt)) one.isConfirmed = false;
  }
  assign(key: Key, id: string) {
    const money = this.money.find((one) => sameKey(one, key));
    if (!money?.isOnChain || money.pays || money.isMarked || this.isCollection(money) || !this.waits(id)) return;
    const rate = this.rateOf(money, id);
    if (rate !== null) this.credit(money, this.receipt(id), rate);
  }
  mark(key: Key, isMarked: boolean) {
    const money = this.money.find((one) => sameKey(one, key));
    if (!money?.isOnChain || money.pays || this.isCollection(money)) return;
    if (money.isConfirmed || !isMarked) money.isMarked = isMarked;
  }

  receipt(id: string) {
    return this.receipts.find((one) => one.id === id)!;
  }
  waits(id: string) {
    return WAITS.includes(this.receipt(id).status);
  }
  /** The address that received it; undefined at a split. */
  addressed({ to }: SeenTransfer) {
    return this.addresses.find(({ address }) => address === to);
  }
  /** It brings to a split what has arrived before. */
  isCollection({ from, to }: SeenTransfer) {
    return this.addresses.some(({ address, split }) => address === from && split === to);
  }
  isSameMoney(a: SeenTransfer, b: SeenTransfer) {
    const names = ['chainId', 'transactionHash', 'to', 'token', 'amount'] as const;
    return names.every((name) => a[name] === b[name]);
  }
  /** Whether a quote asks for this amount at this place. Version 0.1 asked at splits. */
  isAsked(quote: NewQuote, to: Party, { chainId, token, amount }: Pick<NewQuote, 'chainId' | 'token' | 'amount'>) {
    return quote.payTo === to && quote.chainId === chainId && quote.token === token && quote.amount === amount;
  }
  notChosen({ chainId, token }: SeenTransfer) {
    const { chosen } = this.terms;
    if (chosen === null || chosen.some((one) => one.chainId === chainId && one.token === token)) return null;
    return chosen.some((one) => one.chainId === chainId) ? 'other_token' : 'other_network';
  }
  rate({ token, blockTimeMs }: SeenTransfer) {
    return token === 'USDC' ? MICRO : this.terms.coinRate(blockTimeMs);
  }
  /** The last quote before the money, else the first one. */
  price({ chainId, token, blockTimeMs }: SeenTransfer, id: string): NewQuote | undefined {
    const own = this.quotes.filter((one) => one.receiptId === id && one.chainId === chainId && one.token === token);
    const alike = own.sort((a, b) => a.createdAt - b.createdAt);
    return alike.findLast(({ createdAt }) => createdAt <= blockTimeMs + SKEW_MS) ?? alike[0];
  }
  rateOf(money: SeenTransfer, id: string) {
    const price = this.price(money, id);
    return price && money.blockTimeMs <= price.expiresAt ? price.rate : this.rate(money);
  }
  inOrder(money: readonly Money[]) {
    return [...money].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  }
  /** No two blocks of two chains have the same time. */
  inTime(money: readonly Money[]) {
    return this.inOrder(money).sort((a, b) => a.blockTimeMs - b.blockTimeMs);
  }
  credits({ id }: Receipt) {
    return this.inTime(this.money.filter((one) => one.isOnChain && one.pays === id));
  }
  sum(receipt: Receipt) {
    return this.credits(receipt).reduce((sum, { worth }) => sum + worth, 0n);
  }
  total({ totalCents }: Receipt) {
    return BigInt(totalCents) * CENT;
  }
  /** What has arrived without the total. Dust is nothing. */
  over(receipt: Receipt) {
    return (this.isDust(receipt) ? 0n : this.sum(receipt)) - this.total(receipt);
  }
  /** Less than a cent, or than a hundredth of the total. */
  isDust(receipt: Receipt) {
    const part = this.total(receipt) / 100n;
    return this.sum(receipt) < (part > CENT ? part : CENT);
  }
  isCovered(receipt: Receipt) {
    return !this.isDust(receipt) && this.over(receipt) + (receipt.forgiven ?? 0n) >= 0n;
  }
  missing(receipt: Receipt) {
    return this.isCovered(receipt) ? 0n : -this.over(receipt);
  }
  /** It holds a part of its money and waits for the rest. */
  isPartPaid({ status, named }: Receipt) {
    return status === 'tx_mismatch' && named !== null;
  }
  /** A receipt that waits for the rest ends as late as money may come. */
  isOver(receipt: Receipt) {
    const graceMs = this.isPartPaid(receipt) ? this.terms.lateHours * HOUR_MS : 0;
    return receipt.expiresAt !== null && receipt.expiresAt + graceMs <= this.clock.now;
  }
  /** The largest part names the buyer; of equal ones the first. */
  name(receipt: Receipt) {
    const [first, ...others] = this.isDust(receipt) ? [] : this.credits(receipt);
    receipt.named = first ? others.reduce((most, one) => (one.worth > most.worth ? one : most), first) : null;
  }
  show(receipt: Receipt, to: ReceiptStatus, again: (status: string) => string) {
    if (receipt.status === to) receipt.history.push(again(to));
    else this.move(receipt, to);
  }
  note(id: string, name: string) {
    this.receipt(id).history.push(name);
  }
  move(receipt: Receipt, to: ReceiptStatus) {
    const { now } = this.clock;
    const from = receipt.status;
    receipt.status = to;
    receipt.history.push(to);
    if (to !== 'failed') receipt.isVoided = false;
    if (to === 'paid' || to === 'completed') receipt.closedAt ??= now;
    if (to === 'tx_mined' || to === 'tx_mismatch' || (to === 'pending' && from !== 'generated'))
      receipt.closedAt = null;
    const isTakenBack = to === 'pending' ? from !== 'generated' : to === 'tx_mismatch' && from === 'tx_mined';
    if (isTakenBack && receipt.expiresAt !== null && receipt.expiresAt <= now) receipt.expiresAt = now + HOUR_MS;
  }
  view(): View {
    const onChain = this.money.filter((one) => one.isOnChain);
    return {
      receipts: this.receipts.map((one) => ({
        ...{ id: one.id, status: one.status, history: one.history },
        missing: textOf(this.missing(one), 12),
        surplus: textOf(this.over(one) >= CENT ? this.over(one) : 0n, 12),
        buyer: one.named?.from ?? null,
        hash: one.named?.transactionHash ?? null,
        chainId: one.named?.chainId ?? null,
      })),
      transfers: this.money.map((one) => ({
        ...keyOf(one),
        ...{ isCanonical: one.isOnChain, isConfirmed: one.isConfirmed },
        isCollected: one.isOnChain && this.addressed(one) ? isCollected(one, onChain) : null,
        ...{ receiptId: one.pays, reason: one.reason, meantFor: one.meantFor, isMarked: one.isMarked },
      })),
    };
  }
}
