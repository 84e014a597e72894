import type { Wallet } from '../../src/core/wallet.ts';
import type { ReceiptStatus } from '../../src/receipts/lifecycle.ts';

// The payments of one merchant as the simulator drives them. `PureCore` carries them out with the pure functions of the
// product, `Model` by a short description of what should happen, and `StoredPayments` with the product on PostgreSQL.

/** What a merchant accepts, and the depth that payments need. */
export interface Terms {
  readonly lateHours: number;
  readonly toleranceBps: number;
  readonly toleranceCents: number;
  /** Blocks. */
  readonly depth: number;
  /** Millionths of a dollar per whole COIN, at a time; null if the rate is unknown. */
  readonly coinRate: (timeMs: number) => bigint | null;
}

export interface NewReceipt {
  readonly id: string;
  readonly totalCents: number;
  readonly expiresAt: number | null;
  readonly createdBlock: number;
  readonly createdAt: number;
}

/** Both tokens have six decimals. USDC is a dollar; COIN has a rate. */
export type TokenSymbol = 'USDC' | 'COIN';

export interface NewQuote {
  readonly id: string;
  readonly receiptId: string;
  readonly token: TokenSymbol;
  /** Base units. */
  readonly amount: bigint;
  /** What was due, in units of 10^-12 dollars. */
  readonly due: bigint;
  /** Millionths of a dollar per whole token. */
  readonly rate: bigint;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The receipts that held the amount before and did not pay. */
  readonly earlier: readonly string[];
}

/** A log of a block. */
export interface SeenTransfer {
  readonly blockHash: `0x${string}`;
  readonly blockNumber: number;
  readonly blockTimeMs: number;
  readonly transactionHash: `0x${string}`;
  readonly logIndex: number;
  readonly token: TokenSymbol;
  readonly amount: bigint;
  readonly sender: Wallet;
}

export type Key = Pick<SeenTransfer, 'blockHash' | 'transactionHash' | 'logIndex'>;

export interface NewHint {
  readonly receiptId: string;
  readonly transactionHash: `0x${string}`;
  readonly vouched: boolean;
  /** Base units; null if the provider does not report it. */
  readonly vouchedAmount: bigint | null;
  readonly signedBy: Wallet | null;
}

/** `conflict`: the same log is stored in another block, which the watcher has to take back first. */
export type Recorded = 'stored' | 'known' | 'conflict';

/** The time, epoch ms. Only the driver moves it. */
export interface Clock {
  now: number;
}

type Result<T> = T | Promise<T>;

export interface Payments {
  addReceipt(receipt: NewReceipt): Result<void>;
  /** A quote replaces the one with the same token and amount. Its receipt becomes `pending`. */
  addQuote(quote: NewQuote): Result<void>;
  record(transfer: SeenTransfer): Result<Recorded>;
  hint(hint: NewHint): Result<void>;
  /** Matches the transfers of a hinted transaction again. */
  followHint(transactionHash: `0x${string}`): Result<void>;
  /** Confirms the transfers up to a block that have their depth below the head. */
  confirm(upTo: number, head: number): Result<void>;
  /** Takes a transfer back whose block was removed. */
  revert(key: Key): Result<void>;
  expire(): Result<void>;
  void(receiptId: string): Result<void>;
  /** A transaction that was meant to pay the receipt was reverted. */
  fail(receiptId: string): Result<void>;
  complete(receiptId: string): Result<void>;
  assign(key: Key, receiptId: string): Result<void>;
  mark(key: Key, isMarked: boolean): Result<void>;
  view(): Result<View>;
}

export interface ReceiptView {
  readonly id: string;
  readonly status: ReceiptStatus;
  /** The statuses and the notes about lost payments, in order. */
  readonly history: readonly string[];
}

export interface TransferView extends Key {
  readonly isCanonical: boolean;
  readonly isConfirmed: boolean;
  readonly receiptId: string | null;
  readonly quoteId: string | null;
  readonly reason: string | null;
  readonly meantFor: readonly string[];
  readonly isMarked: boolean;
}

/** The state, with receipts and transfers in the order in which they were added. */
export interface View {
  readonly receipts: readonly ReceiptView[];
  readonly transfers: readonly TransferView[];
}

export const sameKey = (a: Key, b: Key): boolean =>
  a.blockHash === b.blockHash && a.transactionHash === b.transactionHash && a.logIndex === b.logIndex;
