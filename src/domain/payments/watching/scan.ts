import { sql } from 'kysely';
import { type BlockMark, readBlock, readBlocks, readHead } from '../../../base/chain/blocks.ts';
import type { Chain } from '../../../base/chain/client.ts';
import { readTransfers, type Transfer } from '../../../base/chain/transfers.ts';
import { advance, type Cursor, readCursor, readMark, startCursor } from '../../../base/onchain/blocks/cursor.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { oldestSplitBlock } from '../../shop/splits/oldest-block.ts';
import { type MatchDeps, recordTransfer } from '../matching/match.ts';
import type { TransferRow } from '../transfers/core/transfer-row.ts';
import { selectTransfers } from '../transfers/transfers.ts';
import { watchedForCoins } from './coin-watches.ts';
import { readCoins } from './coins.ts';
import { confirmTransfers } from './confirm.ts';
import { lookUp, placeOf } from './look-up.ts';
import { findFork, revertLeft, revertTransfer, rewind } from './reorg.ts';

/** The chain's cursor. A new one starts below the oldest split, or at the head if there is none. */
export async function currentCursor(deps: Pick<Deps, 'db' | 'chain' | 'clock'>, head: BlockMark): Promise<Cursor> {
  const known = await readCursor(deps);
  if (known) return known;
  const oldest = await oldestSplitBlock(deps.db, deps.chain);
  return startCursor(deps, head, oldest === null ? Number(head.number) : oldest - 1);
}

/** The result of one scan of the chain. */
export interface Scan {
  readonly cursor: Cursor;
  /** Whether the chain changed during the scan: scan again at once. */
  readonly again: boolean;
}

/** The newest block, and whether the node that returned it still answers. */
export interface HeadSnapshot {
  readonly head: BlockMark;
  readonly isSameNode: () => boolean;
}

/** Reads the newest block. Later reads are only trusted while the same node answers: another node may lag. */
export async function readHeadSnapshot(chain: Chain): Promise<HeadSnapshot> {
  const before = chain.switches();
  const head = await readHead(chain);
  return { head, isSameNode: () => chain.switches() === before };
}

/**
 * Scans the chain once: reverts reorganised blocks, reads new blocks up to the head, and reads blocks again that have
 * reached full depth. Payments confirmed by a range are processed before the next range is read, so that a long
 * catch-up pays receipts as it goes. After an interruption the next scan continues from the cursor. Refuses with
 * `chain_unavailable` and `datastore_unavailable`.
 *
 * @param options.onAdvance is called with the cursor after each range
 */
export async function scan(
  deps: MatchDeps,
  options: {
    readonly snapshot?: HeadSnapshot;
    readonly signal?: AbortSignal;
    readonly onAdvance?: (cursor: Cursor) => void;
    /** Whether the balances of addresses that were quoted coins are read too. Default: true. */
    readonly readsCoins?: boolean;
  } = {},
): Promise<Scan> {
  const { signal, snapshot = await readHeadSnapshot(deps.chain), onAdvance, readsCoins = true } = options;
  const { head, isSameNode } = snapshot;
  // Refreshed after the head is read, so that every address shown before that block is watched when the block is read.
  await deps.watched.refresh();
  let cursor = await currentCursor(deps, head);
  const fork = await findFork(deps, cursor, head);
  if (!isSameNode()) return { cursor, again: true };
  if (fork !== null) cursor = await rewind(deps, cursor, fork);
  if (!(await revertLeft(deps, cursor, snapshot))) return { cursor, again: true };

  await confirmTransfers(deps, cursor, Number(head.number));
  while (!signal?.aborted) {
    const step = await nextStep(deps, cursor, head);
    if (step === null) break;
    const read = await step(deps, cursor, snapshot);
    if (read === 'moved') return { cursor, again: true };
    if (read === 'too_large') {
      // If the node still responds, the range is read again at once with fewer blocks.
      await readHead(deps.chain);
      continue;
    }
    if (read.confirmed > cursor.confirmed) await confirmTransfers(deps, read, Number(head.number));
    cursor = read;
    onAdvance?.(cursor);
  }
  if (!readsCoins || cursor.scanned !== Number(head.number)) return { cursor, again: false };
  // What was found is confirmed by the next scan.
  const added = await readCoins(deps, await watchedForCoins(deps), head);
  return { cursor, again: added !== 0 };
}

type Step = (deps: MatchDeps, cursor: Cursor, snapshot: HeadSnapshot) => Promise<Cursor | 'moved' | 'too_large'>;

/** The next step; null if everything is read. The second read comes first, because it confirms payments. */
async function nextStep(deps: MatchDeps, cursor: Cursor, head: BlockMark): Promise<Step | null> {
  if (await isSecondReadingDue(deps, cursor, head)) return readAgain;
  return cursor.scanned < Number(head.number) ? readOn : null;
}

/**
 * Blocks at full depth are read again at once if a payment waits for it, otherwise a few at a time: the second read
 * finds what the first one missed, which may take a block or two.
 */
async function isSecondReadingDue(deps: MatchDeps, cursor: Cursor, head: BlockMark): Promise<boolean> {
  const final = finalBlock(deps, cursor, head);
  if (final <= cursor.confirmed) return false;
  const every = Math.max(1, Math.floor(deps.chain.confirmations / 3));
  return final - cursor.confirmed >= every || (await isAwaited(deps, cursor, final));
}

/** The newest block that was read and has its confirmations. */
const finalBlock = ({ chain }: MatchDeps, cursor: Cursor, head: BlockMark): number =>
  Math.min(cursor.scanned, Number(head.number) - chain.confirmations);

