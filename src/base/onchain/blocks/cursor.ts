import { sql } from 'kysely';
import type { BlockMark } from '../../chain/blocks.ts';
import type { Deps } from '../../platform/deps.ts';
import { query } from '../../platform/postgres/query.ts';

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

type CursorDeps = Pick<Deps, 'db' | 'chain' | 'clock'>;

/** The number of blocks stored below full depth, to detect an unexpectedly deep reorganisation. */
const REMEMBERED_BLOCKS = 512;

const READ = query('cursor', (db, $: { chainId: number }) =>
  db.selectFrom('ChainCursor').select(['chainId', 'scanned', 'confirmed']).where('chainId', '=', $.chainId),
);

/** The chain's cursor; null if the chain was never watched. */
export async function readCursor(deps: Pick<CursorDeps, 'db' | 'chain'>): Promise<Cursor | null> {
  const [cursor] = await deps.db.run(READ, { chainId: deps.chain.chainId });
  return cursor ?? null;
}

const START = query('cursor-start', (db, $: { chainId: number; head: number; first: number; at: number }) =>
  db
    .insertInto('ChainCursor')
    .values({
      chainId: $.chainId,
      head: $.head,
      scanned: $.first,
      confirmed: $.first,
      addressesScanned: $.first,
      updatedAt: $.at,
    })
    .onConflict((conflict) => conflict.column('chainId').doNothing()),
);

/**
 * Creates the chain's cursor at the block `first`, or at the head if that is lower. An existing one stays unchanged.
 */
export async function startCursor(deps: CursorDeps, head: BlockMark, first: number): Promise<Cursor> {
  const { chainId } = deps.chain;
  const newest = Number(head.number);
  await deps.db.run(START, { chainId, head: newest, first: Math.min(newest, first), at: deps.clock() });
  return (await readCursor(deps)) as Cursor;
}

/** The columns of blocks, as lists of equal length. */
interface BlockColumns {
  readonly numbers: readonly number[];
  readonly hashes: readonly string[];
  readonly timesMs: readonly number[];
}

interface Advance extends Cursor, BlockColumns {
  readonly head: number;
  readonly newScanned: number;
  readonly newConfirmed: number;
  readonly at: number;
}

const ADVANCE = query('cursor-advance', (db, $: Advance) => {
  const blocks = sql<{ number: number; hash: `0x${string}`; time: number }>`
    unnest(${$.numbers}::bigint[], ${$.hashes}::text[], ${$.timesMs}::bigint[])`;
  return db
    .with('moved', (cte) =>
      cte
        .updateTable('ChainCursor')
        .set({
          head: sql<number>`greatest(${$.head}::bigint, ${$.newScanned}::bigint)`,
          scanned: $.newScanned,
          addressesScanned: $.newScanned,
          confirmed: $.newConfirmed,
          updatedAt: $.at,
        })
        .where('chainId', '=', $.chainId)
        .where('scanned', '=', $.scanned)
        .where('confirmed', '=', $.confirmed)
        .returning('chainId'),
    )
    .with('stored', (cte) =>
      cte
        .insertInto('ChainBlock')
        .columns(['chainId', 'number', 'hash', 'timeMs'])
        .expression((eb) =>
          eb
            .selectFrom('moved')
            .innerJoin(blocks.as<'b'>(sql`b(number, hash, time)`), (join) => join.onTrue())
            .select(['moved.chainId', 'b.number', 'b.hash', 'b.time']),
        )
        .onConflict((conflict) =>
          conflict.columns(['chainId', 'number']).doUpdateSet((eb) => ({
            hash: eb.ref('excluded.hash'),
            timeMs: eb.ref('excluded.timeMs'),
          })),
        ),
    )
    .with('forgotten', (cte) =>
      cte
        .deleteFrom('ChainBlock')
        .where('chainId', '=', $.chainId)
        .where('number', '<', sql<number>`${$.newConfirmed}::bigint - ${sql.lit(REMEMBERED_BLOCKS)}`)
        .where((eb) => eb.exists(eb.selectFrom('moved').select('chainId'))),
    )
    .selectFrom('moved')
    .select('chainId');
});

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
  const moved = await deps.db.run(ADVANCE, {
    ...cursor,
    head: Number(to.head),
    newScanned: scanned,
    newConfirmed: confirmed,
    at: deps.clock(),
    numbers: blocks.map(({ number }) => Number(number)),
    hashes: blocks.map(({ hash }) => hash),
    timesMs: blocks.map(({ timeMs }) => timeMs),
  });
  if (moved.length === 0) throw new Error(`Another process moves the cursor of chain ${cursor.chainId}`);
  return { ...cursor, scanned, confirmed };
}

