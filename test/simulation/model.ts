import type { ReceiptStatus } from '../../src/receipts/lifecycle.ts';
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
}
interface Money extends SeenTransfer {
  isOnChain: boolean;
  isConfirmed: boolean;
  pays: string | null;
  reason: string | null;
  quoteId: string | null;
  meantFor: readonly string[];
  isMarked: boolean;
  worth: bigint;
  asked: bigint;
  isExact: boolean;
}
type Quote = NewQuote & { isOpen: boolean };
type Link = { readonly quote: Quote | null; readonly rate: bigint };

const WAITS = ['generated', 'pending', 'tx_mismatch', 'failed'];

export class Model implements Payments {
  readonly terms: Terms;
  readonly clock: Clock;
  readonly receipts: Receipt[] = [];
  quotes: Quote[] = [];
  readonly hints: NewHint[] = [];
  readonly money: Money[] = [];
  constructor(terms: Terms, clock: Clock) {
    this.terms = terms;
    this.clock = clock;
  }

  addReceipt(receipt: NewReceipt) {
    this.receipts.push({
      ...receipt,
      status: 'generated',
      history: ['generated'],
      closedAt: null,
      isVoided: false,
      forgiven: null,
    });
  }
  addQuote(quote: NewQuote) {
    this.quotes = this.quotes.filter(({ token, amount }) => token !== quote.token || amount !== quote.amount);
    this.quotes.push({ ...quote, isOpen: true });
    const receipt = this.receipt(quote.receiptId);
    if (receipt.status === 'generated') this.move(receipt, 'pending');
  }
  hint(hint: NewHint) {
    if (this.waits(hint.receiptId)) this.hints.push(hint);
  }

  record(seen: SeenTransfer): Recorded {
    let money = this.money.find((one) => sameKey(one, seen));
    if (money?.isOnChain) return 'known';
    if (
      this.money.some(
        (one) => one.isOnChain && one.transactionHash === seen.transactionHash && one.logIndex === seen.logIndex,
      )
    )
      return 'conflict';
    if (!money) {
      money = {
        ...seen,
        isOnChain: true,
        isConfirmed: false,
        pays: null,
        reason: null,
        quoteId: null,
        meantFor: [],
        isMarked: false,
        worth: 0n,
        asked: 0n,
        isExact: false,
      };
      this.money.push(money);
    }
    Object.assign(money, { isOnChain: true, isConfirmed: false });
    this.match(money);
    return 'stored';
  }
  followHint(hash: string) {
    for (const one of [...this.money].sort((a, b) => a.logIndex - b.logIndex))
      if (one.isOnChain && one.transactionHash === hash && ['unknown_amount', 'ambiguous'].includes(one.reason ?? ''))
        this.match(one);
  }

  /** What the money pays: its lost twin's receipt, the holder of its amount, or the one that the hints name. */
  match(money: Money) {
    const { token, amount, transactionHash: hash, blockTimeMs: at } = money;
    if (money.pays) return this.note(money.pays, 'payment_back');
    if (money.isMarked) return;
    const twins = this.money.filter(
      (one) =>
        !one.isOnChain && one.pays && one.transactionHash === hash && one.token === token && one.amount === amount,
    );
    const twin = twins.sort((a, b) => a.logIndex - b.logIndex)[0];
    if (twin) {
      const { pays, quoteId, worth, asked, isExact } = twin;
      Object.assign(money, { pays, quoteId, worth, asked, isExact, reason: null, meantFor: [], isConfirmed: false });
      Object.assign(twin, { pays: null, quoteId: null });
      return this.note(pays!, 'payment_back');
    }
    const holder = this.quotes.find((quote) => quote.token === token && quote.amount === amount);
    const hints = this.hints.filter((hint) => hint.transactionHash === hash);
    const named = (test: (hint: NewHint) => boolean) => [
      ...new Set(hints.filter(test).map(({ receiptId }) => receiptId)),
    ];
    const vouched = named((hint) => hint.vouched);
    const first = (id: string) => hints.find((hint) => hint.receiptId === id && hint.vouched)!.vouchedAmount;
    const ofAmount = vouched.filter((id) => first(id) === amount);
    const cards = ofAmount.length > 0 ? ofAmount : vouched;
    const signed = named((hint) => hint.signedBy === money.sender);
    const backed = cards.length === 1 ? cards[0] : signed.length === 1 ? signed[0] : undefined;
    // What an unsigned hint names is proposed to the merchant and pays nothing.
    const waiting = named(({ receiptId }) => this.waits(receiptId));
    if (holder && holder.earlier.length > 0) {
      const canBeHolders = at >= holder.createdAt - SKEW_MS;
      if (backed !== undefined)
        return this.pay(money, backed, this.latest(backed, token), holder.id, 'unknown_amount', waiting);
      const others =
        [...vouched, ...signed].some((id) => id !== holder.receiptId) ||
        named(() => true).some((id) => holder.earlier.includes(id));
      if (!canBeHolders || others || !named(() => true).includes(holder.receiptId))
        return this.leave(
          money,
          'ambiguous',
          holder.id,
          canBeHolders ? [holder.receiptId, ...holder.earlier] : holder.earlier,
        );
    }
    if (holder) return this.pay(money, holder.receiptId, holder, holder.id, 'duplicate');
    if (backed === undefined) return this.leave(money, 'unknown_amount', null, waiting);
    this.pay(money, backed, this.latest(backed, token), null, 'unknown_amount', waiting);
  }

