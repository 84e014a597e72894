import { sql as fragment, type SelectQueryBuilder } from 'kysely';
import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Bus } from './bus.ts';
import type { Db } from './db.ts';
import { follow, type Source } from './live-feed.ts';
import { type Query, query } from './postgres/query.ts';

/** A position in a stream, which is ordered by transaction and by row within a transaction. */
export interface Cursor {
  readonly txid: bigint;
  readonly position: bigint;
}

/** The cursor of a row of a stream, for a query builder. `table` is the name of the row's table in the query. */
export const cursorOfRow = (table: string) =>
  fragment<string>`(select epoch from stream_epoch) || '.' || ${fragment.ref(`${table}.txid`)} || '.' || ${fragment.ref(`${table}.position`)}`;

/**
 * Whether a row is settled, for a query builder: its transaction is older than every open one, so that no row can
 * appear before it later.
 */
const isSettledRow = (table: string) =>
  fragment<boolean>`${fragment.ref(`${table}.txid`)} < pg_snapshot_xmin(pg_current_snapshot())`;

/** Whether a row is after a position of the stream, for a query builder. */
export const isAfterPosition = (table: string, { txid, position }: Cursor) =>
  fragment<boolean>`(${fragment.ref(`${table}.txid`)}, ${fragment.ref(`${table}.position`)}) > (${txid}::xid8, ${position}::int8)`;

/** The position after which a page of a merchant's rows begins. */
export type PagePosition = Cursor & { readonly merchant: Wallet };

/** The rows of a page. */
const PAGE_SIZE = 100;

/**
 * Cuts a merchant's rows to the page after a position, in order, for a query builder. Each row says whether it is
 * settled. `table` is the name of the rows' table in the query.
 */
export const pageAfter = <DB, TB extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, TB, O>,
  table: string,
  $: PagePosition,
) =>
  rows
    .select(isSettledRow(table).as('settled'))
    .where(fragment.ref(`${table}.merchant`), '=', $.merchant)
    .where(isAfterPosition(table, $))
    .orderBy(fragment.ref(`${table}.txid`))
    .orderBy(fragment.ref(`${table}.position`))
    .limit(PAGE_SIZE);

/** Reads a page of a merchant's rows after a position, in order. Each row says whether it is settled. */
export type PageQuery<Row> = Query<PagePosition, Row & { readonly settled: boolean }>;

/** `epoch.txid.position`; cursors from versions without epochs have two parts. */
const CURSOR = /^(?:([0-9a-f]{8})\.)?(\d{1,20})\.(\d{1,19})$/;

/** The highest position that the database can store. */
const LAST_POSITION = 2n ** 63n - 1n;

const cursorOf = (text: string): Cursor & { epoch: string | undefined } => {
  const [, epoch, txid, position] = CURSOR.exec(text) as unknown as [string, string | undefined, string, string];
  const given = BigInt(position);
  return { epoch, txid: BigInt(txid), position: given > LAST_POSITION ? LAST_POSITION : given };
};

const isAfter = (a: Cursor, b: Cursor): boolean => a.txid > b.txid || (a.txid === b.txid && a.position > b.position);

const NOW = query(
  'stream-now',
  (db, _: object) =>
    db
      .selectFrom('StreamEpoch')
      .select([fragment<string>`pg_current_snapshot()::text`.as('snapshot'), 'epoch', 'isFirst']),
  { computed: { snapshot: 'text' } },
);

/** The current end of the stream, and the transactions that are visible. */
interface Now {
  /** The cursor before all rows that are not visible yet. A few visible rows may follow it. */
  readonly end: string;
  readonly epoch: string;
  readonly isFirst: boolean;
  sees(cursor: Cursor): boolean;
}

/**
 * The snapshot is `xmin:xmax:xip,…`: the oldest open transaction, the next transaction, and the open ones between them.
 */
async function readNow(db: Db): Promise<Now> {
  const [row] = await db.run(NOW, {});
  const { snapshot, epoch, isFirst } = row!;
  const [xmin, xmax, xip] = snapshot.split(':') as [string, string, string];
  const open = new Set(xip.split(','));
  return {
    end: `${epoch}.${xmin}.0`,
    epoch,
    isFirst,
    sees: ({ txid }) => txid < BigInt(xmax) && !open.has(String(txid)),
  };
}

/** The cursor before all rows that are not visible yet. A few visible rows may follow it. */
export async function endOfStream(db: Db): Promise<string> {
  return (await readNow(db)).end;
}

/** Reads a cursor. Throws `cursor_expired` with `resumeAfter`, the end of the stream, for one of another epoch. */
function currentCursor(text: string, now: Now, resumeAfter: string): Cursor {
  const cursor = cursorOf(text);
  const isStart = cursor.txid === 0n && cursor.position === 0n;
  const isCurrent = cursor.epoch === undefined ? now.isFirst : cursor.epoch === now.epoch;
  if (!isStart && !isCurrent) throw refuse('cursor_expired', undefined, { field: 'after', resumeAfter });
  return cursor;
}

