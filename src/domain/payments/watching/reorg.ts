import { type BlockMark, readBlock } from '../../../base/chain/blocks.ts';
import type { Chain } from '../../../base/chain/client.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { type Cursor, readMarks, readTip, rewindCursor } from '../../../base/onchain/blocks/cursor.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { Receipt } from '../../sales/receipts/receipt.entity.ts';
import { lockReceipt, recordChange } from '../../sales/receipts/record-change.ts';
import { reverseAuthorization } from '../gasless/reversed-authorization.ts';
import { selectAsked } from '../matching/asked-at-split.ts';
import { type MatchDeps, prepareRematch, type Rematch } from '../matching/match.ts';
import { decideReversal } from '../transfers/core/reverse.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';
import { describeTransfer, returnToCredits } from '../transfers/credit.ts';
import {
  lockTransfer,
  markCollected,
  orphanTransfer,
  selectArrived,
  selectTransfers,
  unlinkTransfer,
} from '../transfers/transfers.ts';
import { placeOf } from './look-up.ts';

/**
 * Finds the last stored block that is still on the chain; null if there was no reorganisation. A lower head means a
 * lagging node, unless the chain may restart.
 */
export async function findFork(
  deps: Pick<Deps, 'db' | 'chain' | 'clock'>,
  cursor: Cursor,
  head: BlockMark,
): Promise<number | null> {
  const height = Number(head.number);
  const { mayRestart } = deps.chain;
  const behind = height < cursor.scanned;
  const same = behind && mayRestart ? height : null;
  const upTo = Math.min(cursor.scanned, height);

  const tip = await readTip(deps, upTo);
  if (tip === null) return behind && mayRestart ? 0 : null;
  const there = await hashAt(deps.chain, tip.number, head);
  if (there === tip.hash) return same;
  // A node that does not have a block below its own head was just replaced by one that lags.
  if (there === undefined && !mayRestart) return null;

  const marks = await readMarks(deps, upTo);
  for (const mark of marks) {
    if ((await hashAt(deps.chain, mark.number, head)) === mark.hash) return mark.number;
  }
  // No stored block is left: the chain was replaced.
  return mayRestart ? 0 : Math.max(0, marks.at(-1)!.number - 1);
}

/** The hash of the block with a number; undefined if the chain does not have the block. */
async function hashAt(chain: Chain, number: number, head: BlockMark): Promise<string | undefined> {
  const height = Number(head.number);
  if (number === height) return head.hash;
  if (number === height - 1) return head.parentHash;
  return (await readBlock(chain, BigInt(number)))?.hash;
}

const ABOVE = query('payments-transfers-above', (db, $: { chainId: number; fork: number }) =>
  selectTransfers(db)
    .where('chainId', '=', $.chainId)
    .where('blockNumber', '>', $.fork)
    .orderBy('blockNumber', 'desc')
    .orderBy('logIndex', 'desc'),
);

/**
 * Moves the cursor back to `fork`, then reverts the transfers in blocks above it. After a crash in between, the next
 * scan reads all blocks above the fork again, and reverts what is left (`revertLeft`).
 */
export async function rewind(deps: MatchDeps, cursor: Cursor, fork: number): Promise<Cursor> {
  deps.log.warn({ chainId: cursor.chainId, fork, scanned: cursor.scanned }, 'chain reorganised');
  const rewound = await rewindCursor(deps, cursor, fork);
  const gone = await deps.db.run(ABOVE, { chainId: cursor.chainId, fork });
  for (const transfer of gone) await revertTransfer(deps, transfer);
  return rewound;
}

/**
 * Reverts the transfers above the cursor whose block is not on the chain. An interrupted scan or `rewind` leaves them:
 * the block is not compared with the chain again once it is above the cursor, and its transactions cannot be stored in
 * another block before.
 *
 * @param isSameNode whether the node that returned the head still answers; another one may lag
 * @returns false if another node answers
 */
