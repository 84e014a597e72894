import { type Kysely, type RawBuilder, sql } from 'kysely';
import { boundedCache } from '../../../base/core/caches.ts';
import { Refusal } from '../../../base/core/errors.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { type Context, readOnce } from '../../../base/graphql/context.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { type KeyColumns, keyedQuery, query } from '../../../base/platform/postgres/query.ts';
import { ROW_VERSION, versionOf, versionOfAll } from '../../../base/platform/postgres/row-versions.ts';
import { SHOWN_COLUMNS } from './columns.ts';
import type { ReceiptRow } from './read.ts';

/** The largest page of a list. */
export const LIST_MAX = 200;

/** The number of cached lists, and their total size in characters of JSON. */
const MAX_LISTS = 2_000;
const MAX_SIZE = 16 * 1024 * 1024;

/** A merchant's newest receipts. A list is immutable; a change of any receipt yields a new list. */
export type ReceiptList = readonly ReceiptRow[];

type Key = KeyColumns<{ merchant: Wallet; most: string }>;

/** A merchant's newest receipts, up to one more than a page. The limit helps the planner. */
const newestOf = (db: Kysely<Database>, merchant: Wallet | RawBuilder<Wallet>) =>
  db
    .selectFrom('Receipt')
    .where('merchant', '=', merchant)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(LIST_MAX + 1);

/** One text for the versions of all rows of a list. */
const LIST_VERSION = keyedQuery(
  'receipts-newest',
  ['merchant', 'most'],
  (db, { merchant, most }: Key) => {
    const rows = db
      .selectFrom(newestOf(db, merchant).select(ROW_VERSION.as('version')).as('r'))
      .selectAll()
      .limit(sql<number>`${most}::int4`);
    return db.selectFrom(rows.as('newest')).select(versionOfAll(sql.ref('version')).as('version'));
  },
  { computed: { version: 'text' } },
);

/**
 * The rows of a list with their versions, in order. A row of a version that the caller knows is null, so that after the
 * update of one receipt that receipt alone is read. Numbers in JSON do not hold all digits of an amount, so it is text.
 */
const CHANGED_ROWS = query(
  'receipts-newest-changed',
  (db, $: { merchant: Wallet; most: number; known: readonly string[] }) => {
    const rows = newestOf(db, $.merchant)
      .select(SHOWN_COLUMNS.filter((column) => column !== 'paidAmount'))
      .select((eb) => eb.cast<string>('paidAmount', 'text').as('paidAmount'))
      .select(ROW_VERSION.as('version'));
    return db
      .selectFrom(rows.as('r'))
      .select([
        'version',
        sql<string | null>`case when version <> all(${$.known}::text[]) then to_json(r)::text end`.as('row'),
      ])
      .limit($.most);
  },
  { computed: { version: 'text', row: 'text' } },
);

interface CachedRow {
  readonly version: string;
  /** In characters of JSON. */
  readonly size: number;
  readonly receipt: ReceiptRow;
}

interface CachedList {
  readonly version: string;
  readonly rows: readonly CachedRow[];
  readonly list: ReceiptList;
}

/** One cache per database connection. */
const cacheOf = keptBy('newest receipts', (_db: Db) =>
  boundedCache<string, CachedList>({
    max: MAX_LISTS,
    maxSize: MAX_SIZE,
    sizeOf: ({ rows }) => rows.reduce((sum, { size }) => sum + size, 1),
  }),
);

const keyOf = (merchant: Wallet, limit: number): string => `${limit} ${merchant}`;

/**
 * A merchant's newest receipts, newest first, as the database has them now. `limit` is 1 to 201. Each call queries the
 * database, which returns only the version if nothing changed; the cached list is then returned by identity. After a
 * change only the changed receipts are read; the others keep their identity.
 */
export async function listReceipts(db: Db, merchant: Wallet, limit: number): Promise<ReceiptList> {
  const cache = cacheOf(db);
  const key = keyOf(merchant, limit);
  const { version } = (await db.one(LIST_VERSION, { merchant, most: String(limit) }))!;
  const before = cache.get(key);
  if (before?.version === version) return before.list;
  const read = await readChanged(db, merchant, limit, before?.rows ?? []);
  // Concurrent readers may see the same change: all of them use the first list that was read.
  const now = cache.get(key);
  if (now?.version === read.version) return now.list;
  cache.set(key, read);
  return read.list;
}

async function readChanged(db: Db, merchant: Wallet, most: number, before: readonly CachedRow[]): Promise<CachedList> {
  const known = new Map(before.map((row) => [row.version, row]));
  const read = await db.run(CHANGED_ROWS, { merchant, most, known: [...known.keys()] });
  const rows = read.map(({ version, row }) => known.get(version) ?? parsed(row!));
  return { version: versionOf(rows), rows, list: rows.map(({ receipt }) => receipt) };
}

function parsed(row: string): CachedRow {
  const { version, ...receipt } = JSON.parse(row) as ReceiptRow & { version: string };
  return { version, size: row.length, receipt };
}

/** Reads each list once per request, so that a request sees one consistent result. */
export function listReceiptsOnce(context: Context, merchant: Wallet, limit: number): Promise<ReceiptList> {
  return readOnce(context, `newest receipts ${keyOf(merchant, limit)}`, () =>
    listReceipts(context.db, merchant, limit),
  );
}

const servedLastKnown = new WeakSet<Context>();

/** Whether this request was answered without the database, so that further reads need not wait for it. */
export const isLastKnown = (context: Context): boolean => servedLastKnown.has(context);

/**
 * Like `listReceiptsOnce`. If the database is unreachable, returns the last list that this process read (or an empty
 * one) and marks the request as degraded.
 */
export async function listOrLastKnown(context: Context, merchant: Wallet, limit: number): Promise<ReceiptList> {
  try {
    return await listReceiptsOnce(context, merchant, limit);
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'datastore_unavailable')) throw error;
    context.request.markDegraded();
    servedLastKnown.add(context);
    return cacheOf(context.db).get(keyOf(merchant, limit))?.list ?? [];
  }
}