/** The position at which a follower with this cursor begins, at most the end. */
function startOf(text: string, now: Now): Cursor {
  const cursor = currentCursor(text, now, now.end);
  const end = cursorOf(now.end);
  return isAfter(cursor, end) ? end : cursor;
}

const notACursor = () => refuse('bad_cursor', 'after is not the cursor of an event', { field: 'after' });

/**
 * The position after which a reader with this cursor reads on, and the same as a cursor; the beginning for null.
 * Refuses as `followTransactions` does, and with `cursor_expired` a cursor before `deletedThrough`, the last
 * transaction whose rows are deleted.
 */
export async function readPosition(
  db: Db,
  cursor: string | null,
  deletedThrough: bigint,
): Promise<{ readonly position: Cursor; readonly start: string }> {
  if (cursor !== null && !CURSOR.test(cursor)) throw notACursor();
  const now = await readNow(db);
  const beginning = `${now.epoch}.0.0`;
  if (cursor === null) return { position: { txid: 0n, position: 0n }, start: beginning };
  const position = startOf(cursor, now);
  if (position.txid < deletedThrough && position.position > 0n) {
    throw refuse('cursor_expired', 'The events after this cursor are no longer kept: begin again at `resumeAfter`', {
      field: 'after',
      resumeAfter: beginning,
    });
  }
  return { position, start: `${now.epoch}.${position.txid}.${position.position}` };
}

/**
 * Follows the rows of a merchant, after a cursor or from now on: each row once, in the order of the transactions. The
 * query `after` reads a page with `pageAfter`. Each row is `settled` if its transaction is older than every open one,
 * so that no row can appear before it later. A cursor beyond the end counts as the end. Throws
 * `bad_cursor` for a text that is not a cursor, and `cursor_expired` with `resumeAfter`, the end of the stream, for
 * a cursor of another epoch. Both name the argument `after`.
 */
export async function followTransactions<Row extends { readonly cursor: string }>(
  db: Db,
  bus: Bus,
  stream: { channel: string; merchant: Wallet; after: PageQuery<Row> },
  cursor: string | null,
): Promise<Source<Row>> {
  if (cursor !== null && !CURSOR.test(cursor)) throw notACursor();
  const now = await readNow(db);
  const source = follow<Row, Cursor>(
    {
      bus,
      channel: stream.channel,
      async read({ txid, position }) {
        const { after, merchant } = stream;
        const rows = await db.run(after, { merchant, txid, position });
        const unsettled = rows.findIndex((row) => !row.settled);
        const events = unsettled < 0 ? rows : rows.slice(0, unsettled);
        // Rows held back by an older transaction are delivered once it ends, even without a message on the bus.
        return { events, more: events.length === PAGE_SIZE, held: unsettled >= 0 };
      },
      positionOf: (row: Row) => cursorOf(row.cursor),
      cursorOf: (row: Row) => row.cursor,
      isAfter,
    },
    startOf(cursor ?? now.end, now),
  );
  return cursor === null ? without(source, (row) => now.sees(cursorOf(row.cursor))) : source;
}

/**
 * Follows rows of a merchant whose positions are numbers that are given under a lock, so that they have the order of
 * the commits: each row once, in the order of numbers. The query `after` reads a page after a number, and `last` the
 * highest number. Cursors are those of `followTransactions`, and so are the errors.
 */
export async function followNumbers<Row extends { readonly cursor: string }>(
  db: Db,
  bus: Bus,
  stream: {
    channel: string;
    merchant: Wallet;
    after: Query<{ merchant: Wallet; position: bigint; limit: number }, Row>;
    last: Query<{ merchant: Wallet }, { readonly position: number }>;
  },
  cursor: string | null,
): Promise<Source<Row>> {
  if (cursor !== null && !CURSOR.test(cursor)) throw notACursor();
  const { channel, merchant } = stream;
  const now = await readNow(db);
  const [last] = await db.run(stream.last, { merchant });
  const end = BigInt(last?.position ?? 0);
  const from = cursor === null ? end : currentCursor(cursor, now, `${now.epoch}.0.${end}`).position;
  return follow<Row, bigint>(
    {
      bus,
      channel,
      async read(position) {
        const events = await db.run(stream.after, { merchant, position, limit: PAGE_SIZE });
        return { events, more: events.length === PAGE_SIZE };
      },
      positionOf: (row) => cursorOf(row.cursor).position,
      cursorOf: (row) => row.cursor,
      isAfter: (position, other) => position > other,
    },
    from > end ? end : from,
  );
}

/** The same source without the events for which `isKnown` is true. */
function without<E>(source: Source<E>, isKnown: (event: E) => boolean): Source<E> {
  return {
    ...source,
    async read() {
      const page = await source.read();
      return { ...page, events: page.events.filter((event) => !isKnown(event)) };
    },
    hasRead: (event) => isKnown(event) || source.hasRead(event),
  };
}
