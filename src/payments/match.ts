import type { Token } from '../chain/tokens.ts';
import type { Transfer } from '../chain/transfers.ts';
import { Refusal } from '../core/errors.ts';
import { type ReadRate, usdPerToken } from '../fx/usd-per-token.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { latestQuote, QUOTE_COLUMNS, type QuoteRow } from '../quotes/reserve.ts';
import { isWaiting } from '../receipts/lifecycle.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceipt, recordChange } from '../receipts/record-change.ts';
import { boundReceipt } from './bound-transactions.ts';
import { creditTransfer, describeTransfer, holds } from './credit.ts';
import { hintedReceipt } from './hinted-receipt.ts';
import { reportUnmatched } from './report-unmatched.ts';
import type { UnmatchedReason } from './transfer.entity.ts';
import {
  insertTransfer,
  type Link,
  leaveUnmatched,
  linkTransfer,
  lockTransfer,
  TRANSFER_COLUMNS,
  type TransferKey,
  type TransferRow,
  unlinkTransfer,
} from './transfers.ts';
import type { Watched } from './watched.ts';

export type MatchDeps = Pick<Deps, 'orm' | 'sql' | 'boss' | 'bus' | 'chain' | 'clock' | 'log'> & {
  readonly readRate: ReadRate;
  readonly watched: Watched;
};

/**
 * Stores a transfer and matches it to a receipt, in one transaction; it can be repeated. A transfer that cannot be
 * matched, or whose matching times out twice, is stored as unmatched (`error`) and logged: no transfer can stop the
 * watcher. `retryErrors` retries it later. Returns true if the transfer was new.
 */
export async function recordTransfer(deps: MatchDeps, transfer: Transfer): Promise<boolean> {
  const split = deps.watched.find(transfer.to);
  const token = deps.chain.tokens.find(({ symbol }) => symbol === transfer.symbol);
  if (!split || !token) return false;
  // Any contract can emit the splitter's event; only verified splitters are trusted.
  if (token.address === null && !split.verified) return false;
  let isMatching = false;
  const take = (match: (uow: UnitOfWork, row: TransferRow) => Promise<void>) =>
    inTransaction(deps, async (uow) => {
      isMatching = false;
      const row = await insertTransfer(uow, deps.chain.chainId, transfer, split, deps.clock());
      isMatching = true;
      if (row) await match(uow, row);
      return row !== null;
    });
  const takeAndMatch = async () => {
    const rate = await rateAt(deps.readRate, token, transfer.blockTimeMs);
    return take(async (uow, row) => {
      if (row.receiptId !== null) await noteBack(deps, uow, row, row.receiptId, token);
      // Its block has returned, and an admin has already marked it for refund.
      else if (row.refundMarkedAt !== null) return;
      else if (row.blockNumber < split.createdBlock)
        await reportUnmatched(deps, uow, row, { token, reason: 'too_old', quoteId: null });
      else await matchTransfer(deps, uow, row, { token, rate });
    });
  };
  // If the transfer can be written and only its matching times out, the database is reachable and the matching is too
  // slow.
  const isTooSlow = (error: unknown) =>
    error instanceof Refusal && error.code === 'datastore_unavailable' && isMatching;
  try {
    return await takeAndMatch().catch((error: unknown) => {
      if (isTooSlow(error)) return takeAndMatch();
      throw error;
    });
  } catch (error) {
    if (error instanceof Refusal && !isTooSlow(error)) throw error;
    deps.log.error({ err: error, transactionHash: transfer.transactionHash }, 'transfer could not be matched');
    return take(async (uow, row) => {
      if (row.receiptId === null) await leaveUnmatched(uow, row, 'error', null);
    });
  }
}

/** Matches an unmatched transfer again: its receipt may wait for money by now, or a hint was submitted. */
export async function rematchTransfer(
  deps: MatchDeps,
  key: TransferKey & Pick<TransferRow, 'token' | 'blockTimeMs'>,
): Promise<void> {
  const token = deps.chain.tokens.find(({ symbol }) => symbol === key.token);
  if (!token) return;
  const rate = await rateAt(deps.readRate, token, key.blockTimeMs);
  await inTransaction(deps, async (uow) => {
    const row = await lockTransfer(uow, key);
    // A transfer marked for refund is not matched any more.
    if (row && row.receiptId === null && row.refundMarkedAt === null)
      await matchTransfer(deps, uow, row, { token, rate });
  });
}

interface Priced {
  readonly token: Token;
  /** The rate at the block's time; null if unknown. */
  readonly rate: string | null;
}

async function rateAt(readRate: ReadRate, token: Token, atMs: number): Promise<string | null> {
  try {
    return await usdPerToken(readRate, token, atMs);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'exchange_rate_unavailable') return null;
    throw error;
  }
}

