import { sql } from 'kysely';
import { boundedCache } from '../core/bounded-cache.ts';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Context } from '../graphql/context.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import type { Sql } from '../platform/sql.ts';
import { STATISTICS } from './count.ts';
import type { Days, Interval } from './days.ts';
import { type MonthGroup, monthOf } from './pack.ts';
import { daysOf, type Period, type Sums, sumsOf } from './sums.ts';

export interface Statistics extends Sums {
  /** Whether receipts from before the statistics began, or from before a restore, are still being counted. */
  readonly building: boolean;
}

interface Range extends Days {
  readonly merchant: Wallet;
  /** The version of the range that the caller has; empty for none. */
  readonly known: string;
  /** The versions of the months that the caller has. */
  readonly knownMonths: readonly string[];
}

interface ReadRow {
  readonly building: boolean;
  readonly version: string;
  /** JSON of a `ReadMonth[]`. Null if the caller has this version of the range. */
  readonly months: string | null;
}

/** A month that has receipts. The groups are null if the caller has this version of the month. */
type ReadMonth = readonly [version: string, groups: readonly MonthGroup[] | null];

/** A write of any process changes the version of a row. */
const ROW_VERSION = sql`month || ctid::text || xmin::text`;

const within = ({ merchant, from, to }: Range) =>
  sql`from receipt_months where merchant = ${merchant}
       and month between ${monthOf(sql`${from}::int4`)} and ${monthOf(sql`${to}::int4`)}`;

/**
 * One statement: whether the months are complete, and the version of the range. Only if it differs from the caller's,
 * the months as well, those that changed with their groups.
 */
const READ = query(
  'statistics-read',
  (_db, $: Range) => sql<ReadRow>`
    select f.building, v.version,
           case when v.version <> ${$.known}
             then (select '[' || coalesce(string_agg('["' || version || '",' ||
                            case when version <> all(${$.knownMonths}::text[]) then groups else 'null' end || ']', ','),
                            '') || ']'
                     from (select ${ROW_VERSION} as version, groups ${within($)}) m) end as months
      from (select coalesce((select rebuild_id is not null or epoch <> (select epoch from stream_epoch)
                               from receipt_followers where name = ${sql.lit(STATISTICS.name)}
                                and version = ${sql.lit(STATISTICS.version)}), true) as building) f,
           (select md5(coalesce(string_agg(${ROW_VERSION}, ' ' order by month), '')) as version
              ${within($)}) v`,
  { replica: true, computed: { building: 'bool', version: 'text', months: 'text' } },
);

interface CachedMonth {
  readonly version: string;
  readonly days: readonly Period[];
}

interface Cached {
  readonly version: string;
  readonly months: readonly CachedMonth[];
  readonly statistics: Statistics;
}

/** The number of cached statistics, and of their days altogether. */
const MAX_CACHED = 1_000;
const MAX_DAYS = 100_000;

/** One cache per database connection. */
const cacheOf = weakMemo((_sql: Sql) =>
  boundedCache<string, Cached>({
    max: MAX_CACHED,
    maxSize: MAX_DAYS,
    sizeOf: ({ months }) => months.reduce((sum, { days }) => sum + days.length, 1),
  }),
);

/**
 * The sums of a merchant's receipts by interval, as the database has them now. Each call queries the database, which
 * returns only the version if nothing changed; the statistics of the cached version are then returned by identity.
 * After a change only the changed months are read.
 */
export async function readStatistics(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  days: Days,
  interval: Interval,
): Promise<Statistics> {
  const cache = cacheOf(deps.sql);
  const key = keyOf(merchant, days, interval);
  const before = cache.get(key);
  const monthsBefore = new Map(before?.months.map(({ version, days }) => [version, days]));
  const known = { known: before?.version ?? '', knownMonths: [...monthsBefore.keys()] };
  const [row] = await deps.sql.run(READ, { merchant, ...days, ...known });
  const { building, version } = row!;
  // Concurrent readers may see the same change: all of them use the first statistics that were made.
  const now = cache.get(key);
  if (now?.version === version && now.statistics.building === building) return now.statistics;
  const months =
    row!.months === null
      ? before!.months
      : (JSON.parse(row!.months) as ReadMonth[]).map(([version, groups]) => ({
          version,
          days: groups === null ? monthsBefore.get(version)! : daysOf(groups),
        }));
  const found = months.flatMap((month) => month.days);
  const statistics = { ...sumsOf(found, days, interval), building };
  cache.set(key, { version, months, statistics });
  return statistics;
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
