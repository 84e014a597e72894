import type { Wallet } from '../../../base/core/wallet.ts';
import type { Hint, MatchableReceipt, MatchFacts } from '../transfers/core/match.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';
import type { Price } from '../transfers/core/weigh.ts';

const wallet = (digit: string) => `0x${digit.repeat(40)}` as Wallet;
const hash = (digit: string) => `0x${digit.repeat(64)}` as const;

/** A transfer straight to a split. */
export const transfer: TransferRow = {
  chainId: 1,
  blockHash: hash('a'),
  transactionHash: hash('b'),
  logIndex: 0,
  blockNumber: 100,
  blockTimeMs: 5_000,
  token: 'USDC',
  sender: wallet('1'),
  payTo: wallet('2'),
  amount: '10000000',
  confirmedAt: null,
  merchant: wallet('3'),
  ...{ addressOf: null, split: null },
  receiptId: null,
  unmatchedReason: null,
  refundMarkedAt: null,
  seenAt: 6_000,
};
/** The same transfer to the address of R-1. */
export const arrival: TransferRow = { ...transfer, addressOf: 'R-1', split: wallet('4') };
export const HOUR_MS = 3_600_000;
export const price: Price = { usdPerUnit: '1', expiresAt: null };
export const pending: MatchableReceipt = {
  id: 'R-1',
  status: 'pending',
  createdBlock: 90,
  createdChainId: transfer.chainId,
};
export const paid: MatchableReceipt = { ...pending, status: 'paid' };
export const hintOf = (more: Partial<Hint> = {}): Hint => ({
  receiptId: 'R-1',
  status: 'pending',
  signed: false,
  ...more,
});

/** Facts of a transfer that nothing but the given ones says anything about. */
export const facts = (known: Partial<MatchFacts<MatchableReceipt>> = {}): MatchFacts<MatchableReceipt> => ({
  transfer,
  rate: '1',
  splitCreatedBlock: 50,
  ...{ reorganizations: [], lost: null, bound: null, asked: null, hints: [], isHeldOpen: false },
  ...{ price: null, notChosen: null },
  ...known,
});

/** Facts of an arrival at the address of a receipt. */
export const arrived = (
  addressed: MatchableReceipt | null,
  known: Partial<MatchFacts<MatchableReceipt>> = {},
): MatchFacts<MatchableReceipt> => facts({ transfer: arrival, addressed, ...known });
