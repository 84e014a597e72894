import { sql } from 'kysely';
import { boundedCache } from '../core/bounded-cache.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Context } from '../graphql/context.ts';
import type { Deps } from '../platform/deps.ts';
import { ROW_VERSION, versionOf, versionOfAll } from '../platform/postgres/row-versions.ts';
import { type KeyColumns, keyedQuery, query } from '../platform/query.ts';
import type { Sql } from '../platform/sql.ts';
import { STATISTICS } from './count.ts';
import type { Days, Interval } from './days.ts';
import { type MonthGroup, monthOf } from './pack.ts';
import { type Month, type Sums, sumsOf, unpackMonth } from './sums.ts';

export interface Statistics extends Sums {
  /** Whether receipts from before the statistics began, or from before a restore, are still being counted. */
  readonly building: boolean;
}

type Key = KeyColumns<{ merchant: Wallet; from: string; to: string }>;

interface Changed extends Days {
  readonly merchant: Wallet;
  /** The versions of the months that the caller has. */
  readonly known: readonly string[];
}

/** A month that has receipts. The groups are null if the caller has this version of the month. */
type ReadMonth = readonly [version: string, groups: readonly MonthGroup[] | null];

const within = (merchant: unknown, from: unknown, to: unknown) =>
  sql`from receipt_months where merchant = ${merchant}
       and month between ${monthOf(sql`${from}::int4`)} and ${monthOf(sql`${to}::int4`)}`;

/** Whether the months are not complete. */
const BUILDING = sql<boolean>`coalesce((select rebuild_id is not null or epoch <> (select epoch from stream_epoch)
                                          from receipt_followers where name = ${sql.lit(STATISTICS.name)}
                                           and version = ${sql.lit(STATISTICS.version)}), true)`;

/** Whether the months are complete, and one text for the versions of all of a range. */
const VERSION = keyedQuery(
  'statistics-version',
  ['merchant', 'from', 'to'],
  (_db, { merchant, from, to }: Key) => sql<{ building: boolean; version: string }>`
    select ${BUILDING} as building, ${versionOfAll(ROW_VERSION, sql`month`)} as version
      ${within(merchant, from, to)}`,
  { replica: true, computed: { building: 'bool', version: 'text' } },
);

/** JSON of a `ReadMonth[]`, in order. After a change of one day its month alone is read. */
const CHANGED_MONTHS = query(
  'statistics-changed',
  (_db, $: Changed) => sql<{ building: boolean; months: string }>`
    select ${BUILDING} as building,
           '[' || coalesce(string_agg('["' || version || '",' ||
                    case when version <> all(${$.known}::text[]) then groups else 'null' end || ']', ',' order by month),
                    '') || ']' as months
      from (select month, ${ROW_VERSION} as version, groups ${within($.merchant, $.from, $.to)}) m`,
  { replica: true, computed: { building: 'bool', months: 'text' } },
);

interface CachedMonth extends Month {
  readonly version: string;
}

interface Cached {
  readonly version: string;
  readonly months: readonly CachedMonth[];
  readonly statistics: Statistics;
}

/** The number of cached statistics, and of their days altogether. */
const MAX_CACHED = 1_000;
const MAX_DAYS = 100_000;

/** The cache of a database connection, and the reads of changed months that are running. */
const stateOf = weakMemo((_sql: Sql) => ({
  cache: boundedCache<string, Cached>({
    max: MAX_CACHED,
    maxSize: MAX_DAYS,
    sizeOf: ({ months }) => months.reduce((sum, { days }) => sum + days.length, 1),
  }),
  running: new Map<string, Promise<Cached>>(),
}));

/**
 * The sums of a merchant's receipts by interval, as the database has them now. Each call queries the database, which
 * returns only the version if nothing changed; the statistics of the cached version are then returned by identity.
 * After a change only the changed months are read, once for all callers that saw the same version.
 */
export async function readStatistics(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  days: Days,
  interval: Interval,
): Promise<Statistics> {
  const { cache, running } = stateOf(deps.sql);
  const key = keyOf(merchant, days, interval);
  const range = { merchant, from: String(days.from), to: String(days.to) };
  const { version, building } = (await deps.sql.one(VERSION, range))!;
  const known = cache.get(key);
  if (known?.version === version && known.statistics.building === building) return known.statistics;
  // A version never returns, so a read that began after one caller saw it is new enough for all who saw it.
  const seen = `${key} ${version} ${building}`;
  const read =
    running.get(seen) ??
    readChanged(deps.sql, merchant, days, interval, known?.months ?? []).finally(() => running.delete(seen));
  running.set(seen, read);
  const now = await read;
  cache.set(key, now);
  return now.statistics;
}

async function readChanged(
  sql: Sql,
  merchant: Wallet,
  days: Days,
  interval: Interval,
  before: readonly CachedMonth[],
): Promise<Cached> {
  const known = new Map(before.map((month) => [month.version, month]));
  const [row] = await sql.run(CHANGED_MONTHS, { merchant, ...days, known: [...known.keys()] });
  const months = (JSON.parse(row!.months) as ReadMonth[]).map(
    ([version, groups]): CachedMonth => known.get(version) ?? { version, ...unpackMonth(groups!) },
  );
  const statistics = { ...sumsOf(months, days, interval), building: row!.building };
  return { version: versionOf(months), months, statistics };
}

const keyOf = (merchant: Wallet, { from, to }: Days, interval: Interval) => `${merchant} ${interval} ${from} ${to}`;

const readBy = weakMemo((_context: Context) => new Map<string, Promise<Statistics>>());

/** Reads each statistics once per request. Unchanged statistics are the same object as for an earlier request. */
export function readStatisticsOnce(
  context: Context,
  merchant: Wallet,
  days: Days,
  interval: Interval,
): Promise<Statistics> {
  const own = readBy(context);
  const key = keyOf(merchant, days, interval);
  const found = own.get(key) ?? readStatistics(context, merchant, days, interval);
  own.set(key, found);
  return found;
}
