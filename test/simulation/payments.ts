import type { ReceiptStatus } from '../../src/domain/sales/receipts/lifecycle.ts';

// The payments of one merchant as the simulator drives them. `PureCore` carries them out with the pure functions of the
// product, `Model` by a short description of what should happen, and `StoredPayments` with the product on PostgreSQL.

/** Two chains, on which the same splits and addresses exist. */
export const CHAIN_IDS: readonly number[] = [1, 2];
/** The merchant's splits. The second one has replaced the first one. Both are watched. */
export const SPLITS: readonly [Party, Party] = ['S-0', 'S-1'];

/** Who sends or receives: a split, an address of a receipt (`R-0#1`), or somebody else. */
export type Party = string;

/** Both tokens have six decimals. USDC is a dollar; COIN has a rate. */
export type TokenSymbol = 'USDC' | 'COIN';

/** What a merchant accepts, and the depth that payments need. */
export interface Terms {
  readonly lateHours: number;
  readonly toleranceBps: number;
  readonly toleranceCents: number;
  /** The tokens that the merchant takes; null if all of every chain. */
  readonly chosen: readonly { readonly chainId: number; readonly token: TokenSymbol }[] | null;
  /** Blocks. */
  readonly depth: number;
  /** Millionths of a dollar per whole COIN, at a time; null if the rate is unknown. */
  readonly coinRate: (timeMs: number) => bigint | null;
}

export interface NewReceipt {
  readonly id: string;
  readonly totalCents: number;
  readonly expiresAt: number | null;
  /** The heads of the chains when it was made. */
  readonly createdHeads: Readonly<Record<number, number>>;
  readonly createdAt: number;
}

/** The next address of a receipt. Its money is collected to the split. */
export interface NewAddress {
  readonly address: Party;
  readonly receiptId: string;
  readonly number: number;
  readonly split: Party;
}

export interface NewQuote {
  readonly id: string;
  readonly receiptId: string;
  readonly chainId: number;
  /** An address of the receipt, or a split in a quote of version 0.1. */
  readonly payTo: Party;
  readonly token: TokenSymbol;
  /** Base units. */
  readonly amount: bigint;
  /** What was due, in units of 10^-12 dollars. */
  readonly due: bigint;
  /** Millionths of a dollar per whole token. */
  readonly rate: bigint;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** In a quote of version 0.1: the receipts that held the amount before and did not pay. */
  readonly earlier: readonly string[];
}

/** A log of a block. */
export interface SeenTransfer {
  readonly chainId: number;
  readonly blockHash: `0x${string}`;
  readonly blockNumber: number;
  readonly blockTimeMs: number;
  readonly transactionHash: `0x${string}`;
  readonly logIndex: number;
  readonly token: TokenSymbol;
  readonly amount: bigint;
  readonly from: Party;
  readonly to: Party;
}

export type Key = Pick<SeenTransfer, 'chainId' | 'blockHash' | 'transactionHash' | 'logIndex'>;

export interface NewHint {
  readonly receiptId: string;
  readonly chainId: number;
  readonly transactionHash: `0x${string}`;
  readonly vouched: boolean;
  readonly signedBy: Party | null;
}

/** How a transaction failed that was meant to pay a receipt. */
export type Failure = 'reverted' | 'wrong_token';

/** `conflict`: the same log is stored in another block, which the watcher has to take back first. */
export type Recorded = 'stored' | 'known' | 'conflict';

/** The time, epoch ms. Only the driver moves it. */
export interface Clock {
  now: number;
}

type Result<T> = T | Promise<T>;

export interface Payments {
  addReceipt(receipt: NewReceipt): Result<void>;
  addAddress(address: NewAddress): Result<void>;
  /** A quote replaces the one of the same amount at the same place. Its receipt becomes `pending`. */
  addQuote(quote: NewQuote): Result<void>;
  record(transfer: SeenTransfer): Result<Recorded>;
  hint(hint: NewHint): Result<void>;
  /** Matches the transfers of a hinted transaction again. */
  followHint(hint: Pick<NewHint, 'chainId' | 'transactionHash'>): Result<void>;
  /** Confirms the transfers of a chain up to a block that have their depth below the head. */
  confirm(chainId: number, upTo: number, head: number): Result<void>;
  /** Takes a transfer back whose block was removed. */
  revert(key: Key): Result<void>;
  expire(): Result<void>;
  void(receiptId: string): Result<void>;
  /** A transaction was meant to pay the receipt at its first address, and did not. */
  fail(receiptId: string, failure: Failure): Result<void>;
  complete(receiptId: string): Result<void>;
  /** The merchant accepts what is missing. */
  accept(receiptId: string): Result<void>;
  assign(key: Key, receiptId: string): Result<void>;
  mark(key: Key, isMarked: boolean): Result<void>;
  view(): Result<View>;
}

export interface ReceiptView {
  readonly id: string;
  readonly status: ReceiptStatus;
  /** The statuses and the notes about money, in order. */
  readonly history: readonly string[];
  /** US dollars, as decimal text. */
  readonly missing: string;
  readonly surplus: string;
  /** The payment that it names. */
  readonly buyer: Party | null;
  readonly hash: string | null;
  readonly chainId: number | null;
}

export interface TransferView extends Key {
  readonly isCanonical: boolean;
  readonly isConfirmed: boolean;
  /** Of an arrival on the chain: whether it was brought to the split. */
  readonly isCollected: boolean | null;
  readonly receiptId: string | null;
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
  a.chainId === b.chainId &&
  a.blockHash === b.blockHash &&
  a.transactionHash === b.transactionHash &&
  a.logIndex === b.logIndex;

export const keyOf = ({ chainId, blockHash, transactionHash, logIndex }: Key): Key => ({
  ...{ chainId, blockHash, transactionHash, logIndex },
});

/** Whether an address has sent what has arrived on; among the logs of the chain. */
export const isCollected = (arrival: SeenTransfer, logs: readonly SeenTransfer[]): boolean =>
  logs.some(
    (one) =>
      one.chainId === arrival.chainId &&
      one.token === arrival.token &&
      one.from === arrival.to &&
      (one.blockNumber - arrival.blockNumber || one.logIndex - arrival.logIndex) > 0,
  );

/** Units of 10^-`decimals` as decimal text. */
export const textOf = (units: bigint, decimals = 6): string => {
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
};
