import { Dice } from '../support/seeded.ts';
import { type Move, SimulatedChain } from './chain.ts';
import { Lockstep } from './lockstep.ts';
import {
  CHAIN_IDS,
  type Clock,
  keyOf,
  type NewHint,
  type NewReceipt,
  type Party,
  type SeenTransfer,
  SPLITS,
  type Terms,
  type TokenSymbol,
} from './payments.ts';
import { Watcher } from './watcher.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const CENT = 10_000_000_000n;
/** What an amount that a page asks for is rounded up to, in base units. */
const STEP: Record<TokenSymbol, bigint> = { USDC: 10_000n, COIN: 1_000n };
const PEOPLE = ['P-0', 'P-1', 'P-2'];

/** How often each step happens. Reorganisations, lies and repeated money are far more frequent than in life. */
const STEPS = {
  ...{ mine: 22, scan: 30, pay: 16, quote: 7, toSplit: 4, collect: 5, hint: 6, followHints: 5 },
  ...{ reorganise: 8, flipBack: 1, resend: 2, wait: 6, waitLong: 2, order: 3, readdress: 1 },
  ...{ expire: 3, void: 1, fail: 2, complete: 3, accept: 1, assign: 3, mark: 1 },
} as const;

/** How buyers pay what a page asks for. */
const WAYS = {
  ...{
    asked: 30,
    fee: 6,
    up: 3,
    down: 3,
    part: 10,
    over: 6,
    twice: 3,
    batch: 5,
    otherToken: 5,
    dust: 5,
    nearDust: 6,
    old: 4,
  },
} as const;

const termsOf = (dice: Dice): Terms => {
  const [low, high, gapEvery] = [1_500_000n + BigInt(dice.below(9)), 3_000_000n, dice.pick([0, 0, 5])];
  const usdc = CHAIN_IDS.map((chainId) => ({ chainId, token: 'USDC' as const }));
  return {
    lateHours: dice.pick([0, 24, 72]),
    toleranceBps: dice.pick([0, 0, 100]),
    toleranceCents: dice.pick([0, 50]),
    chosen: dice.pick([null, null, usdc, usdc.slice(1)]),
    depth: dice.pick([1, 2, 4]),
    coinRate: (timeMs) => {
      const hour = Math.floor(timeMs / HOUR_MS);
      if (gapEvery > 0 && hour % gapEvery === 0) return null;
      return hour % 2 === 0 ? low : high;
    },
  };
};

/**
 * One life of a few receipts of a merchant: two chains with a watcher each, a clock, buyers, strangers and hints, all
 * from one seed.
 */
class Life {
  readonly #dice: Dice;
  readonly #payments: Lockstep;
  readonly #clock: Clock;
  readonly #terms: Terms;
  readonly #chains: readonly SimulatedChain[];
  readonly #watchers: readonly Watcher[];
  /** The split that new addresses collect to. */
  #split: Party = SPLITS[0];
  #quotes = 0;
  /** Whether receipts were first quoted by version 0.1. */
  readonly #isOld: boolean;

  constructor(dice: Dice, payments: Lockstep, terms: Terms, clock: Clock) {
    this.#dice = dice;
    this.#payments = payments;
    this.#terms = terms;
    this.#clock = clock;
    this.#isOld = dice.chance(0.15);
    this.#chains = CHAIN_IDS.map((chainId) => new SimulatedChain(chainId, dice, clock.now));
    this.#watchers = this.#chains.map(
      (chain) => new Watcher(dice, payments, chain, terms.depth, (place) => this.#invented(place)),
    );
    this.#order();
    if (dice.chance(0.5)) this.#order();
  }

  run(): void {
    this.#quote();
    const steps = 16 + this.#dice.below(44);
    for (let step = 0; step < steps; step++) {
      this.#clock.now += 1 + this.#dice.below(20_000);
      this.#do(this.#dice.weighted(STEPS));
    }
    this.#settle();
  }

