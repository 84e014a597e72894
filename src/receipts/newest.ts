import { LRUCache } from 'lru-cache';
import { Refusal } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Context } from '../graphql/context.ts';
import type { Deps } from '../platform/deps.ts';
import { type Sql, statement } from '../platform/sql.ts';
import { COLUMNS, type ReceiptRow } from './read.ts';

/** The largest page of a list. */
export const LIST_MAX = 200;

/** The number of cached lists, and their total size in characters of JSON. */
const MAX_LISTS = 2_000;
const MAX_SIZE = 16 * 1024 * 1024;

/** A merchant's newest receipts. A list is immutable; a change of any receipt yields a new list. */
export type ReceiptList = readonly ReceiptRow[];

const newestOf = (columns: string) =>
  `select ${columns} from (select *, ctid::text as place, xmin::text as writer from receipts where merchant = k.merchant order by created_at desc, id desc limit ${LIST_MAX}) r limit k.most`;

/**
 * Returns the version of the list, and its rows only if the version differs from the caller's. A row's version is its
 * `ctid` and `xmin`, so any write from any process changes it. The inner limit helps the planner.
 */
const NEWEST = statement(
  'receipts-newest',
  `select k.n, version,
          case when version <> k.known
               then (select coalesce(json_agg(receipt), '[]') from (${newestOf(COLUMNS)}) receipt)::text end as rows
     from unnest($1::text[], $2::int[], $3::text[]) with ordinality as k(merchant, most, known, n)
    cross join lateral (select md5(coalesce(string_agg(place || writer, ' '), '')) as version
                          from (${newestOf('place, writer')}) newest) print`,
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
 * A merchant's newest receipts, newest first, as the database has them now. `limit` is 1 to 200. Each call queries the
 * database, which returns only the version if nothing changed; the cached list is then returned by identity.
 */
export async function listReceipts({ sql }: Pick<Deps, 'sql'>, merchant: Wallet, limit: number): Promise<ReceiptList> {
  const cache = cacheOf(sql);
  const key = keyOf(merchant, limit);
  const cached = cache.get(key);
  const answer = await sql.row<{ version: string; rows: string | null }>(NEWEST, [
    merchant,
    String(limit),
    cached?.version ?? '',
  ]);
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
    return cacheOf(context.sql).get(keyOf(merchant, limit))?.list ?? [];
  }
}
