import type { Wallet } from '../../core/wallet.ts';
import type { Hint } from '../core/hint.ts';
import type { Holding } from '../core/holder.ts';
import type { MatchableReceipt, MatchFacts } from '../core/match.ts';
import type { PaidQuote } from '../core/weigh.ts';
import type { TransferRow } from '../transfer-row.ts';

const wallet = (digit: string) => `0x${digit.repeat(40)}` as Wallet;
const hash = (digit: string) => `0x${digit.repeat(64)}` as const;

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
  amount: '10001234',
  confirmedAt: null,
  merchant: wallet('3'),
  ...{ addressOf: null, split: null },
  receiptId: null,
  quoteId: null,
  unmatchedReason: null,
  refundMarkedAt: null,
  seenAt: 6_000,
};
export const HOUR_MS = 3_600_000;
const unshared: Holding = { earlier: [], createdAt: 1_000 };
export const quote: PaidQuote & Holding = {
  ...{ id: 'quote_1', amount: '10001234', usd: '10', usdPerUnit: '1', expiresAt: null },
  ...unshared,
};
/** An amount that R-0 held before. */
export const shared = { ...quote, earlier: ['R-0'] };
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
  vouched: false,
  vouchedAmount: null,
  signed: false,
  ...more,
});

/** Facts of a transfer that nothing but the given ones says anything about. */
export const facts = (known: Partial<MatchFacts<MatchableReceipt>> = {}): MatchFacts<MatchableReceipt> => ({
  transfer,
  rate: '1',
  splitCreatedBlock: 50,
  ...{ reorganizations: [], lost: null, bound: null, hints: [], isHeldOpen: false },
  quoted: null,
  notChosen: null,
  quotedElsewhere: [],
  ...known,
});

/** The same transfer to the address of R-addressed, whose money belongs in the split. */
export const arrival: TransferRow = { ...transfer, addressOf: 'R-addressed', split: wallet('4') };