  pay(
    money: Money,
    id: string,
    quote: Quote | null,
    exactId: string | null,
    ifPaid: string,
    proposed: readonly string[] = [],
  ) {
    const receipt = this.receipt(id);
    const holder = exactId !== null && quote?.id === exactId ? quote : null;
    const holders = holder ? (holder.earlier.length > 0 ? [id, ...holder.earlier] : []) : [];
    if (!this.waits(id)) return this.leave(money, ifPaid, exactId, ifPaid === 'duplicate' ? holders : proposed);
    if (money.blockNumber < receipt.createdBlock) return this.leave(money, 'too_old', exactId, []);
    const end = receipt.expiresAt;
    const isAfter = end !== null && money.blockTimeMs > end;
    if (receipt.isVoided || (isAfter && money.blockTimeMs > end + this.terms.lateHours * HOUR_MS))
      return this.leave(money, 'late', exactId, [id]);
    const isLate = isAfter && receipt.status !== 'tx_mismatch';
    const rate = (!isLate && quote && money.blockTimeMs <= quote.expiresAt ? quote.rate : null) ?? this.rate(money);
    if (rate === null) return this.leave(money, 'no_rate', exactId, []);
    this.credit(money, receipt, { quote, rate });
  }
  leave(money: Money, reason: string, quoteId: string | null, meantFor: readonly string[]) {
    // Money that no buyer was asked for names the receipt with the same amount in dollars.
    const alike = this.quotes.find((one) => one.isOpen && one.token === 'USDC' && one.amount === money.amount);
    const isUnasked = reason === 'unknown_amount' && quoteId === null;
    const names = isUnasked && alike ? [...new Set([...meantFor, alike.receiptId])] : meantFor;
    Object.assign(money, { reason, quoteId, meantFor: names });
  }
  credit(money: Money, receipt: Receipt, { quote, rate }: Link) {
    const held = quote !== null && rate === quote.rate;
    const isCurrent = held && quote.due <= BigInt(receipt.totalCents) * CENT;
    Object.assign(money, {
      ...{
        pays: receipt.id,
        quoteId: quote?.id ?? null,
        worth: money.amount * rate,
        asked: isCurrent ? quote.amount * quote.rate : 0n,
      },
      ...{ isExact: held && quote.amount === money.amount, reason: null, meantFor: [], isConfirmed: false },
    });
    const total = BigInt(receipt.totalCents) * CENT;
    const missing = total - this.sum(receipt);
    const { toleranceBps, toleranceCents } = this.terms;
    if (
      !this.isDust(receipt) &&
      !this.isCovered(receipt) &&
      missing <= BigInt(toleranceCents) * CENT &&
      missing * 10_000n <= total * BigInt(toleranceBps)
    )
      if (toleranceBps > 0 && toleranceCents > 0) receipt.forgiven = missing > 0n ? missing : 0n;
    if (this.isDust(receipt)) return this.note(receipt.id, 'dust_received');
    if (receipt.status === 'generated') this.move(receipt, 'pending');
    this.show(receipt, this.isCovered(receipt) ? 'tx_mined' : 'tx_mismatch', (status) => `${status}_again`);
  }