export async function revertLeft(
  deps: MatchDeps,
  { chainId, scanned }: Cursor,
  { head, isSameNode }: { readonly head: BlockMark; readonly isSameNode: () => boolean },
): Promise<boolean> {
  const hashes = new Map<number, string | undefined>();
  for (const transfer of await deps.db.run(ABOVE, { chainId, fork: scanned })) {
    const { blockNumber, blockHash } = transfer;
    if (!hashes.has(blockNumber)) hashes.set(blockNumber, await hashAt(deps.chain, blockNumber, head));
    if (!isSameNode()) return false;
    if (hashes.get(blockNumber) !== blockHash) await revertTransfer(deps, transfer);
  }
  return true;
}

/**
 * Reverts a transfer whose block was removed or never contained it. A final receipt keeps its status and its link to
 * the transfer; the history gets a note and the log an alert. Any other receipt returns to its state without the
 * transfer, and its other payments are matched again in the same transaction, because nothing repeats that after a
 * crash.
 */
export async function revertTransfer(deps: MatchDeps, seen: TransferRow): Promise<void> {
  const { merchant, receiptId } = seen;
  const known = receiptId === null ? [] : await readDuplicates(deps.db, { merchant, id: receiptId });
  const rematches = new Map<string, Rematch>();
  for (const duplicate of known) rematches.set(placeOf(duplicate), await prepareRematch(deps, duplicate));
  await deps.db.transaction(async (uow) => {
    const transfer = await lockTransfer(uow, seen);
    if (!transfer) return;
    await orphanTransfer(uow, transfer);
    if (transfer.addressOf !== null) await markCollected(uow, transfer);
    const receipt = transfer.receiptId === null ? null : await lockReceipt(uow, transfer.merchant, transfer.receiptId);
    const duplicates = receipt ? await revertPayment(deps, uow, receipt, transfer) : [];
    for (const duplicate of duplicates) await rematches.get(placeOf(duplicate))?.(uow);
  });
}

/** Returns the transfers that may pay the receipt instead. */
async function revertPayment(
  deps: MatchDeps,
  uow: UnitOfWork,
  receipt: Receipt,
  transfer: TransferRow,
): Promise<TransferRow[]> {
  const token = deps.chain.tokens.find(({ symbol }) => symbol === transfer.token);
  const detail = describeTransfer(transfer, token);
  const { isKept, isAlarming } = decideReversal(receipt, transfer);
  if (isAlarming) {
    const { merchant, receiptId, transactionHash } = transfer;
    uow.afterCommit(() =>
      deps.log.error({ alert: 'deep_reorg', merchant, receiptId, transactionHash }, 'final payment lost its block'),
    );
  }
  if (isKept) {
    await recordChange(deps, uow, receipt, { kind: 'note', name: 'payment_lost' }, { actor: 'chain', detail });
    return [];
  }
  await unlinkTransfer(uow, transfer);
  await reverseAuthorization(deps.clock, uow, { ...transfer, receiptId: receipt.id });
  const lost = { ...detail, reorganised: true };
  await returnToCredits(deps, uow, receipt, { actor: 'chain', note: 'payment_lost', detail: lost });
  return readDuplicates(uow, receipt);
}

interface DuplicatesOf {
  readonly merchant: Wallet;
  readonly id: string;
}

/** Other money that was meant for the receipt, on any chain: a duplicate may now become the payment. */
const readDuplicates = async (db: Pick<UnitOfWork, 'run'>, of: DuplicatesOf): Promise<TransferRow[]> => [
  ...(await db.run(ARRIVED, of)),
  ...(await db.run(ASKED, of)),
];

const ARRIVED = query('payments-arrived-duplicates', (db, $: DuplicatesOf) =>
  selectArrived(db, $).orderBy('blockTimeMs').orderBy('chainId').orderBy('blockNumber').orderBy('logIndex'),
);
const ASKED = query('payments-asked-duplicates', (db, $: DuplicatesOf) =>
  selectAsked(db, $)
    .orderBy('Transfer.blockTimeMs')
    .orderBy('Transfer.chainId')
    .orderBy('Transfer.blockNumber')
    .orderBy('Transfer.logIndex'),
);