const REWIND = query('cursor-rewind', (db, $: Cursor & { readonly to: number; readonly at: number }) =>
  db
    .with('moved', (cte) =>
      cte
        .updateTable('ChainCursor')
        .set((eb) => ({
          head: $.to,
          scanned: $.to,
          confirmed: sql<number>`least(${eb.ref('confirmed')}, ${$.to}::bigint)`,
          updatedAt: $.at,
        }))
        .where('chainId', '=', $.chainId)
        .where('scanned', '=', $.scanned)
        .where('confirmed', '=', $.confirmed)
        .returning('confirmed'),
    )
    .with('noted', (cte) =>
      cte
        .insertInto('ChainReorganization')
        .columns(['chainId', 'head', 'fork'])
        .expression((eb) =>
          eb
            // A statement reads the rows as they were before it, so this is the old head.
            .selectFrom('ChainCursor')
            .select(['chainId', 'head', sql`${$.to}::bigint`.as('fork')])
            .where('chainId', '=', $.chainId)
            .where((eb) => eb.exists(eb.selectFrom('moved').select('confirmed'))),
        )
        .onConflict((conflict) => conflict.doNothing()),
    )
    .with('forgotten', (cte) =>
      cte
        .deleteFrom('ChainBlock')
        .where('chainId', '=', $.chainId)
        .where('number', '>', $.to)
        .where((eb) => eb.exists(eb.selectFrom('moved').select('confirmed'))),
    )
    .selectFrom('moved')
    .select('confirmed'),
);

/**
 * Moves the cursor back to a block that is still on the chain, and notes the blocks that were replaced. Throws if
 * another process has moved it.
 */
export async function rewindCursor(deps: CursorDeps, cursor: Cursor, to: number): Promise<Cursor> {
  const [moved] = await deps.db.run(REWIND, { ...cursor, to, at: deps.clock() });
  if (!moved) throw new Error(`Another process moves the cursor of chain ${cursor.chainId}`);
  return { ...cursor, scanned: to, confirmed: moved.confirmed };
}

interface UpTo {
  readonly chainId: number;
  readonly number: number;
}

const MARKS = query('blocks-up-to', (db, $: UpTo) =>
  db
    .selectFrom('ChainBlock')
    .select(['number', 'hash'])
    .where('chainId', '=', $.chainId)
    .where('number', '<=', $.number)
    .orderBy('number', 'desc'),
);

/** The stored blocks up to a number, newest first. */
export function readMarks(deps: CursorDeps, upTo: number): Promise<Mark[]> {
  return deps.db.run(MARKS, { chainId: deps.chain.chainId, number: upTo });
}

const MARK = query('block', (db, $: UpTo) =>
  db
    .selectFrom('ChainBlock')
    .select(['number', 'hash'])
    .where('chainId', '=', $.chainId)
    .where('number', '=', $.number),
);

/** The stored block with a number; null if there is none. */
export async function readMark(deps: CursorDeps, number: number): Promise<Mark | null> {
  const [mark] = await deps.db.run(MARK, { chainId: deps.chain.chainId, number });
  return mark ?? null;
}

const TIP = query('block-tip', (db, $: UpTo) =>
  db
    .selectFrom('ChainBlock')
    .select(['number', 'hash'])
    .where('chainId', '=', $.chainId)
    .where('number', '<=', $.number)
    .orderBy('number', 'desc')
    .limit(sql.lit(1)),
);

/** The newest stored block up to a number; null if there is none. */
export async function readTip(deps: CursorDeps, upTo: number): Promise<Mark | null> {
  const [tip] = await deps.db.run(TIP, { chainId: deps.chain.chainId, number: upTo });
  return tip ?? null;
}

const UNREAD = query('cursor-unread-addresses', (db, $: { chainId: number }) =>
  db
    .selectFrom('ChainCursor')
    .select(['scanned', 'addressesScanned'])
    .where('chainId', '=', $.chainId)
    .where(({ or, eb, ref }) => or([eb('addressesScanned', 'is', null), eb('addressesScanned', '<', ref('scanned'))])),
);

/**
 * The blocks whose transfers to receipts' addresses were not read, because a server of version 0.1 leads or has led;
 * null if there are none. `from` is null if no leader has known addresses yet.
 */
export async function readUnreadAddresses({
  db,
  chain,
}: Pick<CursorDeps, 'db' | 'chain'>): Promise<{ readonly from: number | null; readonly to: number } | null> {
  const [row] = await db.run(UNREAD, { chainId: chain.chainId });
  if (!row) return null;
  return { from: row.addressesScanned === null ? null : row.addressesScanned + 1, to: row.scanned };
}

const ADDRESSES_READ = query('cursor-addresses-read', (db, $: { chainId: number; to: number }) =>
  db.updateTable('ChainCursor').set({ addressesScanned: $.to }).where('chainId', '=', $.chainId),
);

/** Records that the transfers to receipts' addresses were read up to a block. */
export async function addressesRead({ db, chain }: Pick<CursorDeps, 'db' | 'chain'>, to: number): Promise<void> {
  await db.run(ADDRESSES_READ, { chainId: chain.chainId, to });
}
