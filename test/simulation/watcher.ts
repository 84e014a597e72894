import type { Dice } from '../support/seeded.ts';
import type { SimulatedChain } from './chain.ts';
import type { Lockstep } from './lockstep.ts';
import { keyOf, type NewHint, type SeenTransfer, sameKey } from './payments.ts';

/**
 * Reads a chain as `payments/scan.ts` does, but for the database. Its node omits, invents and repeats logs, and it dies
 * between any two steps, until both are honest.
 */
export class Watcher {
  readonly #dice: Dice;
  readonly #payments: Lockstep;
  readonly #chain: SimulatedChain;
  readonly #depth: number;
  /** What a node invents in a block. */
  readonly #inventLog: (place: SeenTransfer) => SeenTransfer;
  /** The hashes of the blocks that were read, by number. */
  readonly #marks = new Map<number, string>();
  #scanned = 0;
  #confirmed = 0;
  isHonest = false;

  constructor(
    dice: Dice,
    payments: Lockstep,
    chain: SimulatedChain,
    depth: number,
    inventLog: (place: SeenTransfer) => SeenTransfer,
  ) {
    this.#dice = dice;
    this.#payments = payments;
    this.#chain = chain;
    this.#depth = depth;
    this.#inventLog = inventLog;
    this.#marks.set(0, chain.hashAt(0)!);
  }

  /** One scan; returns whether everything was read. */
  scan(): boolean {
    const fork = this.#fork();
    this.#scanned = Math.min(this.#scanned, fork);
    this.#confirmed = Math.min(this.#confirmed, fork);
    const isGone = ({ blockNumber, blockHash }: SeenTransfer) =>
      blockNumber > this.#scanned && this.#chain.hashAt(blockNumber) !== blockHash;
    const gone = this.#stored().filter(isGone);
    for (const transfer of gone.sort((a, b) => b.blockNumber - a.blockNumber || b.logIndex - a.logIndex)) {
      if (this.#dies()) return false;
      this.#payments.revert(keyOf(transfer));
    }
    return this.#confirm() && this.#readAgain() && this.#readOn() && this.#readAgain();
  }

  /** Follows hints to blocks that were read and have not been replaced since. */
  follow({ transactionHash, chainId }: NewHint): void {
    const number = this.#chain.blockOf(transactionHash);
    if (number === null || number > this.#scanned) return;
    if (this.#chain.hashAt(number) !== this.#marks.get(number)) return;
    const logs = this.#chain.logs(number).filter((log) => log.transactionHash === transactionHash);
    for (const log of logs) if (this.#payments.record(log) === 'conflict') return;
    this.#payments.followHint({ chainId, transactionHash });
  }

  #confirm(): boolean {
    if (this.#dies()) return false;
    this.#payments.confirm(this.#chain.chainId, this.#confirmed, this.#chain.head);
    return true;
  }

  /** The second reading, of blocks with their depth. */
  #readAgain(): boolean {
    const final = Math.min(this.#scanned, this.#chain.head - this.#depth);
    if (final <= this.#confirmed) return true;
    const from = this.#confirmed + 1;
    const logs = this.#range(from, final).flatMap((number) => this.#chain.logs(number));
    for (const log of logs) {
      if (this.#dies() || this.#payments.record(log) === 'conflict') return false;
    }
    const known = this.#stored().filter(({ blockNumber }) => blockNumber >= from && blockNumber <= final);
    const invented = known.filter((transfer) => !logs.some((log) => sameKey(log, transfer)));
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
      const logs = this.#chain.logs(number);
      for (const log of logs) {
        if (!this.isHonest && this.#dice.chance(0.04)) continue;
        if (this.#dies() || this.#payments.record(log) === 'conflict') return false;
        if (this.#dice.chance(0.05)) this.#payments.record(log);
      }
      if (!this.isHonest && logs.length > 0 && this.#dice.chance(0.05))
        this.#payments.record(this.#inventLog(logs.at(-1)!));
    }
    for (const number of this.#range(from, to)) this.#marks.set(number, this.#chain.hashAt(number)!);
    this.#scanned = to;
    return this.isHonest ? this.#readOn() : true;
  }

  #fork(): number {
    let number = this.#scanned;
    while (this.#marks.get(number) !== this.#chain.hashAt(number)) number -= 1;
    return number;
  }

  #stored(): SeenTransfer[] {
    const { chainId } = this.#chain;
    return this.#payments.model.money.filter((one) => one.isOnChain && one.chainId === chainId);
  }

  #range(from: number, to: number): number[] {
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  }

  #dies(): boolean {
    return !this.isHonest && this.#dice.chance(0.04);
  }
}
