import type { Dice } from '../support/seeded.ts';
import type { Party, SeenTransfer, TokenSymbol } from './payments.ts';

export interface Move {
  readonly to: Party;
  readonly token: TokenSymbol;
  readonly amount: bigint;
}

/** A transaction that moves money to splits and addresses. */
export interface Transaction {
  readonly hash: `0x${string}`;
  readonly from: Party;
  readonly moves: readonly Move[];
}

interface Block {
  readonly hash: `0x${string}`;
  readonly timeMs: number;
  readonly transactions: readonly Transaction[];
}

/**
 * A chain whose newest blocks may be replaced. The number of a block is its place. No two blocks of two chains have the
 * same time.
 */
export class SimulatedChain {
  readonly chainId: number;
  readonly #dice: Dice;
  readonly transactions: Transaction[] = [];
  #pending: Transaction[] = [];
  #blocks: Block[];
  #made = 0;
  /** The branch that was replaced last, from its first block's number on. */
  #abandoned: { readonly from: number; readonly parent: Block; readonly blocks: readonly Block[] } | null = null;

  constructor(chainId: number, dice: Dice, now: number) {
    this.chainId = chainId;
    this.#dice = dice;
    this.#blocks = [{ hash: this.#hash('b', 0), timeMs: this.#time(now), transactions: [] }];
  }

  #hash(letter: string, number: number): `0x${string}` {
    return `0x${letter}${this.chainId}${number.toString(16).padStart(62, '0')}`;
  }

  #time(ms: number): number {
    return ms - (ms % 2) + (this.chainId % 2);
  }

  get head(): number {
    return this.#blocks.length - 1;
  }

  hashAt(number: number): `0x${string}` | undefined {
    return this.#blocks[number]?.hash;
  }

  send(from: Party, moves: readonly Move[]): void {
    const transaction = { hash: this.#hash('a', this.transactions.length), from, moves };
    this.transactions.push(transaction);
    this.#pending.push(transaction);
  }

  /** A block with the transactions that wait; without `isFull` some of them wait longer. */
  mine(now: number, isFull = false): void {
    const isLeftOut = () => !isFull && this.#dice.chance(0.1);
    const transactions = this.#pending.filter(() => !isLeftOut());
    this.#pending = this.#pending.filter((one) => !transactions.includes(one));
    this.#made += 1;
    this.#blocks.push({
      hash: this.#hash('b', this.#made),
      timeMs: this.#time(Math.max(this.#blocks.at(-1)!.timeMs + 2, now - this.#dice.below(10_000))),
      transactions,
    });
  }

  /** Replaces the newest blocks by one more of others; their transactions wait again, or are dropped. */
  reorganise(depth: number, now: number): void {
    const from = Math.max(1, this.#blocks.length - depth);
    const removed = this.#blocks.splice(from);
    this.#abandoned = { from, parent: this.#blocks.at(-1)!, blocks: removed };
    const freed = removed.flatMap(({ transactions }) => transactions);
    this.#pending = [...freed, ...this.#pending].filter(() => !this.#dice.chance(0.1));
    if (this.#dice.chance(0.3)) this.#pending.reverse();
    for (let made = 0; made <= removed.length; made++) this.mine(now);
  }

  /** The branch that was replaced last is the chain again. */
  flipBack(): void {
    const { from, parent, blocks = [] } = this.#abandoned ?? {};
    if (from === undefined || this.#blocks[from - 1] !== parent) return;
    const removed = this.#blocks.splice(from);
    this.#blocks.push(...blocks);
    const included = new Set(this.#blocks.flatMap(({ transactions }) => transactions));
    const freed = removed.flatMap(({ transactions }) => transactions);
    this.#pending = [...new Set([...freed, ...this.#pending])].filter((one) => !included.has(one));
    this.#abandoned = null;
  }

  /** A dropped transaction is sent again. */
  resend(): void {
    const known = new Set([...this.#blocks.flatMap(({ transactions }) => transactions), ...this.#pending]);
    this.#pending.push(...this.transactions.filter((one) => !known.has(one)));
  }

  /** The logs of a block, in order. */
  logs(number: number): SeenTransfer[] {
    const { hash: blockHash, timeMs: blockTimeMs, transactions } = this.#blocks[number]!;
    const block = { chainId: this.chainId, blockHash, blockNumber: number, blockTimeMs };
    const all = transactions.flatMap(({ hash, from, moves }) =>
      moves.map((move) => ({ ...block, ...move, transactionHash: hash, from })),
    );
    return all.map((log, logIndex) => ({ ...log, logIndex }));
  }

  blockOf(hash: `0x${string}`): number | null {
    const number = this.#blocks.findIndex(({ transactions }) => transactions.some((one) => one.hash === hash));
    return number < 0 ? null : number;
  }
}
