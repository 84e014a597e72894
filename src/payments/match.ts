import type { Token } from '../chain/tokens.ts';
import type { Transfer } from '../chain/transfers.ts';
import { Refusal } from '../core/errors.ts';
import type { Deps } from '../platform/deps.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import { isWaiting, WAITING } from '../receipts/lifecycle.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceipt, recordChange } from '../receipts/record-change.ts';
import { boundReceipt } from './bind.ts';
import { creditTransfer, describeTransfer, holds } from './credit.ts';
import { type ReadRate, usdPerToken } from './rate.ts';
import { latestQuote, QUOTE_COLUMNS, type QuoteRow } from './reserve.ts';
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
 * Keeps a transfer that was seen and finds its receipt, in one transaction; any number of times. One that cannot be handled is kept as unmatched and
 * told in the log, so that it stands in nobody's way. True where it was new.
 */
export async function takeTransfer(deps: MatchDeps, transfer: Transfer): Promise<boolean> {
  const split = deps.watched.find(transfer.to);
  const token = deps.chain.tokens.find(({ symbol }) => symbol === transfer.symbol);
  if (!split || !token) return false;
  // Any contract can emit the splitter's event; only a known one is believed.
  if (token.address === null && !split.verified) return false;
  const take = (match: (uow: UnitOfWork, row: TransferRow) => Promise<void>) =>
    inTransaction(deps, async (uow) => {
      const row = await insertTransfer(uow, deps.chain.chainId, transfer, split, deps.clock());
      if (row) await match(uow, row);
      return row !== null;
    });
  try {
    const rate = await rateAt(deps.readRate, token, transfer.blockTimeMs);
    return await take(async (uow, row) => {
      if (row.blockNumber < split.createdBlock) await leaveUnmatched(uow, row, 'too_old', null);
      else await matchTransfer(deps, uow, row, { token, rate });
    });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    deps.log.error({ err: error, transactionHash: transfer.transactionHash }, 'a transfer could not be matched');
    return take((uow, row) => leaveUnmatched(uow, row, 'error', null));
  }
}

/** Looks again at an unmatched transfer: its receipt may wait for money by now, or somebody has pointed at it. */
export async function rematchTransfer(
  deps: MatchDeps,
  key: TransferKey & Pick<TransferRow, 'token' | 'blockTimeMs'>,
): Promise<void> {
  const token = deps.chain.tokens.find(({ symbol }) => symbol === key.token);
  if (!token) return;
  const rate = await rateAt(deps.readRate, token, key.blockTimeMs);
  await inTransaction(deps, async (uow) => {
    const row = await lockTransfer(uow, key);
    // What is to be sent back pays nothing by itself any more.
    if (row && row.receiptId === null && row.refundMarkedAt === null)
      await matchTransfer(deps, uow, row, { token, rate });
  });
}

