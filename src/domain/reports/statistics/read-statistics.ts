import { sql } from 'kysely';
import { boundedCache } from '../../../base/core/caches.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { type Context, readOnce } from '../../../base/graphql/context.ts';
import type { Db } from '../../../base/platform/db.ts';
import { type KeyColumns, keyedQuery } from '../../../base/platform/postgres/query.ts';
import { ROW_VERSION } from '../../../base/platform/postgres/row-versions.ts';
import { STATISTICS } from './count.ts';
import type { Days, Interval } from './days.ts';
import { type MonthGroup, monthOf } from './pack.ts';
import { type Month, type Sums, sumsOf, unpackMonth } from './sums.ts';

export interface Statistics extends Sums {
  /** Whether receipts from before the statistics began, or from before a restore, are still being counted. */
  readonly building: boolean;
  /** The time zone of the days, IANA name. */
  readonly timeZone: string;
}

interface Asked {
  readonly merchant: Wallet;
  readonly from: string;
  readonly to: string;
  /** The position of the worker that the caller has seen; empty if none. */
  readonly seen: string;
  /** The versions of the months that the caller has, separated by spaces. */
  readonly known: string;
}

/** A month that has receipts. The groups are null if the caller has this version of the month. */
type ReadMonth = readonly [version: string, groups: readonly MonthGroup[] | null];

interface Row {
  /** Null before the first start of the worker, after a restore, and after a change of the format. */
  readonly position: string | null;
  readonly building: boolean;
  readonly timeZone: string;
  /** JSON of a `ReadMonth[]`, in order. Null if the worker is where the caller has seen it, so nothing has changed. */
  readonly months: string | null;
}

/** The months are written in the transaction that advances the position. */
const READ = keyedQuery(
  'statistics-read',
  ['merchant', 'from', 'to', 'seen', 'known'],
  (_db, key: KeyColumns<Asked>) => sql<Row>`
    select p.position, coalesce(p.building, true) or z.after_id is not null
             or coalesce(m.shop ->> 'timeZone', 'UTC') <> coalesce(z.zone, 'UTC') as building,
           coalesce(z.zone, 'UTC') as "timeZone",
           case when p.position is distinct from ${key.seen} then (
             select '[' || coalesce(string_agg('["' || version || '",' ||
                      case when version = any(string_to_array(${key.known}, ' ')) then 'null' else groups end || ']',
                      ',' order by month), '') || ']'
               from (select month, ${ROW_VERSION} as version, groups from receipt_months
                      where merchant = ${key.merchant} and month between ${monthOf(sql`${key.from}::int4`)}
                        and ${monthOf(sql`${key.to}::int4`)}) m) end as months
      from (select) one left join (
        select f.step || ' ' || f.snapshot as position, f.rebuild_id is not null as building
          from receipt_followers f join stream_epoch e on e.epoch = f.epoch
         where f.name = ${sql.lit(STATISTICS.name)} and f.version = ${sql.lit(STATISTICS.version)}) p on true
      left join counted_zones z on z.merchant = ${key.merchant} left join merchants m on m.wallet = ${key.merchant}`,
  { replica: true, computed: { position: 'text', building: 'bool', timeZone: 'text', months: 'text' } },
);

interface CachedMonth extends Month {
  readonly version: string;
}

interface Cached {
  readonly position: string | null;
  readonly months: readonly CachedMonth[];
  /** The versions of the months, separated by spaces. */
  readonly versions: string;
  readonly statistics: Statistics;
}

/** The number of cached statistics, and of their days altogether. */
const MAX_CACHED = 1_000;
const MAX_DAYS = 100_000;

/** One cache per database connection. */
const cacheOf = keptBy('statistics', (_db: Db) =>
  boundedCache<string, Cached>({
    max: MAX_CACHED,
    maxSize: MAX_DAYS,
    sizeOf: ({ months }) => months.reduce((sum, { days }) => sum + days.length, 1),
  }),
);

/**
 * The sums of a merchant's receipts by interval, as the database has them now. Each call queries the database, which
 * returns only the position of the worker if nothing has changed, and otherwise the changed months. Statistics whose
 * months have not changed are returned by identity.
 */
export async function readStatistics(db: Db, merchant: Wallet, days: Days, interval: Interval): Promise<Statistics> {
  const cache = cacheOf(db);
  const key = keyOf(merchant, days, interval);
  const known = cache.get(key);
  const range = { merchant, from: String(days.from), to: String(days.to) };
  const seen = { seen: known?.position ?? '', known: known?.versions ?? '' };
  const row = (await db.one(READ, { ...range, ...seen }))!;
  // A shop may have named another time zone, which the worker has not seen yet.
  const isCurrent = ({ statistics }: Cached) => statistics.building === row.building;
  if (row.months === null && isCurrent(known!)) return known!.statistics;
  // Concurrent readers may see the same change: all of them use what the first of them has made.
  const now = cache.get(key);
  if (now && now.position !== null && now.position === row.position && isCurrent(now)) return now.statistics;
  const { position, building, timeZone } = row;
  const months = row.months === null ? known!.months : monthsOf(JSON.parse(row.months), known?.months ?? []);
  const isSame =
    known?.statistics.building === building && known.statistics.timeZone === timeZone && isEqual(months, known.months);
  const statistics = isSame ? known.statistics : { ...sumsOf(months, days, interval), building, timeZone };
  cache.set(key, { position, months, versions: months.map(({ version }) => version).join(' '), statistics });
  return statistics;
}

/** The months that were read, those of a known version by identity. */
function monthsOf(read: readonly ReadMonth[], known: readonly CachedMonth[]): readonly CachedMonth[] {
  const byVersion = new Map(known.map((month) => [month.version, month]));
  return read.map(([version, groups]) => byVersion.get(version) ?? { version, ...unpackMonth(groups!) });
}

const isEqual = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((one, i) => one === b[i]);

const keyOf = (merchant: Wallet, { from, to }: Days, interval: Interval) => `${merchant} ${interval} ${from} ${to}`;

/** Reads each statistics once per request. Unchanged statistics are the same object as for an earlier request. */
export function readStatisticsOnce(
  context: Context,
  merchant: Wallet,
  days: Days,
  interval: Interval,
): Promise<Statistics> {
  const name = `statistics ${keyOf(merchant, days, interval)}`;
  return readOnce(context, name, () => readStatistics(context.db, merchant, days, interval));
}