interface BlockRange {
  readonly chainId: number;
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

const AWAITED = query(
  'payments-awaited',
  (db, $: BlockRange) =>
    db
      .selectFrom('Transfer')
      .select(sql<number>`1`.as('one'))
      .where('chainId', '=', $.chainId)
      .where('blockNumber', '>=', $.from)
      .where('blockNumber', '<=', $.to)
      .where('canonical', '=', true)
      .where('confirmedAt', 'is', null)
      .limit(1),
  { computed: { one: 'int4' } },
);

/** Whether a transfer between the confirmed block and `final` waits for its confirmations. */
async function isAwaited(deps: MatchDeps, { chainId, confirmed }: Cursor, final: number): Promise<boolean> {
  const awaited = await deps.db.run(AWAITED, { chainId, from: confirmed + 1, to: final });
  return awaited.length > 0;
}

/**
 * Reads the next range for the first time. Blocks without full confirmations are stored one by one; of confirmed blocks
 * only the last one is stored.
 */
async function readOn(
  deps: MatchDeps,
  cursor: Cursor,
  { head, isSameNode }: HeadSnapshot,
): Promise<Cursor | 'moved' | 'too_large'> {
  const { chain } = deps;
  const from = cursor.scanned + 1;
  const final = Number(head.number) - chain.confirmations;
  const deep = from <= final;
  const to = Math.min(cursor.scanned + chain.logRange.blocks(), deep ? final : Number(head.number));
  const blocks = deep ? await readOne(deps, to) : await readUpTo(deps, from, to, head);
  const transfers = await readRange(deps, from, to);
  if (transfers === 'too_large') return transfers;
  if (blocks === 'moved' || transfers === 'moved' || !isSameNode()) return 'moved';
  if (!deep && !(await isContinued(deps, cursor, blocks, transfers))) return 'moved';
  for (const transfer of transfers) await recordTransfer(deps, transfer);
  return advance(deps, cursor, { head: head.number, scanned: to, blocks });
}

/** The blocks of a range in order. The head is already known. */
async function readUpTo(
  { chain }: MatchDeps,
  from: number,
  to: number,
  head: BlockMark,
): Promise<BlockMark[] | 'moved'> {
  if (BigInt(to) !== head.number) return readBlocks(chain, BigInt(from), BigInt(to));
  const before = await readBlocks(chain, BigInt(from), head.number - 1n);
  if (before === 'moved' || (before.length > 0 && before.at(-1)!.hash !== head.parentHash)) return 'moved';
  return [...before, head];
}

async function readOne({ chain }: MatchDeps, number: number): Promise<BlockMark[] | 'moved'> {
  const block = await readBlock(chain, BigInt(number));
  return block ? [block] : 'moved';
}

function readRange(
  { chain, watched }: MatchDeps,
  from: number,
  to: number,
): Promise<Transfer[] | 'moved' | 'too_large'> {
  return readTransfers(chain, { fromBlock: BigInt(from), toBlock: BigInt(to), watchlist: watched });
}

/** Whether the blocks continue from the last one read, and contain the transfers. */
async function isContinued(
  deps: MatchDeps,
  cursor: Cursor,
  blocks: readonly BlockMark[],
  transfers: readonly Transfer[],
): Promise<boolean> {
  const before = await readMark(deps, cursor.scanned);
  if (before && blocks[0] && blocks[0].parentHash !== before.hash) return false;
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
  return transfers.every(({ blockNumber, blockHash }) => hashes.get(blockNumber) === blockHash);
}

/**
 * Reads the range that has reached full depth a second time, because nodes omit or invent logs. Missed transfers are
 * recorded. A transfer that is not in the range any more is looked up by its hash, and reverted if that does not find
 * it either.
 */
async function readAgain(
  deps: MatchDeps,
  cursor: Cursor,
  { head, isSameNode }: HeadSnapshot,
): Promise<Cursor | 'moved' | 'too_large'> {
  const from = cursor.confirmed + 1;
  const to = Math.min(cursor.confirmed + deps.chain.logRange.blocks(), finalBlock(deps, cursor, head));
  const transfers = await readRange(deps, from, to);
  if (transfers === 'too_large') return transfers;
  if (transfers === 'moved' || !isSameNode()) return 'moved';
  const known = await deps.db.run(KNOWN, { chainId: cursor.chainId, from, to });
  const [there, before] = [transfers, known].map(
    (list: readonly (Transfer | TransferRow)[]) => new Set(list.map(placeOf)),
  );
  for (const transfer of transfers) if (!before!.has(placeOf(transfer))) await recordTransfer(deps, transfer);
  let reverted = false;
  for (const transfer of known) {
    if (there!.has(placeOf(transfer))) continue;
    const found = await lookUp(deps, transfer);
    if (found === 'there') continue;
    // The block contains the transaction, so a node that does not find it is only slow.
    if (found === 'unclear' || !isSameNode()) return 'moved';
    reverted = true;
    deps.log.error(
      { alert: 'transfer_gone', transactionHash: transfer.transactionHash },
      'transfer is not in its block',
    );
    await revertTransfer(deps, transfer);
  }
  // The node has contradicted itself, so the range is read once more before the cursor advances.
  if (reverted) return 'moved';
  return advance(deps, cursor, { head: head.number, confirmed: to });
}

const KNOWN = query('payments-known-transfers', (db, $: BlockRange) =>
  selectTransfers(db)
    .where('chainId', '=', $.chainId)
    .where('blockNumber', '>=', $.from)
    .where('blockNumber', '<=', $.to),
);
