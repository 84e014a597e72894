import type { Transfer } from '../chain/transfers.ts';
import type { Wallet } from '../core/wallet.ts';
import type { UnitOfWork } from '../platform/unit-of-work.ts';
import type { UnmatchedReason } from './transfer.entity.ts';
import type { WatchedSplit } from './watched.ts';

/** A row of the transfers table. */
export interface TransferRow extends TransferKey {
  readonly blockNumber: number;
  readonly blockTimeMs: number;
  readonly token: string;
  readonly sender: Wallet;
  readonly payTo: Wallet;
  /** Base units. */
  readonly amount: string;
  readonly confirmedAt: number | null;
  readonly merchant: Wallet;
  readonly receiptId: string | null;
  readonly quoteId: string | null;
  readonly unmatchedReason: UnmatchedReason | null;
  /** Epoch ms; a marked transfer will be sent back and pays nothing. */
  readonly refundMarkedAt: number | null;
  readonly seenAt: number;
}

/** The key of a transfer: one log of one block. */
export interface TransferKey {
  readonly chainId: number;
  readonly blockHash: `0x${string}`;
  readonly transactionHash: `0x${string}`;
  readonly logIndex: number;
}

/** The select list for a `TransferRow`. */
export const TRANSFER_COLUMNS = `t.chain_id as "chainId", t.block_hash as "blockHash", t.transaction_hash as "transactionHash", t.log_index as "logIndex",
  t.block_number as "blockNumber", t.block_time_ms as "blockTimeMs", t.token, t.sender, t.pay_to as "payTo", t.amount, t.confirmed_at as "confirmedAt",
  t.merchant, t.receipt_id as "receiptId", t.quote_id as "quoteId", t.unmatched_reason as "unmatchedReason", t.refund_marked_at as "refundMarkedAt",
  t.seen_at as "seenAt"`;

const BY_KEY = 't.chain_id = $1 and t.block_hash = $2 and t.transaction_hash = $3 and t.log_index = $4';

const keyOf = (key: TransferKey): unknown[] => [key.chainId, key.blockHash, key.transactionHash, key.logIndex];

/** Inserts a transfer. Returns null if it is already stored, unless its block was removed and has returned. */
export async function insertTransfer(
  uow: UnitOfWork,
  chainId: number,
  transfer: Transfer,
  split: WatchedSplit,
  seenAt: number,
): Promise<TransferRow | null> {
  const [row] = await uow.sql<TransferRow>(
    `insert into transfers as t (chain_id, block_hash, transaction_hash, log_index, block_number, block_time_ms, token, sender, pay_to, amount, merchant, seen_at,
                                 canonical, exact)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, true, false)
     on conflict (chain_id, block_hash, transaction_hash, log_index) do update set canonical = true, confirmed_at = null
      where not t.canonical
     returning ${TRANSFER_COLUMNS}`,
    [
      chainId,
      transfer.blockHash,
      transfer.transactionHash,
      transfer.logIndex,
      Number(transfer.blockNumber),
      transfer.blockTimeMs,
      transfer.symbol,
      transfer.from,
      transfer.to,
      transfer.value,
      split.merchant,
      seenAt,
    ],
  );
  return row ?? null;
}

/** Locks and returns the transfer with a key; null if there is none. */
export async function lockTransfer(uow: UnitOfWork, key: TransferKey): Promise<TransferRow | null> {
  const [row] = await uow.sql<TransferRow>(
    `select ${TRANSFER_COLUMNS} from transfers t where ${BY_KEY} and t.canonical for update`,
    keyOf(key),
  );
  return row ?? null;
}

/** How a transfer counts for a receipt. */
export interface Link {
  readonly receiptId: string;
  readonly quoteId: string | null;
  /** Decimal text. */
  readonly usd: string;
  /** Decimal text; null if no quote was valid. */
  readonly askedUsd: string | null;
  readonly exact: boolean;
  readonly assignedBy?: string | null;
}

/**
 * The only statement that links a transfer to a receipt. It also resets the confirmation: only a confirmation moves a
 * receipt to `paid`, and a transfer linked after its block became final would otherwise never be confirmed again.
 */
export async function linkTransfer(uow: UnitOfWork, key: TransferKey, link: Link): Promise<void> {
  await uow.sql(
    `update transfers t set receipt_id = $5, quote_id = $6, usd = $7, asked_usd = $8, exact = $9, assigned_by = $10, unmatched_reason = null,
            confirmed_at = null
      where ${BY_KEY}`,
    [...keyOf(key), link.receiptId, link.quoteId, link.usd, link.askedUsd, link.exact, link.assignedBy ?? null],
  );
}

/** Marks a transfer as unmatched; `quoteId` is the quote with the same amount, if there is one. */
export async function leaveUnmatched(
  uow: UnitOfWork,
  key: TransferKey,
  reason: UnmatchedReason,
  quoteId: string | null,
): Promise<void> {
  await uow.sql(
    `update transfers t set receipt_id = null, quote_id = $6, usd = null, asked_usd = null, exact = false, unmatched_reason = $5 where ${BY_KEY}`,
    [...keyOf(key), reason, quoteId],
  );
}

/** Removes a transfer's link to its receipt. */
export async function unlinkTransfer(uow: UnitOfWork, key: TransferKey): Promise<void> {
  await uow.sql(
    `update transfers t set receipt_id = null, quote_id = null, usd = null, asked_usd = null, exact = false, unmatched_reason = null where ${BY_KEY}`,
    keyOf(key),
  );
}

/** Marks a transfer as removed with its block. */
export async function orphanTransfer(uow: UnitOfWork, key: TransferKey): Promise<void> {
  await uow.sql(`update transfers t set canonical = false where ${BY_KEY}`, keyOf(key));
}

/**
 * Resets the confirmation of all transfers of a receipt, so that the watcher confirms them again and decides whether
 * the receipt is paid.
 */
export async function resetConfirmations(
  uow: Pick<UnitOfWork, 'sql'>,
  { merchant, id }: { readonly merchant: Wallet; readonly id: string },
): Promise<void> {
  await uow.sql('update transfers set confirmed_at = null where merchant = $1 and receipt_id = $2 and canonical', [
    merchant,
    id,
  ]);
}

/** Marks a transfer as confirmed at full depth. */
export async function confirmTransfer(uow: UnitOfWork, key: TransferKey, now: number): Promise<void> {
  await uow.sql(`update transfers t set confirmed_at = $5 where ${BY_KEY}`, [...keyOf(key), now]);
}