interface Priced {
  readonly token: Token;
  /** Of the block's time; null where nobody knows. */
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

/** By what arrived where, never by who sent it: exchanges and batchers pay too. */
async function matchTransfer(deps: MatchDeps, uow: UnitOfWork, transfer: TransferRow, priced: Priced): Promise<void> {
  if (await takeUpAgain(deps, uow, transfer, priced.token)) return;
  if (await payBound(deps, uow, transfer, priced)) return;
  const quote = await quotedExactly(uow, transfer);
  if (!quote) return matchUnknownAmount(deps, uow, transfer, priced);
  const receipt = await lockReceipt(uow, quote.merchant, quote.receiptId);
  const reason = receipt ? whyUnmatched(receipt, transfer) : 'unknown_amount';
  if (!receipt || reason !== null) return leaveUnmatched(uow, transfer, reason ?? 'unknown_amount', quote.id);
  const usdPerUnit = holds(quote, transfer.blockTimeMs) ? quote.usdPerUnit : priced.rate;
  if (usdPerUnit === null) return leaveUnmatched(uow, transfer, 'no_rate', quote.id);
  await creditTransfer(deps, uow, receipt, transfer, { token: priced.token, usdPerUnit, quote });
}

/** A transaction of our own pays the receipt that it was made for, whatever else its amount may be asked for. */
async function payBound(deps: MatchDeps, uow: UnitOfWork, transfer: TransferRow, priced: Priced): Promise<boolean> {
  const receiptId = await boundReceipt(uow, transfer);
  const receipt = receiptId === null ? null : await lockReceipt(uow, transfer.merchant, receiptId);
  if (!receipt || priced.rate === null) return false;
  if (!isWaiting(receipt)) await leaveUnmatched(uow, transfer, 'duplicate', null);
  else
    await creditTransfer(deps, uow, receipt, transfer, { token: priced.token, usdPerUnit: priced.rate, quote: null });
  return true;
}

function whyUnmatched(receipt: Receipt, transfer: TransferRow): UnmatchedReason | null {
  if (!isWaiting(receipt)) return 'duplicate';
  return isTooOld(receipt, transfer) ? 'too_old' : null;
}

/** Older than the head that was known when the receipt was made: it cannot be meant for it. */
const isTooOld = ({ createdBlock }: Receipt, { blockNumber }: TransferRow): boolean =>
  createdBlock != null && blockNumber < createdBlock;

async function quotedExactly(uow: UnitOfWork, transfer: TransferRow): Promise<QuoteRow | null> {
  const [quote] = await uow.sql<QuoteRow>(
    `select ${QUOTE_COLUMNS} from quotes q where q.chain_id = $1 and q.pay_to = $2 and q.token = $3 and q.amount = $4::numeric`,
    [transfer.chainId, transfer.payTo, transfer.token, transfer.amount],
  );
  return quote ?? null;
}

/** An amount that nobody was quoted is credited only where it is known whose it is. */
async function matchUnknownAmount(
  deps: MatchDeps,
  uow: UnitOfWork,
  transfer: TransferRow,
  priced: Priced,
): Promise<void> {
  const receiptId =
    (await vouchedReceipt(uow, transfer)) ?? (await signedReceipt(uow, transfer)) ?? (await onlyWaiting(uow, transfer));
  const receipt = receiptId === null ? null : await lockReceipt(uow, transfer.merchant, receiptId);
  if (!receipt || !isWaiting(receipt)) return leaveUnmatched(uow, transfer, 'unknown_amount', null);
  if (isTooOld(receipt, transfer)) return leaveUnmatched(uow, transfer, 'too_old', null);
  const quote = await latestQuote(uow, receipt, transfer);
  const usdPerUnit = quote && holds(quote, transfer.blockTimeMs) ? quote.usdPerUnit : priced.rate;
  if (usdPerUnit === null) return leaveUnmatched(uow, transfer, 'no_rate', null);
  await creditTransfer(deps, uow, receipt, transfer, { token: priced.token, usdPerUnit, quote });
}

/**
 * The receipt that a card provider delivers to with this transaction, by its own signed word; it rounds to cents, so its amounts are nobody's quote. Of
 * several in one transaction the amount tells; null where it does not, or nobody vouches.
 */
async function vouchedReceipt(uow: UnitOfWork, transfer: TransferRow): Promise<string | null> {
  const vouched = await uow.sql<{ receiptId: string; amount: string | null }>(
    `select receipt_id as "receiptId", vouched_amount::text as amount from submitted_transactions
      where merchant = $1 and chain_id = $2 and transaction_hash = $3 and vouched_by is not null`,
    [transfer.merchant, transfer.chainId, transfer.transactionHash],
  );
  const exact = vouched.filter(({ amount }) => amount !== null && BigInt(amount) === BigInt(transfer.amount));
  const [only, ...others] = exact.length > 0 ? exact : vouched;
  return only && others.length === 0 ? only.receiptId : null;
}

/** The receipt that the transfer's own sender has signed this transaction for; null where it is none, or more than one. */
async function signedReceipt(uow: UnitOfWork, transfer: TransferRow): Promise<string | null> {
  const signed = await uow.sql<{ receiptId: string }>(
    `select receipt_id as "receiptId" from submitted_transactions
      where merchant = $1 and chain_id = $2 and transaction_hash = $3 and $4 = any(signed_by) limit 2`,
    [transfer.merchant, transfer.chainId, transfer.transactionHash, transfer.sender],
  );
  return signed.length === 1 ? signed[0]!.receiptId : null;
}

/** The only receipt that was quoted there and waits for money, where its buyer's side pointed at the transaction. */
async function onlyWaiting(uow: UnitOfWork, transfer: TransferRow): Promise<string | null> {
  const waiting = await uow.sql<{ receiptId: string }>(
    `select q.receipt_id as "receiptId" from quotes q join receipts r on r.merchant = q.merchant and r.id = q.receipt_id
      where q.chain_id = $1 and q.pay_to = $2 and q.token = $3 and q.reserved_until is null and r.status = any($4)
      group by q.receipt_id limit 2`,
    [transfer.chainId, transfer.payTo, transfer.token, WAITING],
  );
  const only = waiting.length === 1 ? waiting[0]! : null;
  return only && (await isPointedAt(uow, transfer, only.receiptId)) ? only.receiptId : null;
}

async function isPointedAt(uow: UnitOfWork, transfer: TransferRow, receiptId: string): Promise<boolean> {
  const [hint] = await uow.sql(
    'select 1 from submitted_transactions where merchant = $1 and receipt_id = $2 and transaction_hash = $3',
    [transfer.merchant, receiptId, transfer.transactionHash],
  );
  return hint !== undefined;
}

/**
 * A payment that was final and lost its block stays with its receipt; when the same transaction comes back in another block, it is that payment and no
 * second one.
 */
async function takeUpAgain(deps: MatchDeps, uow: UnitOfWork, transfer: TransferRow, token: Token): Promise<boolean> {
  const [lost] = await uow.sql<TransferRow & Link>(
    `select ${TRANSFER_COLUMNS}, t.usd, t.asked_usd as "askedUsd", t.exact, t.assigned_by as "assignedBy" from transfers t
      where t.chain_id = $1 and t.transaction_hash = $2 and not t.canonical and t.receipt_id is not null
        and t.pay_to = $3 and t.token = $4 and t.amount = $5::numeric
      order by t.log_index limit 1`,
    [transfer.chainId, transfer.transactionHash, transfer.payTo, transfer.token, transfer.amount],
  );
  const receipt = lost ? await lockReceipt(uow, transfer.merchant, lost.receiptId) : null;
  if (!lost || !receipt) return false;
  await unlinkTransfer(uow, lost);
  await linkTransfer(uow, transfer, lost);
  await recordChange(
    deps,
    uow,
    receipt,
    { kind: 'note', name: 'payment_back' },
    { actor: 'chain', detail: describeTransfer(transfer, token) },
  );
  return true;
}