  #do(step: keyof typeof STEPS): unknown {
    const { id } = this.#receipt();
    const { now } = this.#clock;
    const place = this.#dice.chance(0.7) ? 0 : 1;
    const [chain, watcher] = [this.#chains[place]!, this.#watchers[place]!];
    switch (step) {
      case 'mine':
        return chain.mine(now);
      case 'scan':
        return watcher.scan();
      case 'reorganise':
        return chain.reorganise(1 + this.#dice.below(this.#dice.chance(0.7) ? 2 : 8), now);
      case 'flipBack':
        return chain.flipBack();
      case 'resend':
        return chain.resend();
      case 'pay':
        return this.#pay(chain);
      case 'toSplit':
        return this.#payToSplit(chain);
      case 'collect':
        return this.#collect(chain);
      case 'quote':
        return this.#quote();
      case 'order':
        return this.#payments.model.receipts.length < 3 && this.#order();
      case 'readdress':
        return this.#readdress(id);
      case 'hint':
        return this.#hint(chain);
      case 'followHints':
        return this.#followHints();
      case 'wait':
        this.#clock.now += this.#dice.below(this.#dice.pick([HOUR_MS, 30 * HOUR_MS]));
        return;
      case 'waitLong':
        this.#clock.now += this.#dice.below(this.#dice.pick([3, 60]) * DAY_MS);
        return;
      case 'fail':
        return this.#payments.fail(id, this.#dice.pick(['reverted', 'reverted', 'wrong_token']));
      case 'expire':
        return this.#payments.expire();
      case 'void':
      case 'complete':
      case 'accept':
        return this.#payments[step](id);
      case 'assign':
      case 'mark':
        return this.#byHand(step, id);
    }
  }

  #receipt(): NewReceipt {
    return this.#dice.pick(this.#payments.model.receipts);
  }

  #order(): void {
    const { now } = this.#clock;
    const id = `R-${this.#payments.model.receipts.length}`;
    const totalCents = this.#dice.pick([1, 1_000, 1_000, 2_599]);
    const expiresAt = this.#dice.chance(0.6) ? now + this.#dice.pick([HOUR_MS, DAY_MS, 7 * DAY_MS]) : null;
    const createdHeads = Object.fromEntries(this.#chains.map(({ chainId, head }) => [chainId, head]));
    this.#payments.addReceipt({ id, totalCents, expiresAt, createdHeads, createdAt: now });
    this.#addAddress(id);
  }

