import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from './deps.ts';
import { type Statement, statement } from './sql.ts';
import { follow, type Source } from './tail.ts';

/** A place in a stream that is in the order of transactions, and of rows within one. As text: `txid.position`. */
interface Cursor {
  readonly txid: bigint;
  readonly position: bigint;
}

const CURSOR = /^\d{1,20}\.\d{1,19}$/;

const cursorOf = (text: string): Cursor => {
  const [txid, position] = text.split('.') as [string, string];
  return { txid: BigInt(txid), position: BigInt(position) };
};

const NOW = statement('stream-now', 'select pg_current_snapshot()::text as snapshot');

/** What PostgreSQL says of now, as `xmin:xmax:xip,…`: the oldest open transaction, the first that is yet to come, and the open ones between them. */
async function readNow({ sql }: Pick<Deps, 'sql'>): Promise<{ end: string; sees(cursor: Cursor): boolean }> {
  const [row] = await sql.rows<{ snapshot: string }>(NOW, []);
  const [xmin, xmax, xip] = row!.snapshot.split(':') as [string, string, string];
  const open = new Set(xip.split(','));
  return { end: `${xmin}.0`, sees: ({ txid }) => txid < BigInt(xmax) && !open.has(String(txid)) };
}

/** The cursor after which come all rows that a reader of now cannot see yet, and perhaps a few that it can. */
export async function endOfStream(deps: Pick<Deps, 'sql'>): Promise<string> {
  return (await readNow(deps)).end;
}

/**
 * Follows the rows of a merchant, after a cursor or from now on: each once, in the order of their transactions. `after` reads a page of them by merchant,
 * txid and position, and says of each whether it is `settled`: of a transaction older than every open one, so that no row can appear before it later.
 * Refuses with `invalid_input` a cursor that is none, as the argument `after`.
 */
export async function followTransactions<Row extends { readonly cursor: string }>(
  { sql, bus }: Pick<Deps, 'sql' | 'bus'>,
  stream: { channel: string; merchant: Wallet; after: Statement; pageSize: number },
  cursor: string | null,
): Promise<Source<Row>> {
  if (cursor !== null && !CURSOR.test(cursor)) {
    throw refuse('invalid_input', 'after must be the cursor of an event', { field: 'after' });
  }
  const now = cursor === null ? await readNow({ sql }) : null;
  const source = follow<Row, Cursor>(
    {
      bus,
      channel: stream.channel,
      async read({ txid, position }) {
        const rows = await sql.rows<Row & { settled: boolean }>(stream.after, [stream.merchant, txid, position]);
        const unsettled = rows.findIndex((row) => !row.settled);
        const events = unsettled < 0 ? rows : rows.slice(0, unsettled);
        // What an older transaction still holds back is told as soon as that one ends, whether or not it rings.
        return { events, more: events.length === stream.pageSize, held: unsettled >= 0 };
      },
      positionOf: (row: Row) => cursorOf(row.cursor),
      isAfter: (a, b) => a.txid > b.txid || (a.txid === b.txid && a.position > b.position),
    },
    cursorOf(now?.end ?? (cursor as string)),
  );
  return now ? without(source, (row) => now.sees(cursorOf(row.cursor))) : source;
}

/** The same source for one who knows some of its events. */
function without<E>(source: Source<E>, isKnown: (event: E) => boolean): Source<E> {
  return {
    ...source,
    async read() {
      const page = await source.read();
      return { ...page, events: page.events.filter((event) => !isKnown(event)) };
    },
    knows: (event) => isKnown(event) || source.knows(event),
  };
}