  confirm(upTo: number, head: number) {
    for (const one of this.inOrder(this.money)) {
      if (!one.isOnChain || one.isConfirmed || one.blockNumber > upTo || one.blockNumber > head - this.terms.depth)
        continue;
      one.isConfirmed = true;
      const receipt = this.receipts.find(({ id }) => id === one.pays);
      if (
        receipt?.status !== 'tx_mined' ||
        !this.isCovered(receipt) ||
        this.credits(receipt).some((credit) => !credit.isConfirmed)
      )
        continue;
      this.move(receipt, 'paid');
      for (const quote of this.quotes) if (quote.receiptId === receipt.id) quote.isOpen = false;
    }
  }
  revert(key: Key) {
    const money = this.money.find((one) => sameKey(one, key));
    if (!money?.isOnChain) return;
    money.isOnChain = false;
    if (!money.pays) return;
    const receipt = this.receipt(money.pays);
    if (['paid', 'completed', 'refunded'].includes(receipt.status)) return this.note(receipt.id, 'payment_lost');
    Object.assign(money, { pays: null, quoteId: null });
    if (receipt.status === 'tx_mined' || receipt.status === 'tx_mismatch') {
      const isCovered = this.isCovered(receipt);
      if (isCovered) for (const one of this.credits(receipt)) one.isConfirmed = false;
      else receipt.forgiven = null;
      const rest = this.isDust(receipt) ? 'pending' : 'tx_mismatch';
      this.show(receipt, isCovered ? 'tx_mined' : rest, () => 'payment_lost');
    } else this.note(receipt.id, 'payment_lost');
    const own = this.quotes.filter((quote) => quote.receiptId === receipt.id).map(({ id }) => id);
    for (const one of this.inOrder(this.money))
      if (one.isOnChain && !one.pays && own.includes(one.quoteId ?? '')) this.match(one);
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
  fail(id: string) {
    const receipt = this.receipt(id);
    const hasEnded = receipt.status === 'failed' && receipt.closedAt !== null;
    if (
      !this.waits(id) ||
      receipt.status === 'tx_mismatch' ||
      hasEnded ||
      this.isOver(receipt) ||
      !this.quotes.some((quote) => quote.receiptId === id)
    )
      return;
    this.show(receipt, 'failed', (status) => `${status}_again`);
  }
  complete(id: string) {
    if (this.receipt(id).status === 'paid') this.move(this.receipt(id), 'completed');
  }
  assign(key: Key, id: string) {
    const money = this.money.find((one) => sameKey(one, key));
    if (!money?.isOnChain || money.pays || money.isMarked || !this.waits(id)) return;
    const quote = this.latest(id, money.token);
    const rate = (quote && money.blockTimeMs <= quote.expiresAt ? quote.rate : null) ?? this.rate(money);
    if (rate !== null) this.credit(money, this.receipt(id), { quote, rate });
  }
  mark(key: Key, isMarked: boolean) {
    const money = this.money.find((one) => sameKey(one, key));
    if (money?.isOnChain && !money.pays && (money.isConfirmed || !isMarked)) money.isMarked = isMarked;
  }

  receipt(id: string) {
    return this.receipts.find((one) => one.id === id)!;
  }
  waits(id: string) {
    return WAITS.includes(this.receipt(id).status);
  }
  rate({ token, blockTimeMs }: SeenTransfer) {
    return token === 'USDC' ? MICRO : this.terms.coinRate(blockTimeMs);
  }
  latest(id: string, token: string) {
    return (
      this.quotes
        .filter((one) => one.receiptId === id && one.token === token)
        .sort((a, b) => b.createdAt - a.createdAt)[0] ?? null
    );
  }
  inOrder(money: readonly Money[]) {
    return [...money].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  }
  credits({ id }: Receipt) {
    return this.inOrder(this.money.filter((one) => one.isOnChain && one.pays === id));
  }
  sum(receipt: Receipt) {
    return this.credits(receipt).reduce((sum, { worth }) => sum + worth, 0n);
  }
  /** Less than this is dust: a cent, or a hundredth of the total. */
  least({ totalCents }: Receipt) {
    return totalCents > 100 ? (BigInt(totalCents) * CENT) / 100n : CENT;
  }
  isDust(receipt: Receipt) {
    return this.sum(receipt) < this.least(receipt);
  }
  /** A receipt that waits for the rest ends as late as money may come. */
  isOver({ status, expiresAt }: Receipt) {
    const graceMs = status === 'tx_mismatch' ? this.terms.lateHours * HOUR_MS : 0;
    return expiresAt !== null && expiresAt + graceMs <= this.clock.now;
  }
  /** Enough to the last unit of the first quote, or of the total if a quote was paid exactly, or nearly enough. */
  isCovered(receipt: Receipt) {
    const credits = this.credits(receipt);
    if (this.isDust(receipt)) return false;
    const total = BigInt(receipt.totalCents) * CENT;
    const sums = credits.map((_, i) => credits.slice(0, i + 1).reduce((sum, { worth }) => sum + worth, 0n));
    const first = credits[sums.findIndex((sum) => sum >= this.least(receipt))]!;
    const asked = first.asked > total ? first.asked : total;
    const due = credits.some(({ isExact }) => isExact) ? total : asked;
    const isForgiven = receipt.forgiven !== null && this.sum(receipt) + receipt.forgiven >= total;
    return this.sum(receipt) >= due || isForgiven;
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
    return {
      receipts: this.receipts.map(({ id, status, history }) => ({ id, status, history })),
      transfers: this.money.map(
        ({
          blockHash,
          transactionHash,
          logIndex,
          isOnChain: isCanonical,
          isConfirmed,
          pays: receiptId,
          quoteId,
          reason,
          meantFor,
          isMarked,
        }) => ({
          blockHash,
          transactionHash,
          logIndex,
          isCanonical,
          isConfirmed,
          receiptId,
          quoteId,
          reason,
          meantFor,
          isMarked,
        }),
      ),
    };
  }
}
