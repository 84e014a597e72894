import type { Wallet } from '../../src/core/wallet.ts';
import { Dice } from '../support/seeded.ts';
import { SimulatedChain } from './chain.ts';
import { Lockstep } from './lockstep.ts';
import { type Clock, type Key, type SeenTransfer, sameKey, type Terms, type TokenSymbol } from './payments.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const CENT = 10_000_000_000n;
const SENDERS = ['6', '7', '8'].map((digit) => `0x${digit.repeat(40)}` as Wallet);

/** How often each step happens. Reorganisations, lies and repeated money are far more frequent than in life. */
const STEPS = {
  ...{ mine: 20, scan: 24, pay: 14, quote: 7, hint: 8, followHints: 5, reorganise: 7, flipBack: 1, resend: 2 },
  ...{ wait: 6, waitLong: 1, expire: 3, void: 1, fail: 2, complete: 3, assign: 2, mark: 1 },
} as const;

const keyOf = ({ blockHash, transactionHash, logIndex }: Key): Key => ({ blockHash, transactionHash, logIndex });

const termsOf = (dice: Dice): Terms => {
  const [low, high, gapEvery] = [1_500_000n + BigInt(dice.below(9)), 3_000_000n, dice.pick([0, 0, 5])];
  return {
    lateHours: dice.pick([0, 24, 72]),
    toleranceBps: dice.pick([0, 0, 100]),
    toleranceCents: dice.pick([0, 50]),
    depth: dice.pick([1, 2, 4]),
    coinRate: (timeMs) => {
      const hour = Math.floor(timeMs / HOUR_MS);
      if (gapEvery > 0 && hour % gapEvery === 0) return null;
      return hour % 2 === 0 ? low : high;
    },
  };
};

/**
 * One life of a few receipts of a merchant: chain, clock, buyers, hints and a watcher that dies between its steps, all
 * from one seed. The watcher reads the chain as `payments/scan.ts` does, but for the database.
 */
class Life {
  readonly #dice: Dice;
  readonly #payments: Lockstep;
  readonly #clock: Clock;
  readonly #chain: SimulatedChain;
  readonly #ids: readonly string[];
  readonly #terms: Terms;
  readonly #hinted = new Set<`0x${string}`>();
  readonly #marks = new Map<number, `0x${string}`>();
  #scanned = 0;
  #confirmed = 0;
  #quotes = 0;
  /** An honest end: the node tells everything, and the process lives. */
  #isHonest = false;

  constructor(dice: Dice, payments: Lockstep, terms: Terms, clock: Clock) {
    this.#dice = dice;
    this.#payments = payments;
    this.#terms = terms;
    this.#clock = clock;
    this.#chain = new SimulatedChain(dice, clock.now);
    this.#marks.set(0, this.#chain.hashAt(0)!);
    this.#ids = ['R-0', 'R-1', 'R-2'].slice(0, 1 + dice.below(3));
    for (const id of this.#ids) {
      const totalCents = dice.pick([1, 1_000, 1_000, 2_599]);
      const expiresAt = dice.chance(0.6) ? clock.now + dice.pick([HOUR_MS, DAY_MS, 7 * DAY_MS]) : null;
      payments.addReceipt({ id, totalCents, expiresAt, createdBlock: 0, createdAt: clock.now });
    }
  }

  run(): void {
    this.#quote();
    const steps = 12 + this.#dice.below(36);
    for (let step = 0; step < steps; step++) {
      this.#clock.now += 1 + this.#dice.below(20_000);
      this.#do(this.#dice.weighted(STEPS));
    }
    this.#settle();
  }

