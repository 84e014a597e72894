import type { BlockMark } from '../chain/blocks.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';

/** The watcher's position in the chain. */
export interface Cursor {
  readonly chainId: number;
  /** The last block that was read once. */
  readonly scanned: number;
  /** The last block that was read again at full depth. */
  readonly confirmed: number;
}

/** A block's number and its hash when it was read. */
export interface Mark {
  readonly number: number;
  readonly hash: `0x${string}`;
}

type CursorDeps = Pick<Deps, 'sql' | 'chain' | 'clock'>;

/** The number of blocks stored below full depth, to detect an unexpectedly deep reorganisation. */
const REMEMBERED_BLOCKS = 512;

const READ = statement(
  'payments-cursor',
  'select chain_id as "chainId", scanned, confirmed from chain_cursors where chain_id = $1',
);

const START = statement(
  'payments-cursor-start',
  `insert into chain_cursors (chain_id, head, scanned, confirmed, updated_at)
   select $1::bigint, $2::bigint, first, first, $3::bigint
     from (select least($2::bigint, coalesce((select min(created_block) - 1 from splits where chain_id = $1), $2)) as first) f
   on conflict (chain_id) do nothing`,
);

/** Reads the chain's cursor. A new cursor starts below the oldest split, or at the head if there is none. */
export async function readCursor(deps: CursorDeps, head: BlockMark): Promise<Cursor> {
  const { chainId } = deps.chain;
  const [known] = await deps.sql.rows<Cursor>(READ, [chainId]);
  if (known) return known;
  await deps.sql.rows(START, [chainId, Number(head.number), deps.clock()]);
  const [started] = await deps.sql.rows<Cursor>(READ, [chainId]);
  return started!;
}

const ADVANCE = statement(
  'payments-cursor-advance',
  `with moved as (
     update chain_cursors set head = greatest($2::bigint, $5::bigint), scanned = $5, confirmed = $6, updated_at = $7
      where chain_id = $1 and scanned = $3 and confirmed = $4 returning chain_id
   ), kept as (
     insert into chain_blocks (chain_id, number, hash, time_ms)
     select moved.chain_id, b.number, b.hash, b.time_ms
       from moved, unnest($8::bigint[], $9::text[], $10::bigint[]) as b(number, hash, time_ms)
     on conflict (chain_id, number) do update set hash = excluded.hash, time_ms = excluded.time_ms
   ), forgotten as (
     delete from chain_blocks where chain_id = $1 and number < $6::bigint - ${REMEMBERED_BLOCKS} and exists (select 1 from moved)
   )
   select chain_id from moved`,
);

/**
 * Advances the cursor and stores the blocks that it passes. Throws if another process has moved it, because only one
 * process may watch.
 */
export async function advance(
  deps: CursorDeps,
  cursor: Cursor,
  to: {
    readonly head: bigint;
    readonly scanned?: number;
    readonly confirmed?: number;
    readonly blocks?: readonly BlockMark[];
  },
): Promise<Cursor> {
  const { scanned = cursor.scanned, confirmed = cursor.confirmed, blocks = [] } = to;
  const moved = await deps.sql.rows(ADVANCE, [
    cursor.chainId,
    Number(to.head),
    cursor.scanned,
    cursor.confirmed,
    scanned,
    confirmed,
    deps.clock(),
    blocks.map(({ number }) => Number(number)),
    blocks.map(({ hash }) => hash),
    blocks.map(({ timeMs }) => timeMs),
  ]);
  if (moved.length === 0) throw new Error(`Another process moves the cursor of chain ${cursor.chainId}`);
  return { ...cursor, scanned, confirmed };
}

const REWIND = statement(
  'payments-cursor-rewind',
  `with moved as (
     update chain_cursors set head = $4, scanned = $4, confirmed = least(confirmed, $4::bigint), updated_at = $5
      where chain_id = $1 and scanned = $2 and confirmed = $3 returning chain_id, confirmed
   ), gone as (
     delete from chain_blocks where chain_id = $1 and number > $4::bigint and exists (select 1 from moved)
   )
   select confirmed from moved`,
);

/** Moves the cursor back to a block that is still on the chain. Throws if another process has moved it. */
export async function rewindCursor(deps: CursorDeps, cursor: Cursor, to: number): Promise<Cursor> {
  const [moved] = await deps.sql.rows<{ confirmed: number }>(REWIND, [
    cursor.chainId,
    cursor.scanned,
    cursor.confirmed,
    to,
    deps.clock(),
  ]);
  if (!moved) throw new Error(`Another process moves the cursor of chain ${cursor.chainId}`);
  return { ...cursor, scanned: to, confirmed: moved.confirmed };
}

const MARKS = statement(
  'payments-marks',
  'select number, hash from chain_blocks where chain_id = $1 and number <= $2 order by number desc',
);

/** The stored blocks up to a number, newest first. */
export function readMarks(deps: CursorDeps, upTo: number): Promise<Mark[]> {
  return deps.sql.rows<Mark>(MARKS, [deps.chain.chainId, upTo]);
}

const MARK = statement('payments-mark', 'select number, hash from chain_blocks where chain_id = $1 and number = $2');

/** The stored block with a number; null if there is none. */
export async function readMark(deps: CursorDeps, number: number): Promise<Mark | null> {
  const [mark] = await deps.sql.rows<Mark>(MARK, [deps.chain.chainId, number]);
  return mark ?? null;
}

const TIP = statement(
  'payments-tip',
  'select number, hash from chain_blocks where chain_id = $1 and number <= $2 order by number desc limit 1',
);

/** The newest stored block up to a number; null if there is none. */
export async function readTip(deps: CursorDeps, upTo: number): Promise<Mark | null> {
  const [tip] = await deps.sql.rows<Mark>(TIP, [deps.chain.chainId, upTo]);
  return tip ?? null;
}
