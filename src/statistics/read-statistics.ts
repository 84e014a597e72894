import { sql } from 'kysely';
import { boundedCache } from '../core/bounded-cache.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Context } from '../graphql/context.ts';
import type { Deps } from '../platform/deps.ts';
import { ROW_VERSION } from '../platform/postgres/row-versions.ts';
import { query } from '../platform/query.ts';
import type { Sql } from '../platform/sql.ts';
import { STATISTICS } from './count.ts';
import type { Days, Interval } from './days.ts';
import { type MonthGroup, monthOf } from './pack.ts';
import { type Month, type Sums, sumsOf, unpackMonth } from './sums.ts';

export interface Statistics extends Sums {
  /** Whether receipts from before the statistics began, or from before a restore, are still being counted. */
  readonly building: boolean;
}

interface Changed extends Days {
  readonly merchant: Wallet;
  /** The versions of the months that the caller has. */
  readonly known: readonly string[];
}

/** A month that has receipts. The groups are null if the caller has this version of the month. */
type ReadMonth = readonly [version: string, groups: readonly MonthGroup[] | null];

/** JSON of a `ReadMonth[]`, in order. After a change of one day its month alone is read. */
const CHANGED_MONTHS = query(
  'statistics-changed',
  (_db, $: Changed) => sql<{ months: string }>`
    select '[' || coalesce(string_agg('["' || version || '",' ||
                    case when version <> all(${$.known}::text[]) then groups else 'null' end || ']', ',' order by month),
                    '') || ']' as months
      from (select month, ${ROW_VERSION} as version, groups from receipt_months where merchant = ${$.merchant}
               and month between ${monthOf(sql`${$.from}::int4`)} and ${monthOf(sql`${$.to}::int4`)}) m`,
  { replica: true, computed: { months: 'text' } },
);

interface CachedMonth extends Month {
  readonly version: string;
}

interface Cached {
  /** Null if it is not known whether the statistics are still the same. */
  readonly version: string | null;
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
 * The sums of a merchant's receipts by interval, as the database has them now. Each call reads the position of the
 * worker, which changes with every write of statistics. While it is the same, or no month of the range has changed, the
 * statistics are returned by identity. Changed months are read once for all callers that saw the same position.
 */
export async function readStatistics(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  days: Days,
  interval: Interval,
): Promise<Statistics> {
  const { cache, running } = stateOf(deps.sql);
  const key = keyOf(merchant, days, interval);
  const position = await STATISTICS.read(deps);
  const version = position && `${position.step} ${position.snapshot}`;
  const known = cache.get(key);
  if (known && version !== null && known.version === version) return known.statistics;
  // A position never returns, so a read that began after one caller saw it is new enough for all who saw it.
  const seen = `${key} ${version}`;
  const read = running.get(seen) ?? readChanged().finally(() => running.delete(seen));
  running.set(seen, read);
  const now = await read;
  cache.set(key, now);
  return now.statistics;

  async function readChanged(): Promise<Cached> {
    const months = await readMonths(deps.sql, merchant, days, known?.months ?? []);
    const building = position === null || position.rebuildId !== null;
    const isSame = known?.statistics.building === building && isEqual(months, known.months);
    return { version, months, statistics: isSame ? known.statistics : { ...sumsOf(months, days, interval), building } };
  }
}

/** The months of a range that have receipts. Those that are known are read again only if they have changed. */
async function readMonths(
  sql: Sql,
  merchant: Wallet,
  days: Days,
  before: readonly CachedMonth[],
): Promise<readonly CachedMonth[]> {
  const known = new Map(before.map((month) => [month.version, month]));
  const [row] = await sql.run(CHANGED_MONTHS, { merchant, ...days, known: [...known.keys()] });
  return (JSON.parse(row!.months) as ReadMonth[]).map(
    ([version, groups]) => known.get(version) ?? { version, ...unpackMonth(groups!) },
  );
}

const isEqual = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);

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
