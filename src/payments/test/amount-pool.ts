import type { Wallet } from '../../core/wallet.ts';
import { holdUntil, seenAgain, UNPAID_MS } from '../../quotes/hold.ts';
import { decideMatch, type MatchableReceipt } from '../core/match.ts';
import type { TransferRow } from '../transfers.ts';
import type { Late, Outcome } from './planned-year.ts';

const DAY_MS = 24 * 3_600_000;
const LATE_HOURS = 24;
const wallet = `0x${'1'.repeat(40)}` as Wallet;

interface Row {
  readonly amount: number;
  readonly receiptId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly earlier: string[];
}

const idOf = (checkout: number): string => `R-${checkout}`;
const numberOf = (id: string): number => Number(id.slice(2));

/**
 * The amounts of one price as `reserveAmount` hands them out to abandoned checkouts, in memory: first those that were
 * never used, then the one that is unused for the longest time. Late payments are decided by the rules of the code.
 */
export class AmountPool {
  readonly size: number;
  refused = 0;
  mostHeld = 0;
  readonly #rows = new Map<number, Row>();
  readonly #amounts = new Map<number, number>();
  readonly #paid = new Set<string>();
  /** The rows in the order in which their reservations end, and the first of them that was not taken over. */
  readonly #queue: Row[] = [];
  #oldest = 0;
  #firstHeld = 0;

  constructor(size: number) {
    this.size = size;
  }

  reserve(checkout: number, now: number): void {
    const isFree = (row: Row | undefined) => row !== undefined && row.expiresAt + UNPAID_MS < now;
    while (isFree(this.#queue[this.#firstHeld])) this.#firstHeld += 1;
    const last = this.#queue[this.#oldest];
    const isFresh = this.#rows.size < this.size;
    if (!isFresh && !isFree(last)) {
      this.refused += 1;
      return;
    }
    const row: Row = {
      amount: isFresh ? this.#rows.size : last!.amount,
      receiptId: idOf(checkout),
      createdAt: now,
      expiresAt: holdUntil({ atPar: true, now, receiptEndsAt: null }),
      earlier: isFresh ? [] : [last!.receiptId, ...last!.earlier],
    };
    if (!isFresh) this.#oldest += 1;
    this.#rows.set(row.amount, row);
    this.#amounts.set(checkout, row.amount);
    this.#queue.push(row);
    this.mostHeld = Math.max(this.mostHeld, this.#queue.length - this.#firstHeld);
  }

  pay({ payer, at }: Late): Outcome {
    const row = this.#rows.get(this.#amounts.get(payer)!)!;
    const { receiptId, createdAt, expiresAt, earlier } = row;
    const receipt: MatchableReceipt = {
      id: receiptId,
      status: this.#paid.has(receiptId) ? 'tx_mined' : 'generated',
      expiresAt: createdAt + 7 * DAY_MS,
    };
    const decision = decideMatch({
      transfer: transferOf(at),
      ...{ rate: '1', splitCreatedBlock: null, lost: null, bound: null, hints: [], lateHours: LATE_HOURS },
      quoted: {
        quote: {
          ...{ id: receiptId, amount: '1', usd: '1', usdPerUnit: '1', expiresAt, earlier },
          ...seenAgain({ seenAt: null, seenFrom: null }, createdAt),
        },
        receipt,
      },
    });
    if (decision.kind === 'credit') {
      this.#paid.add(decision.receipt.id);
      return { payer, at, credited: numberOf(decision.receipt.id), reason: null, named: [] };
    }
    if (decision.kind !== 'unmatched') throw new Error(`The decision is ${decision.kind}`);
    return { payer, at, credited: null, reason: decision.reason, named: decision.meantFor.map(numberOf) };
  }
}

const transferOf = (at: number): TransferRow => ({
  ...{ chainId: 1, blockHash: '0xb', transactionHash: '0xa', logIndex: 0, blockNumber: 1, blockTimeMs: at },
  ...{ token: 'USDC', sender: wallet, payTo: wallet, merchant: wallet, amount: '1', seenAt: at },
  ...{ confirmedAt: null, receiptId: null, quoteId: null, unmatchedReason: null, refundMarkedAt: null },
});
