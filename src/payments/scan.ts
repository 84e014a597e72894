import { type BlockMark, readBlock, readBlocks, readHead } from '../chain/blocks.ts';
import { assertChainId, type Chain } from '../chain/client.ts';
import { holds, readTransfers, readTransfersOf, type Transfer } from '../chain/transfers.ts';
import { statement } from '../platform/sql.ts';
import { inTransaction } from '../platform/unit-of-work.ts';
import { confirmTransfers } from './confirm.ts';
import { advance, type Cursor, readCursor, readMark } from './cursor.ts';
import { findFork } from './fork.ts';
import { type MatchDeps, recordTransfer } from './match.ts';
import { revertTransfer, rewind } from './reorg.ts';
import { TRANSFER_COLUMNS, type TransferRow } from './transfers.ts';

/** What one look at the chain has brought. */
export interface Scan {
  readonly cursor: Cursor;
  /** Whether the chain moved under the reading: look again at once. */
  readonly again: boolean;
}

/** The newest block, and whether the node that showed it still is the one that answers. */
export interface HeadSnapshot {
  readonly head: BlockMark;
  readonly isSameNode: () => boolean;
}

/** Reads the newest block. What is read later is trusted only while the same node answers: another one may not have come as far. */
export async function readHeadSnapshot(chain: Chain): Promise<HeadSnapshot> {
  const before = chain.switches();
  const head = await readHead(chain);
  return { head, isSameNode: () => chain.switches() === before };
}

/**
 * One look at the chain: undoes what was reorganised, reads the new blocks up to the head, and reads again those that have come to full depth. What a
 * range has confirmed is paid before the next one is read, so that a long catch-up pays as it goes. Whatever stops it in between, the next look goes on
 * from the cursor. Refuses with `chain_unavailable` and `datastore_unavailable`.
 *
 * @param options.onAdvance is called with the cursor after each range
 */
export async function scan(
  deps: MatchDeps,
  options: {
    readonly sight?: HeadSnapshot;
    readonly signal?: AbortSignal;
    readonly onAdvance?: (cursor: Cursor) => void;
  } = {},
): Promise<Scan> {
  const { signal, sight = await readHeadSnapshot(deps.chain), onAdvance } = options;
  const { head, isSameNode } = sight;
  // After the head: whoever was shown an address before that block was made is watched when it is read.
  await deps.watched.refresh();
  let cursor = await readCursor(deps, head);
  const fork = await findFork(deps, cursor, head);
  if (!isSameNode()) return { cursor, again: true };
  if (fork !== null) cursor = await rewind(deps, cursor, fork);

  await confirmTransfers(deps, cursor.chainId, cursor.confirmed);
  while (!signal?.aborted) {
    const step = await nextStep(deps, cursor, head);
    if (step === null) break;
    const read = await step(deps, cursor, sight);
    if (read === 'moved') return { cursor, again: true };
    if (read === 'too_large') {
      // A node that still answers is asked again at once, for fewer blocks.
      await readHead(deps.chain);
      continue;
    }
    if (read.confirmed > cursor.confirmed) await confirmTransfers(deps, cursor.chainId, read.confirmed);
    cursor = read;
    onAdvance?.(cursor);
  }
  return { cursor, again: false };
}

type Step = (deps: MatchDeps, cursor: Cursor, sight: HeadSnapshot) => Promise<Cursor | 'moved' | 'too_large'>;

/** What is to be read next; null where all is read. The second reading comes first, because it pays. */
async function nextStep(deps: MatchDeps, cursor: Cursor, head: BlockMark): Promise<Step | null> {
  if (await isSecondReadingDue(deps, cursor, head)) return readAgain;
  return cursor.scanned < Number(head.number) ? readOn : null;
}

/**
 * Blocks at full depth are read again at once where a payment waits for it, else a few at a time: the second reading finds what the first one missed,
 * and for that a block or two may pass.
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

const AWAITED = statement(
  'payments-awaited',
  `select 1 from transfers where chain_id = $1 and block_number > $2 and block_number <= $3 and canonical and confirmed_at is null limit 1`,
);

/** Whether a transfer in the blocks above the confirmed ones, up to `final`, waits for its confirmations. */
async function isAwaited({ sql }: MatchDeps, { chainId, confirmed }: Cursor, final: number): Promise<boolean> {
  return (await sql.rows(AWAITED, [chainId, confirmed, final])).length > 0;
}

/**
 * Reads the next range for the first time. Blocks that still lack confirmations are remembered one by one; of those that have them the last will do.
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

/** The blocks of a range in order. The head is known already. */
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
  return readTransfers(chain, { fromBlock: BigInt(from), toBlock: BigInt(to), addresses: watched.addresses() });
}

/** Whether the blocks go on from the last one that was read, and the transfers are theirs. */
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
 * Reads the range that has come to full depth a second time: nodes leave logs out, and invent them. What was missed is taken now; what is not there any
 * more is asked for by its hash, and taken back where that does not find it either.
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
  const known = await readKnown(deps, cursor.chainId, from, to);
  const [there, before] = [transfers, known].map((list: readonly Place[]) => new Set(list.map(placeOf)));
  for (const transfer of transfers) if (!before!.has(placeOf(transfer))) await recordTransfer(deps, transfer);
  let takenBack = false;
  for (const transfer of known) {
    if (there!.has(placeOf(transfer))) continue;
    const found = await lookUp(deps, transfer);
    if (found === 'there') continue;
    // Its block holds the transaction: a node that does not find it is just slow.
    if (found === 'unclear' || !isSameNode()) return 'moved';
    takenBack = true;
    deps.log.error(
      { alert: 'transfer_gone', transactionHash: transfer.transactionHash },
      'a transfer is not in its block',
    );
    await revertTransfer(deps, transfer);
  }
  // Not passed on the word of a node that has just contradicted itself: read once more.
  if (takenBack) return 'moved';
  return advance(deps, cursor, { head: head.number, confirmed: to });
}

type Place = Pick<Transfer, 'blockHash' | 'transactionHash' | 'logIndex'>;

const placeOf = (transfer: Place): string => `${transfer.blockHash}/${transfer.transactionHash}/${transfer.logIndex}`;

/** What the node says of the very block and transaction. */
async function lookUp({ chain, watched }: MatchDeps, known: TransferRow): Promise<'there' | 'gone' | 'unclear'> {
  const block = await readBlock(chain, BigInt(known.blockNumber));
  if (block === null) return 'unclear';
  if (block.hash !== known.blockHash || !holds(block, known.transactionHash)) {
    // A node of another chain has other blocks.
    await assertChainId(chain);
    return 'gone';
  }
  const reading = await readTransfersOf(chain, known.transactionHash, watched.addresses());
  if (reading.transfers.some((transfer) => placeOf(transfer) === placeOf(known))) return 'there';
  return reading.blockHash === null ? 'unclear' : 'gone';
}

function readKnown(deps: MatchDeps, chainId: number, from: number, to: number): Promise<TransferRow[]> {
  return inTransaction(deps, (uow) =>
    uow.sql<TransferRow>(
      `select ${TRANSFER_COLUMNS} from transfers t where t.chain_id = $1 and t.block_number between $2 and $3 and t.canonical`,
      [chainId, from, to],
    ),
  );
}