  #addressesOf(id: string): Party[] {
    return this.#payments.model.addresses.filter(({ receiptId }) => receiptId === id).map(({ address }) => address);
  }

  #addAddress(receiptId: string): void {
    const number = this.#addressesOf(receiptId).length;
    this.#payments.addAddress({ address: `${receiptId}#${number}`, receiptId, number, split: this.#split });
  }

  /** The merchant replaces its split, or code stands at the address that a coin is to pay. */
  #readdress(id: string): void {
    if (this.#dice.chance(0.5)) this.#split = SPLITS[1];
    if (this.#addressesOf(id).length < 3) this.#addAddress(id);
  }

  /** The address that a page shows now; now and then a buyer has an older one. */
  #addressOf(id: string): Party {
    const addresses = this.#addressesOf(id);
    return this.#dice.chance(0.2) ? this.#dice.pick(addresses) : addresses.at(-1)!;
  }

  /** A page asks for what is missing; version 0.1 asked for an amount of its own at the split. */
  #quote(): void {
    const { model } = this.#payments;
    const now = this.#clock.now;
    const receipt = model.receipt(this.#receipt().id);
    const token: TokenSymbol = this.#dice.chance(0.75) ? 'USDC' : 'COIN';
    const rate = token === 'USDC' ? 1_000_000n : this.#terms.coinRate(now);
    const due = model.missing(receipt);
    if (!model.waits(receipt.id) || receipt.closedAt !== null || model.isOver(receipt)) return;
    if (rate === null || due <= 0n) return;
    const isOld = this.#isOld && this.#dice.chance(0.7);
    const until = now + (token === 'USDC' ? DAY_MS : 15 * MINUTE_MS);
    const { chainId } = this.#dice.pick(this.#chains);
    this.#quotes += 1;
    const quote = {
      ...{ id: `Q-${String(this.#quotes).padStart(4, '0')}`, receiptId: receipt.id, chainId, token, due, rate },
      ...{ payTo: this.#addressesOf(receipt.id).at(-1)!, amount: this.#asked(due, token, rate), createdAt: now },
      expiresAt: receipt.expiresAt === null || receipt.expiresAt <= now ? until : Math.min(until, receipt.expiresAt),
      earlier: [],
    };
    this.#payments.addQuote(isOld ? { ...quote, ...this.#asOld(quote) } : quote);
  }

  #asOld({ receiptId, chainId, token, due, rate }: { receiptId: string; due: bigint } & SplitPlace & { rate: bigint }) {
    const { quotes, receipts } = this.#payments.model;
    const payTo = SPLITS[0];
    let amount = 0n;
    const isTaken = () => quotes.some((one) => one.payTo === payTo && one.amount === amount && one.token === token);
    while (amount === 0n || isTaken()) amount = (due + rate - 1n) / rate + 1n + BigInt(this.#dice.below(9_000));
    const others = receipts.map(({ id }) => id).filter((id) => id !== receiptId);
    return { payTo, chainId, amount, earlier: this.#dice.chance(0.1) ? others.slice(0, 1) : [] };
  }

  /** Rounded up, so that a person can type it. */
  #asked(due: bigint, token: TokenSymbol, rate: bigint): bigint {
    const step = rate * STEP[token];
    return ((due + step - 1n) / step) * STEP[token];
  }

  /** A buyer pays a receipt at an address: as asked, a fee less, rounded, in parts, too much, twice, two at once. */
  #pay(chain: SimulatedChain): void {
    const move = (id: string, token: TokenSymbol): Move => {
      const receipt = this.#payments.model.receipt(id);
      const due = this.#payments.model.missing(receipt) || BigInt(receipt.totalCents) * CENT;
      const rate = token === 'USDC' ? 1_000_000n : (this.#terms.coinRate(this.#clock.now) ?? 2_000_000n);
      return { to: this.#addressOf(id), token, amount: this.#asked(due, token, rate) };
    };
    const { receipts } = this.#payments.model;
    const waiting = receipts.filter((one) => this.#payments.model.waits(one.id));
    const { id } = this.#dice.pick(waiting.length > 0 && this.#dice.chance(0.8) ? waiting : receipts);
    const asked = move(id, this.#dice.chance(0.75) ? 'USDC' : 'COIN');
    const { amount } = asked;
    const least = (units: bigint) => ({ ...asked, amount: units > 0n ? units : 1n });
    const ways = {
      asked: () => [asked],
      fee: () => [least(amount - this.#dice.pick([1n, 100_000n, amount / 50n, 1_000_000n]))],
      up: () => [least((amount / 1_000_000n + 1n) * 1_000_000n)],
      down: () => [least((amount / 1_000_000n) * 1_000_000n)],
      part: () => [least(amount / BigInt(2 + this.#dice.below(3)) + 1n)],
      over: () => [least(amount + 1n + BigInt(this.#dice.below(3_000_000)))],
      twice: () => [asked, asked],
      batch: () => [asked, move(this.#receipt().id, asked.token)],
      otherToken: () => [{ ...asked, token: asked.token === 'USDC' ? 'COIN' : 'USDC' }] as Move[],
      dust: () => [least(1n + BigInt(this.#dice.below(99)))],
      // One or two of them are dust, or three.
      nearDust: () => [least(amount / BigInt(90 + this.#dice.below(200)))],
      // What was asked before, by version 0.1 at the split.
      old: () =>
        this.#payments.model.quotes
          .filter(({ receiptId }) => receiptId === id)
          .slice(0, 1)
          .map(({ amount: before, token }) => ({ ...asked, token, amount: before })),
    };
    chain.send(this.#dice.pick(PEOPLE), ways[this.#dice.weighted(WAYS)]());
  }

  /** Somebody pays the split itself: an amount of version 0.1, nearly, or the amount of a receipt. */
  #payToSplit(chain: SimulatedChain): void {
    const { quotes } = this.#payments.model;
    if (quotes.length === 0) return;
    const old = quotes.filter(({ payTo }) => payTo === SPLITS[0]);
    const { payTo, token, amount } = this.#dice.pick(old.length > 0 ? old : quotes);
    const to = payTo === SPLITS[0] ? payTo : this.#dice.pick(SPLITS);
    const units = amount - this.#dice.pick([0n, 0n, 0n, 0n, 1n]);
    chain.send(this.#dice.pick(PEOPLE), [{ to, token, amount: units }]);
  }

  /** An address sends what it holds to its split: somebody has asked it to. */
  #collect(chain: SimulatedChain): void {
    const { model } = this.#payments;
    const token = this.#dice.chance(0.75) ? 'USDC' : 'COIN';
    const moved = model.money.filter((one) => one.isOnChain && one.chainId === chain.chainId && one.token === token);
    const signed = (address: Party, { from, to, amount }: SeenTransfer) =>
      to === address ? amount : from === address ? -amount : 0n;
    const held = model.addresses.map(({ address, split }) => {
      return { address, split, amount: moved.reduce((sum, one) => sum + signed(address, one), 0n) };
    });
    const full = held.filter(({ amount }) => amount > 0n);
    if (full.length === 0) return;
    const { address, split, amount } = this.#dice.pick(full);
    chain.send(address, [{ to: split, token, amount }]);
  }

  #hint({ chainId, transactions }: SimulatedChain): void {
    if (transactions.length === 0) return;
    const { hash, from, moves } = this.#dice.pick(transactions);
    const backing = this.#dice.weighted({ none: 40, sender: 40, stranger: 10, card: 10 });
    const isAtSplit = moves.some(({ to }) => to === SPLITS[0]);
    this.#payments.hint({
      ...{ receiptId: this.#receipt().id, chainId, transactionHash: hash },
      vouched: backing === 'card' && isAtSplit,
      signedBy: backing === 'sender' ? from : backing === 'stranger' ? this.#dice.pick(PEOPLE) : null,
    });
  }

  #followHints(): void {
    const { hints } = this.#payments.model;
    const followed = new Map(hints.map((hint): [string, NewHint] => [hint.transactionHash, hint]));
    for (const hint of followed.values())
      this.#watchers[this.#chains.findIndex(({ chainId }) => chainId === hint.chainId)]!.follow(hint);
  }

  #byHand(step: 'assign' | 'mark', id: string): void {
    const open = this.#payments.model.money.filter(({ isOnChain, pays }) => isOnChain && pays === null);
    if (open.length === 0) return;
    const key = keyOf(this.#dice.pick(open));
    if (step === 'assign') this.#payments.assign(key, id);
    else this.#payments.mark(key, this.#dice.chance(0.7));
  }

  /** A payment of a receipt that no block contains. */
  #invented(place: SeenTransfer): SeenTransfer {
    const transactionHash = `0xc${place.chainId}${String(this.#clock.now).padStart(62, '0')}` as const;
    return { ...place, transactionHash, logIndex: 99, from: PEOPLE[0]!, to: this.#addressOf(this.#receipt().id) };
  }

  /** The nodes tell everything, and the process lives. */
  #settle(): void {
    for (const chain of this.#chains)
      for (let block = 0; block <= this.#terms.depth; block++) chain.mine(this.#clock.now, true);
    for (const watcher of this.#watchers) watcher.isHonest = true;
    // What one chain takes back makes transfers of the other one wait again.
    for (const watcher of [...this.#watchers, ...this.#watchers])
      for (let rounds = 0; rounds < 20 && !watcher.scan(); rounds++);
    const blocks = this.#chains.map((chain) => Array.from({ length: chain.head }, (_, i) => chain.logs(i + 1)));
    this.#payments.checkSettled(blocks.flat(2));
  }
}

interface SplitPlace {
  readonly chainId: number;
  readonly token: TokenSymbol;
}

const START = Date.UTC(2030, 0, 1);

/** Plays the life of a seed. Throws a `Divergence` with its first operations. */
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
    throw new Error(`seed ${seed}: ${(error as Error).message}\n${calls.slice(-40).join('\n')}`);
  }
  return { lockstep, terms };
}
