import { type Cursor, rewindCursor } from '../blocks/cursor.ts';
import type { Wallet } from '../core/wallet.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import type { ReceiptStatus } from '../receipts/lifecycle.ts';
import type { Receipt } from '../receipts/receipt.entity.ts';
import { lockReceipt, recordChange } from '../receipts/record-change.ts';
import { readBalance } from './balance.ts';
import { describeBalance, describeTransfer } from './credit.ts';
import { type MatchDeps, rematchTransfer } from './match.ts';
import {
  lockTransfer,
  orphanTransfer,
  resetConfirmations,
  TRANSFER_COLUMNS,
  type TransferRow,
  unlinkTransfer,
} from './transfers.ts';

/**
 * Reverts the transfers in blocks above `fork`, then moves the cursor back to it. After a crash in between, the next
 * scan continues.
 */
export async function rewind(deps: MatchDeps, cursor: Cursor, fork: number): Promise<Cursor> {
  deps.log.warn({ chainId: cursor.chainId, fork, scanned: cursor.scanned }, 'chain reorganised');
  const gone = await inTransaction(deps, (uow) =>
    uow.sql<TransferRow>(
      `select ${TRANSFER_COLUMNS} from transfers t where t.chain_id = $1 and t.block_number > $2 and t.canonical order by t.block_number desc, t.log_index desc`,
      [cursor.chainId, fork],
    ),
  );
  for (const transfer of gone) await revertTransfer(deps, transfer);
  if (deps.chain.mayRestart) await forgetHeights(deps, fork);
  return rewindCursor(deps, cursor, fork);
}

/** In these statuses a receipt keeps its status and payment when the payment's block is removed by a reorganisation. */
const FINAL: readonly ReceiptStatus[] = ['paid', 'completed', 'refunded'];

/**
 * Reverts a transfer whose block was removed or never contained it, in one transaction. The receipt's status decides
 * what follows, not the transfer's confirmation: a payment that was final may return in another block and be lost again
 * before it is confirmed there. A final receipt keeps its status and its link to the transfer; the history gets a note
 * and the log an alert. Any other receipt returns to its state without the transfer.
 */
export async function revertTransfer(deps: MatchDeps, seen: TransferRow): Promise<void> {
  const waiting = await inTransaction(deps, async (uow) => {
    const transfer = await lockTransfer(uow, seen);
    if (!transfer) return [];
    await orphanTransfer(uow, transfer);
    const receipt = transfer.receiptId === null ? null : await lockReceipt(uow, transfer.merchant, transfer.receiptId);
    if (!receipt) return [];
    const token = deps.chain.tokens.find(({ symbol }) => symbol === transfer.token);
    const detail = describeTransfer(transfer, token);
    const isFinal = FINAL.includes(receipt.status);
    if (isFinal || transfer.confirmedAt !== null) {
      const { merchant, receiptId, transactionHash } = transfer;
      uow.afterCommit(() =>
        deps.log.error({ alert: 'deep_reorg', merchant, receiptId, transactionHash }, 'final payment lost its block'),
      );
    }
    if (isFinal) {
      await recordChange(deps, uow, receipt, { kind: 'note', name: 'payment_lost' }, { actor: 'chain', detail });
      return [];
    }
    await unlinkTransfer(uow, transfer);
    await fallBack(deps, uow, receipt, detail);
    return findDuplicates(uow, receipt);
  });
  for (const duplicate of waiting) await rematchTransfer(deps, duplicate);
}

/** Sets the receipt's state from its remaining transfers. */
async function fallBack(deps: MatchDeps, uow: UnitOfWork, receipt: Receipt, detail: Record<string, unknown>) {
  if (receipt.status !== 'tx_mined' && receipt.status !== 'tx_mismatch') return;
  const balance = await readBalance(uow, receipt);
  const [last] = await uow.sql<TransferRow>(
    `select ${TRANSFER_COLUMNS} from transfers t where t.merchant = $1 and t.receipt_id = $2 and t.canonical
      order by t.block_number desc, t.log_index desc limit 1`,
    [receipt.merchant, receipt.id],
  );
  receipt.transactionHash = last?.transactionHash ?? null;
  receipt.transactionTimestamp = last?.blockTimeMs ?? null;
  // The buyer of a charge is known without its payment.
  if (receipt.origin !== 'charge') receipt.buyerWallet = await firstSender(uow, receipt);
  if (balance.covered) {
    // All remaining transfers may have been confirmed while the lost one was not.
    await resetConfirmations(uow, receipt);
  } else {
    receipt.paidToken = null;
    receipt.paidAmount = null;
  }
  const to = balance.covered ? 'tx_mined' : last ? 'tx_mismatch' : 'pending';
  const change =
    to === receipt.status ? ({ kind: 'note', name: 'payment_lost' } as const) : ({ kind: 'status', to } as const);
  await recordChange(deps, uow, receipt, change, {
    actor: 'chain',
    detail: { ...detail, reorganised: true, ...describeBalance(balance) },
  });
}

/** The sender of the first transfer that counts for a receipt; null if there is none. */
async function firstSender(uow: UnitOfWork, { merchant, id }: Receipt): Promise<Wallet | null> {
  const [first] = await uow.sql<{ sender: Wallet }>(
    `select sender from transfers where merchant = $1 and receipt_id = $2 and canonical order by block_number, log_index limit 1`,
    [merchant, id],
  );
  return first?.sender ?? null;
}

/** Other exact payments of the receipt: a duplicate may now become the payment. */
function findDuplicates(uow: UnitOfWork, receipt: Receipt): Promise<TransferRow[]> {
  return uow.sql<TransferRow>(
    `select ${TRANSFER_COLUMNS} from quotes q
       join transfers t on t.merchant = q.merchant and t.quote_id = q.id and t.receipt_id is null and t.canonical
      where q.merchant = $1 and q.receipt_id = $2
      order by t.block_number, t.log_index`,
    [receipt.merchant, receipt.id],
  );
}

/**
 * Lowers the heights stored on receipts and splits after the chain was set back. Otherwise, payments below the old
 * heights would be too old for them.
 */
async function forgetHeights(deps: MatchDeps, height: number): Promise<void> {
  await inTransaction(deps, async (uow) => {
    await uow.sql('update receipts set created_block = $1 where created_block > $1', [height]);
    await uow.sql('update splits set created_block = $1, txid = pg_current_xact_id() where created_block > $1', [
      height,
    ]);
  });
}
