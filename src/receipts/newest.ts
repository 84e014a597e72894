import { LRUCache } from 'lru-cache';
import { Refusal } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Context } from '../graphql/context.ts';
import type { Deps } from '../platform/deps.ts';
import { type Sql, statement } from '../platform/sql.ts';
import { COLUMNS, type ReceiptRow } from './read.ts';

/** The most a list answers at once. */
export const LIST_MAX = 200;

/** Lists kept, and how many characters they may have together as JSON. */
const MAX_LISTS = 2_000;
const MAX_SIZE = 16 * 1024 * 1024;

/** A merchant's newest receipts: never changed, and another list once any of them is another. */
export type ReceiptList = readonly ReceiptRow[];

const newestOf = (columns: string) =>
  `select ${columns} from (select *, ctid::text as place, xmin::text as writer from receipts where merchant = k.merchant order by created_at desc, id desc limit ${LIST_MAX}) r limit k.most`;

/**
 * Answers which versions of which rows the list is made of, and the rows themselves only where that is not what the caller already has. A row's version is
 * its place and the transaction that wrote it: whoever writes it how, in whatever process, gives it another. The inner limit is for the planner.
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

interface Kept {
  readonly version: string;
  readonly list: ReceiptList;
  readonly size: number;
}

/** One memory for all who share a database connection. */
const memoryOf = weakMemo(
  (_sql: Sql) => new LRUCache<string, Kept>({ max: MAX_LISTS, maxSize: MAX_SIZE, sizeCalculation: ({ size }) => size }),
);

const keyOf = (merchant: Wallet, limit: number): string => `${limit} ${merchant}`;

/**
 * A merchant's newest receipts, newest first, as they are in the database now. `limit` is 1…200. As long as none of them changes it is the same list, by
 * identity: the database is asked each time, but answers with one line.
 */
export async function listReceipts({ sql }: Pick<Deps, 'sql'>, merchant: Wallet, limit: number): Promise<ReceiptList> {
  const memory = memoryOf(sql);
  const key = keyOf(merchant, limit);
  const known = memory.get(key);
  const answer = await sql.row<{ version: string; rows: string | null }>(NEWEST, [
    merchant,
    String(limit),
    known?.version ?? '',
  ]);
  const { version, rows } = answer!;
  if (rows === null) return known!.list;
  // Several may learn of the same change at once: the first one's list is everybody's.
  const now = memory.get(key);
  if (now?.version === version) return now.list;
  const list = JSON.parse(rows) as ReceiptList;
  memory.set(key, { version, list, size: rows.length });
  return list;
}

const listsOf = weakMemo((_context: Context) => new Map<number, Promise<ReceiptList>>());

/** The same for one request: what it asks for again is what it was given before. */
export function listReceiptsOnce(context: Context, merchant: Wallet, limit: number): Promise<ReceiptList> {
  const own = listsOf(context);
  const list = own.get(limit) ?? listReceipts(context, merchant, limit);
  own.set(limit, list);
  return list;
}

/** The same; with the database away, the list as it was last read here (or nothing), and the request is noted as degraded. */
export async function listOrLastKnown(context: Context, merchant: Wallet, limit: number): Promise<ReceiptList> {
  try {
    return await listReceiptsOnce(context, merchant, limit);
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'datastore_unavailable')) throw error;
    context.request.markDegraded();
    return memoryOf(context.sql).get(keyOf(merchant, limit))?.list ?? [];
  }
}