/** Matches by amount and address, never by sender, because exchanges and batchers pay too. */
async function matchTransfer(deps: MatchDeps, uow: UnitOfWork, transfer: TransferRow, priced: Priced): Promise<void> {
  if (await relinkTransfer(deps, uow, transfer, priced.token)) return;
  if (await payBound(deps, uow, transfer, priced)) return;
  const quote = await quotedExactly(uow, transfer);
  if (!quote) return matchUnknownAmount(deps, uow, transfer, priced);
  const receipt = await lockReceipt(uow, quote.merchant, quote.receiptId);
  const reason = receipt ? whyUnmatched(receipt, transfer) : 'unknown_amount';
  const unmatched = (why: UnmatchedReason) =>
    reportUnmatched(deps, uow, transfer, { token: priced.token, reason: why, quoteId: quote.id });
  if (!receipt || reason !== null) return unmatched(reason ?? 'unknown_amount');
  const usdPerUnit = holds(quote, transfer.blockTimeMs) ? quote.usdPerUnit : priced.rate;
  if (usdPerUnit === null) return unmatched('no_rate');
  await creditTransfer(deps, uow, receipt, transfer, { token: priced.token, usdPerUnit, quote });
}

/** A transaction of the server pays the receipt that it was bound to, even if its amount equals another quote. */
async function payBound(deps: MatchDeps, uow: UnitOfWork, transfer: TransferRow, priced: Priced): Promise<boolean> {
  const receiptId = await boundReceipt(uow, transfer);
  const receipt = receiptId === null ? null : await lockReceipt(uow, transfer.merchant, receiptId);
  if (!receipt || priced.rate === null) return false;
  if (!isWaiting(receipt))
    await reportUnmatched(deps, uow, transfer, { token: priced.token, reason: 'duplicate', quoteId: null });
  else
    await creditTransfer(deps, uow, receipt, transfer, { token: priced.token, usdPerUnit: priced.rate, quote: null });
  return true;
}

function whyUnmatched(receipt: Receipt, transfer: TransferRow): UnmatchedReason | null {
  if (!isWaiting(receipt)) return 'duplicate';
  return isTooOld(receipt, transfer) ? 'too_old' : null;
}

/** Older than the known head when the receipt was created, so it cannot be meant for it. */
const isTooOld = ({ createdBlock }: Receipt, { blockNumber }: TransferRow): boolean =>
  createdBlock != null && blockNumber < createdBlock;

async function quotedExactly(uow: UnitOfWork, transfer: TransferRow): Promise<QuoteRow | null> {
  const [quote] = await uow.sql<QuoteRow>(
    `select ${QUOTE_COLUMNS} from quotes q where q.chain_id = $1 and q.pay_to = $2 and q.token = $3 and q.amount = $4::numeric`,
    [transfer.chainId, transfer.payTo, transfer.token, transfer.amount],
  );
  return quote ?? null;
}

/** Credits an amount that no receipt was quoted, only if a hint identifies the receipt; usually there is none. */
async function matchUnknownAmount(
  deps: MatchDeps,
  uow: UnitOfWork,
  transfer: TransferRow,
  priced: Priced,
): Promise<void> {
  const unmatched = (reason: UnmatchedReason) =>
    reportUnmatched(deps, uow, transfer, { token: priced.token, reason, quoteId: null });
  const receiptId = await hintedReceipt(uow, transfer);
  const receipt = receiptId === null ? null : await lockReceipt(uow, transfer.merchant, receiptId);
  if (!receipt || !isWaiting(receipt)) return unmatched('unknown_amount');
  if (isTooOld(receipt, transfer)) return unmatched('too_old');
  const quote = await latestQuote(uow, receipt, transfer);
  const usdPerUnit = quote && holds(quote, transfer.blockTimeMs) ? quote.usdPerUnit : priced.rate;
  if (usdPerUnit === null) return unmatched('no_rate');
  await creditTransfer(deps, uow, receipt, transfer, { token: priced.token, usdPerUnit, quote });
}

/**
 * Keeps a final payment that lost its block linked to its receipt: the same transaction in another block is that
 * payment, not a second one.
 */
async function relinkTransfer(deps: MatchDeps, uow: UnitOfWork, transfer: TransferRow, token: Token): Promise<boolean> {
  const [lost] = await uow.sql<TransferRow & Link>(
    `select ${TRANSFER_COLUMNS}, t.usd, t.asked_usd as "askedUsd", t.exact, t.assigned_by as "assignedBy" from transfers t
      where t.chain_id = $1 and t.transaction_hash = $2 and not t.canonical and t.receipt_id is not null
        and t.pay_to = $3 and t.token = $4 and t.amount = $5::numeric
      order by t.log_index limit 1`,
    [transfer.chainId, transfer.transactionHash, transfer.payTo, transfer.token, transfer.amount],
  );
  if (!lost) return false;
  await unlinkTransfer(uow, lost);
  await linkTransfer(uow, transfer, lost);
  await noteBack(deps, uow, transfer, lost.receiptId, token);
  return true;
}

/**
 * Notes that a final payment which had lost its block is on the chain again. The receipt's status did not change when
 * it was lost.
 */
async function noteBack(
  deps: MatchDeps,
  uow: UnitOfWork,
  transfer: TransferRow,
  receiptId: string,
  token: Token,
): Promise<void> {
  const receipt = await lockReceipt(uow, transfer.merchant, receiptId);
  if (!receipt) return;
  const detail = describeTransfer(transfer, token);
  await recordChange(deps, uow, receipt, { kind: 'note', name: 'payment_back' }, { actor: 'chain', detail });
}
