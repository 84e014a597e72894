import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Context } from '../graphql/context.ts';
import type { Database } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import { type KeyColumns, keyedQuery } from '../platform/query.ts';
import type { Sql } from '../platform/sql.ts';
import { SHOWN_COLUMNS } from './columns.ts';
import type { ReceiptRow } from './read.ts';

/** The largest page of a list. */
export const LIST_MAX = 200;

/** The number of cached lists, and their total size in characters of JSON. */
const MAX_LISTS = 2_000;
const MAX_SIZE = 16 * 1024 * 1024;

/** A merchant's newest receipts. A list is immutable; a change of any receipt yields a new list. */
export type ReceiptList = readonly ReceiptRow[];

type Key = KeyColumns<{ merchant: Wallet; most: string; known: string }>;

/** A merchant's newest receipts, up to one more than a page. The inner limit helps the planner. */
const newestOf = (db: Kysely<Database>, { merchant, most }: Key) => {
  const newest = db
    .selectFrom('Receipt')
    .where('merchant', '=', merchant)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(LIST_MAX + 1);
  return {
    /** Numbers in JSON do not hold all digits of an amount, so it is text. */
    rows: db
      .selectFrom(
        newest
          .select(SHOWN_COLUMNS.filter((column) => column !== 'paidAmount'))
          .select((eb) => eb.cast<string>('paidAmount', 'text').as('paidAmount'))
          .as('r'),
      )
      .selectAll()
      .limit(sql<number>`${most}::int4`),
    places: db
      .selectFrom(newest.select([sql<string>`ctid::text`.as('place'), sql<string>`xmin::text`.as('writer')]).as('r'))
      .selectAll()
      .limit(sql<number>`${most}::int4`),
  };
};

/**
 * Returns the version of the list, and its rows only if the version differs from the caller's. A row's version is its
 * `ctid` and `xmin`, so any write from any process changes it.
 */
const NEWEST = keyedQuery(
  'receipts-newest',
  ['merchant', 'most', 'known'],
  (db, key: Key) => {
    const { rows, places } = newestOf(db, key);
    const json = db
      .selectFrom(rows.as('receipt'))
      .select(sql<string>`coalesce(json_agg(receipt), '[]')::text`.as('list'));
    return db
      .selectFrom((eb) =>
        eb
          .selectFrom(places.as('newest'))
          .select(sql<string>`md5(coalesce(string_agg(place || writer, ' '), ''))`.as('version'))
          .as('print'),
      )
      .select(['version', sql<string | null>`case when version <> ${key.known} then (${json}) end`.as('rows')]);
  },
  { computed: { version: 'text', rows: 'text' } },
);

interface CachedList {
  readonly version: string;
  readonly list: ReceiptList;
  readonly size: number;
}

/** One cache per database connection. */
const cacheOf = weakMemo(
  (_sql: Sql) =>
    new LRUCache<string, CachedList>({ max: MAX_LISTS, maxSize: MAX_SIZE, sizeCalculation: ({ size }) => size }),
);

const keyOf = (merchant: Wallet, limit: number): string => `${limit} ${merchant}`;

/**
 * A merchant's newest receipts, newest first, as the database has them now. `limit` is 1 to 201. Each call queries the
 * database, which returns only the version if nothing changed; the cached list is then returned by identity.
 */
export async function listReceipts(deps: Pick<Deps, 'sql'>, merchant: Wallet, limit: number): Promise<ReceiptList> {
  const cache = cacheOf(deps.sql);
  const key = keyOf(merchant, limit);
  const cached = cache.get(key);
  const answer = await deps.sql.one(NEWEST, { merchant, most: String(limit), known: cached?.version ?? '' });
  const { version, rows } = answer!;
  if (rows === null) return cached!.list;
  // Concurrent readers may see the same change: all of them use the first list that was parsed.
  const now = cache.get(key);
  if (now?.version === version) return now.list;
  const list = JSON.parse(rows) as ReceiptList;
  cache.set(key, { version, list, size: rows.length });
  return list;
}

const listsOf = weakMemo((_context: Context) => new Map<number, Promise<ReceiptList>>());

/** Reads each list once per request, so that a request sees one consistent result. */
export function listReceiptsOnce(context: Context, merchant: Wallet, limit: number): Promise<ReceiptList> {
  const own = listsOf(context);
  const list = own.get(limit) ?? listReceipts(context, merchant, limit);
  own.set(limit, list);
  return list;
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
    return cacheOf(context.sql).get(keyOf(merchant, limit))?.list ?? [];
  }
}