  #do(step: keyof typeof STEPS): unknown {
    const id = this.#dice.pick(this.#ids);
    switch (step) {
      case 'mine':
        return this.#chain.mine(this.#clock.now);
      case 'scan':
        return this.#scan();
      case 'pay':
        return this.#pay();
      case 'quote':
        return this.#quote();
      case 'hint':
        return this.#hint();
      case 'followHints':
        return this.#followHints();
      case 'reorganise':
        return this.#chain.reorganise(1 + this.#dice.below(this.#dice.chance(0.7) ? 2 : 8), this.#clock.now);
      case 'flipBack':
        return this.#chain.flipBack();
      case 'resend':
        return this.#chain.resend();
      case 'wait':
        this.#clock.now += this.#dice.below(this.#dice.pick([HOUR_MS, 30 * HOUR_MS]));
        return;
      case 'waitLong':
        this.#clock.now += this.#dice.below(45 * DAY_MS);
        return;
      case 'expire':
        return this.#payments.expire();
      case 'void':
        return this.#payments.void(id);
      case 'fail':
        return this.#payments.fail(id);
      case 'complete':
        return this.#payments.complete(id);
      case 'assign':
      case 'mark':
        return this.#byHand(step, id);
    }
  }

  /** Asks for an amount: unused, or one whose reservation has ended. */
  #quote(): void {
    const { model } = this.#payments;
    const now = this.#clock.now;
    const receipt = model.receipt(this.#dice.pick(this.#ids));
    if (!model.waits(receipt.id) || receipt.closedAt !== null || model.isOver(receipt)) return;
    const token: TokenSymbol = this.#dice.chance(0.75) ? 'USDC' : 'COIN';
    const rate = token === 'USDC' ? 1_000_000n : this.#terms.coinRate(now);
    const due = BigInt(receipt.totalCents) * CENT - (receipt.status === 'tx_mismatch' ? model.sum(receipt) : 0n);
    if (rate === null || due <= 0n) return;
    const isFree = ({ isOpen, expiresAt }: (typeof model.quotes)[number]) =>
      expiresAt + (isOpen ? 8 : 32) * DAY_MS < now;
    const free = model.quotes.filter(
      (one) => one.token === token && one.due === due && one.rate === rate && isFree(one),
    );
    const [old] = this.#dice.chance(0.7) ? free : [];
    let amount = old?.amount ?? 0n;
    while (!old && (amount === 0n || model.quotes.some((one) => one.token === token && one.amount === amount)))
      amount = (due + rate - 1n) / rate + 1n + BigInt(this.#dice.below(9_000));
    const holders = old ? [...(old.isOpen ? [old.receiptId] : []), ...old.earlier] : [];
    const until = now + (token === 'USDC' ? DAY_MS : 15 * MINUTE_MS);
    this.#quotes += 1;
    this.#payments.addQuote({
      ...{ id: `Q-${this.#quotes}`, receiptId: receipt.id, token, amount, due, rate, createdAt: now },
      expiresAt: receipt.expiresAt === null || receipt.expiresAt <= now ? until : Math.min(until, receipt.expiresAt),
      earlier: holders.filter((id) => id !== receipt.id),
    });
  }

  /** A buyer pays: exactly, a little or much too little or too much, twice, with another token, or for two at once. */
  #pay(): void {
    const { quotes } = this.#payments.model;
    if (quotes.length === 0) return;
    const { token, amount } = this.#dice.pick(quotes);
    const exact = { token, amount };
    const other = this.#dice.pick(quotes);
    const moves = {
      exact: [exact],
      short: [{ token, amount: amount - 1n }],
      half: [{ token, amount: amount / 2n + 1n }],
      over: [{ token, amount: amount + 1n + BigInt(this.#dice.below(3_000_000)) }],
      otherToken: [{ token: token === 'USDC' ? ('COIN' as const) : ('USDC' as const), amount }],
      twice: [exact, exact],
      batch: [exact, { token: other.token, amount: other.amount }],
      dust: [{ token, amount: 1n + BigInt(this.#dice.below(99)) }],
      // One or two of them are dust, or three.
      nearDust: [{ token, amount: amount / BigInt(90 + this.#dice.below(200)) + 1n }],
    };
    const kind = this.#dice.weighted({
      exact: 50,
      short: 8,
      half: 8,
      over: 8,
      otherToken: 5,
      twice: 3,
      batch: 8,
      dust: 4,
      nearDust: 6,
    });
    this.#chain.send(this.#dice.pick(SENDERS), moves[kind]);
  }

  #hint(): void {
    const { transactions } = this.#chain;
    if (transactions.length === 0) return;
    const { hash, sender, moves } = this.#dice.pick(transactions);
    const backing = this.#dice.weighted({ none: 50, sender: 20, stranger: 8, card: 12, cardOfAmount: 10 });
    this.#payments.hint({
      ...{ receiptId: this.#dice.pick(this.#ids), transactionHash: hash, vouched: backing.startsWith('card') },
      vouchedAmount: backing === 'cardOfAmount' ? this.#dice.pick(moves).amount : null,
      signedBy: backing === 'sender' ? sender : backing === 'stranger' ? this.#dice.pick(SENDERS) : null,
    });
    this.#hinted.add(hash);
  }

  /** Follows hints to blocks that were read and have not been replaced since. */
  #followHints(): void {
    for (const hash of this.#hinted) {
      const number = this.#chain.blockOf(hash);
      if (number === null || number > this.#scanned) continue;
      if (this.#chain.hashAt(number) !== this.#marks.get(number)) continue;
      const logs = this.#chain.logs(number).filter(({ transactionHash }) => transactionHash === hash);
      for (const log of logs) if (this.#payments.record(log) === 'conflict') return;
      this.#payments.followHint(hash);
    }
  }

  #byHand(step: 'assign' | 'mark', id: string): void {
    const open = this.#payments.model.money.filter(({ isOnChain, pays }) => isOnChain && pays === null);
    if (open.length === 0) return;
    const key = keyOf(this.#dice.pick(open));
    if (step === 'assign') this.#payments.assign(key, id);
    else this.#payments.mark(key, this.#dice.chance(0.7));
  }

  /** One scan; returns whether everything was read. */
  #scan(): boolean {
    const fork = this.#fork();
    this.#scanned = Math.min(this.#scanned, fork);
    this.#confirmed = Math.min(this.#confirmed, fork);
    const isGone = ({ blockNumber, blockHash }: SeenTransfer) =>
      blockNumber > this.#scanned && this.#chain.hashAt(blockNumber) !== blockHash;
    for (const transfer of this.#stored()
      .filter(isGone)
      .sort((a, b) => b.blockNumber - a.blockNumber || b.logIndex - a.logIndex)) {
      if (this.#dies()) return false;
      this.#payments.revert(keyOf(transfer));
    }
    return this.#confirm() && this.#readAgain() && this.#readOn() && this.#readAgain();
  }

  #confirm(): boolean {
    if (this.#dies()) return false;
    this.#payments.confirm(this.#confirmed, this.#chain.head);
    return true;
  }

  /** The second reading, of blocks with their depth. */
  #readAgain(): boolean {
    const final = Math.min(this.#scanned, this.#chain.head - this.#terms.depth);
    if (final <= this.#confirmed) return true;
    const from = this.#confirmed + 1;
    const logs = this.#range(from, final).flatMap((number) => this.#chain.logs(number));
    for (const log of logs) {
      if (this.#dies() || this.#payments.record(log) === 'conflict') return false;
    }
    const isThere = (transfer: SeenTransfer) => logs.some((log) => sameKey(log, transfer));
    const known = this.#stored().filter(({ blockNumber }) => blockNumber >= from && blockNumber <= final);
    const invented = known.filter((transfer) => !isThere(transfer));
    for (const transfer of invented) {
      if (this.#dies()) return false;
      this.#payments.revert(keyOf(transfer));
    }
    if (invented.length > 0) return false;
    this.#confirmed = final;
    return this.#confirm();
  }

  /** The first reading, which may omit, invent and repeat logs. */
  #readOn(): boolean {
    const from = this.#scanned + 1;
    const to = Math.min(this.#chain.head, this.#scanned + 1 + this.#dice.below(4));
    if (from > to) return true;
    for (const number of this.#range(from, to)) {
      for (const log of this.#chain.logs(number)) {
        if (!this.#isHonest && this.#dice.chance(0.04)) continue;
        if (this.#dies() || this.#payments.record(log) === 'conflict') return false;
        if (this.#dice.chance(0.05)) this.#payments.record(log);
      }
      if (!this.#isHonest && this.#dice.chance(0.02)) this.#invent(number);
    }
    for (const number of this.#range(from, to)) this.#marks.set(number, this.#chain.hashAt(number)!);
    this.#scanned = to;
    return this.#isHonest ? this.#readOn() : true;
  }

  #invent(blockNumber: number): void {
    const { quotes } = this.#payments.model;
    if (quotes.length === 0) return;
    const { token, amount } = this.#dice.pick(quotes);
    this.#payments.record({
      ...{ blockHash: this.#chain.hashAt(blockNumber)!, blockNumber, blockTimeMs: this.#clock.now, logIndex: 99 },
      ...{
        transactionHash: `0x${'c'.repeat(56)}${String(this.#clock.now).slice(-8)}`,
        sender: SENDERS[0]!,
        token,
        amount,
      },
    });
  }

  #settle(): void {
    this.#isHonest = true;
    for (let block = 0; block <= this.#terms.depth; block++) this.#chain.mine(this.#clock.now, true);
    for (let rounds = 0; rounds < 20 && !this.#scan(); rounds++);
    this.#payments.checkSettled(this.#range(1, this.#chain.head).flatMap((number) => this.#chain.logs(number)));
  }

  #fork(): number {
    let number = this.#scanned;
    while (this.#marks.get(number) !== this.#chain.hashAt(number)) number -= 1;
    return number;
  }

  #stored(): SeenTransfer[] {
    return this.#payments.model.money.filter(({ isOnChain }) => isOnChain);
  }

  #range(from: number, to: number): number[] {
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  }

  #dies(): boolean {
    return !this.#isHonest && this.#dice.chance(0.04);
  }
}

const START = Date.UTC(2030, 0, 1);

/** Plays the life of a seed. Throws a `Divergence` with its last operations. */
export function playLife(seed: number): { lockstep: Lockstep; terms: Terms } {
  const dice = new Dice(seed);
  const terms = termsOf(dice);
  const clock = { now: START };
  const lockstep = new Lockstep(terms, clock);
  try {
    new Life(dice, lockstep, terms, clock).run();
  } catch (error) {
    const text = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}` : one));
    const calls = lockstep.calls.map(({ name, given }) => `  ${name} ${given.map(text).join(' ')}`);
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${calls.slice(0, 40).join('\n')}`);
  }
  return { lockstep, terms };
}
