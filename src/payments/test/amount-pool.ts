import type { Wallet } from '../../core/wallet.ts';
import { holdUntil, PAID_MS, UNPAID_MS } from '../../quotes/hold.ts';
import type { Hint } from '../core/hint.ts';
import { decideMatch, type MatchableReceipt } from '../core/match.ts';
import type { TransferRow } from '../transfer-row.ts';
import type { Outcome, Payment } from './planned-year.ts';

const DAY_MS = 24 * 3_600_000;
const LATE_HOURS = 24;
const wallet = `0x${'1'.repeat(40)}` as Wallet;

interface Row {
  readonly amount: number;
  readonly receiptId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly earlier: string[];
  /** Until when no other receipt may use the amount. */
  reservedUntil: number;
  isPaid: boolean;
}

const idOf = (checkout: number): string => `R-${checkout}`;
const numberOf = (id: string): number => Number(id.slice(2));

/** Rows in the order in which their reservations end. */
class Queue {
  readonly #rows: Row[] = [];
  readonly #isMember: (row: Row) => boolean;
  #first = 0;

  /** `isMember` says whether a row that was added is still in the queue. */
  constructor(isMember: (row: Row) => boolean) {
    this.#isMember = isMember;
  }

  add(row: Row): void {
    this.#rows.push(row);
  }

  /** The row that is unused for the longest time; undefined if all are held. */
  oldest(now: number): Row | undefined {
    while (this.#first < this.#rows.length && !this.#isMember(this.#rows[this.#first]!)) this.#first += 1;
    const row = this.#rows[this.#first];
    return row && row.reservedUntil < now ? row : undefined;
  }
}

/** The held amounts are counted after so many reservations. */
const COUNT_EVERY = 500;

/**
 * The amounts of one price as `reserveAmount` hands them out, in memory: first those that were never used, then the one
 * that is unused for the longest time. Payments are decided by the rules of the code.
 */
export class AmountPool {
  readonly size: number;
  refused = 0;
  mostHeld = 0;
  readonly #rows = new Map<number, Row>();
  readonly #amounts = new Map<number, number>();
  readonly #unpaid = new Queue((row) => !row.isPaid && this.#isCurrent(row));
  readonly #paid = new Queue((row) => this.#isCurrent(row));

  constructor(size: number) {
    this.size = size;
  }

  reserve(checkout: number, now: number): void {
    const isFresh = this.#rows.size < this.size;
    const last = isFresh ? undefined : this.#longestUnused(now);
    if (!isFresh && !last) {
      this.refused += 1;
      return;
    }
    const expiresAt = holdUntil({ atPar: true, now, receiptEndsAt: null });
    const row: Row = {
      amount: last?.amount ?? this.#rows.size,
      receiptId: idOf(checkout),
      createdAt: now,
      expiresAt,
      earlier: last ? [...(last.isPaid ? [] : [last.receiptId]), ...last.earlier] : [],
      reservedUntil: expiresAt + UNPAID_MS,
      isPaid: false,
    };
    this.#rows.set(row.amount, row);
    this.#amounts.set(checkout, row.amount);
    this.#unpaid.add(row);
    if (checkout % COUNT_EVERY === 0) this.mostHeld = Math.max(this.mostHeld, this.#countHeld(now));
  }

  /** Decides about a payment. A buyer who pays in time confirms it if asked. */
  pay({ payer, at, isLate }: Payment): Outcome {
    const row = this.#rows.get(this.#amounts.get(payer)!)!;
    const asked = this.#decide(row, at, []);
    const isAsked = asked.kind === 'unmatched' && asked.asks === idOf(payer) && !isLate;
    const decision = isAsked ? this.#decide(row, at, [hintOf(payer)]) : asked;
    const known = { payer, at, isLate, isAsked };
    if (decision.kind === 'credit') {
      row.isPaid = true;
      row.reservedUntil = at + PAID_MS;
      this.#paid.add(row);
      return { ...known, credited: numberOf(decision.receipt.id), reason: null, named: [] };
    }
    if (decision.kind !== 'unmatched') throw new Error(`The decision is ${decision.kind}`);
    return { ...known, credited: null, reason: decision.reason, named: decision.meantFor.map(numberOf) };
  }

  #decide({ receiptId, createdAt, expiresAt, earlier, isPaid }: Row, at: number, hints: readonly Hint[]) {
    const receipt: MatchableReceipt = {
      id: receiptId,
      status: isPaid ? 'tx_mined' : 'generated',
      expiresAt: createdAt + 7 * DAY_MS,
    };
    return decideMatch({
      transfer: transferOf(at),
      ...{
        rate: '1',
        splitCreatedBlock: null,
        lost: null,
        bound: null,
        hints,
        lateHours: LATE_HOURS,
        isHeldOpen: false,
      },
      quoted: {
        quote: { ...{ id: receiptId, amount: '1', usd: '1', usdPerUnit: '1' }, ...{ createdAt, expiresAt, earlier } },
        receipt,
      },
    });
  }

  /** Whether a row still holds its amount. */
  #isCurrent(row: Row): boolean {
    return this.#rows.get(row.amount) === row;
  }

  #countHeld(now: number): number {
    return [...this.#rows.values()].filter(({ reservedUntil }) => reservedUntil >= now).length;
  }

  #longestUnused(now: number): Row | undefined {
    const [unpaid, paid] = [this.#unpaid.oldest(now), this.#paid.oldest(now)];
    if (!unpaid || !paid) return unpaid ?? paid;
    return paid.reservedUntil < unpaid.reservedUntil ? paid : unpaid;
  }
}

const hintOf = (checkout: number): Hint => ({
  ...{ receiptId: idOf(checkout), status: 'generated', vouched: false, vouchedAmount: null, signed: false },
});

const transferOf = (at: number): TransferRow => ({
  ...{ chainId: 1, blockHash: '0xb', transactionHash: '0xa', logIndex: 0, blockNumber: 1, blockTimeMs: at },
  ...{ token: 'USDC', sender: wallet, payTo: wallet, merchant: wallet, amount: '1', seenAt: at },
  ...{ addressOf: null, split: null },
  ...{ confirmedAt: null, receiptId: null, quoteId: null, unmatchedReason: null, refundMarkedAt: null },
});
