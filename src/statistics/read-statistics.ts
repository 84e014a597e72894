import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Wallet } from '../core/wallet.ts';
import { weakMemo } from '../core/weak-memo.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import type { Sql } from '../platform/sql.ts';
import type { ReceiptStatus } from '../receipts/lifecycle.ts';
import { STATISTICS } from './count.ts';
import { type Days, type Interval, split, textOfDay } from './days.ts';
import { type MonthGroup, monthOf } from './pack.ts';

/** Sums over receipts. Money in cents. */
export interface Figures {
  /** The receipts that were created. */
  readonly createdCount: number;
  readonly createdCents: number;
  /** The receipts that were paid. */
  readonly paidCount: number;
  readonly paidCents: number;
  /** The processing fees in `paidCents`. */
  readonly feeCents: number;
  /** What is refunded by now of the receipts that were paid. */
  readonly refundedCents: number;
}

/** The receipts with one status and token. */
export interface Group extends Figures {
  readonly status: ReceiptStatus;
  readonly token: string | null;
}

/** The receipts of some days. */
export interface Period extends Figures, Days {
  /** The first and the last day, as `YYYY-MM-DD`. */
  readonly fromDate: string;
  readonly toDate: string;
  /** In the order of status and token; no empty ones. */
  readonly groups: readonly Group[];
}

export interface Statistics {
  /** The days as a whole. */
  readonly total: Period;
  /** The days by interval, also those without receipts. */
  readonly periods: readonly Period[];
  /** Whether receipts from before the statistics began, or from before a restore, are still being counted. */
  readonly building: boolean;
}

interface Range extends Days {
  readonly merchant: Wallet;
  /** The version that the caller has; empty for none. */
  readonly known: string;
}

interface ReadRow {
  readonly building: boolean;
  readonly version: string;
  /** JSON of a `MonthGroup[][]`. Null if the caller has this version. */
  readonly months: string | null;
}

const within = ({ merchant, from, to }: Range) =>
  sql`from receipt_months where merchant = ${merchant}
       and month between ${monthOf(sql`${from}::int4`)} and ${monthOf(sql`${to}::int4`)}`;

/**
 * One statement: the version of the months, whether they are complete, and their rows only if the version differs from
 * the caller's. A row's version is its `ctid` and `xmin`, so any write from any process changes it.
 */
const READ = query(
  'statistics-read',
  (_db, $: Range) => sql<ReadRow>`
    select f.building, v.version,
           case when v.version <> ${$.known}
             then (select '[' || coalesce(string_agg(groups, ','), '') || ']' ${within($)}) end as months
      from (select coalesce((select rebuild_id is not null or epoch <> (select epoch from stream_epoch)
                               from receipt_followers where name = ${sql.lit(STATISTICS.name)}
                                and version = ${sql.lit(STATISTICS.version)}), true) as building) f,
           (select md5(coalesce(string_agg(month || ctid::text || xmin::text, ' ' order by month), '')) as version
              ${within($)}) v`,
  { replica: true, computed: { building: 'bool', version: 'text', months: 'text' } },
);

/** Statistics that were read, without what changes while they stay the same. */
type Sums = Pick<Statistics, 'total' | 'periods'>;

interface CachedSums {
  readonly version: string;
  readonly sums: Sums;
  readonly size: number;
}

/** The number of cached statistics, and their total size in characters of JSON. */
const MAX_CACHED = 1_000;
const MAX_SIZE = 8 * 1024 * 1024;

/** One cache per database connection. */
const cacheOf = weakMemo(
  (_sql: Sql) =>
    new LRUCache<string, CachedSums>({ max: MAX_CACHED, maxSize: MAX_SIZE, sizeCalculation: ({ size }) => size }),
);

/**
 * The sums of a merchant's receipts by interval, as the database has them now. Each call queries the database, which
 * returns only the version if nothing changed; the sums of the cached version are then returned.
 */
export async function readStatistics(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  days: Days,
  interval: Interval,
): Promise<Statistics> {
  const cache = cacheOf(deps.sql);
  const key = `${merchant} ${interval} ${days.from} ${days.to}`;
  const cached = cache.get(key);
  const [row] = await deps.sql.run(READ, { merchant, ...days, known: cached?.version ?? '' });
  const { building, version, months } = row!;
  if (months === null) return { ...cached!.sums, building };
  const sums = sumsOf(JSON.parse(months) as MonthGroup[][], days, interval);
  cache.set(key, { version, sums, size: months.length });
  return { ...sums, building };
}

/** A group while days are added to it. */
type Adding = { -readonly [Name in keyof Group]: Group[Name] };

/** Groups by status and token. */
type Groups = Map<string, Adding>;

function sumsOf(months: readonly (readonly MonthGroup[])[], days: Days, interval: Interval): Sums {
  const parts = split(days, interval);
  const groupsOfDay: Groups[] = [];
  const groupsOfPart = parts.map(({ from, to }) => {
    const groups: Groups = new Map();
    for (let day = from; day <= to; day++) groupsOfDay.push(groups);
    return groups;
  });
  const total: Groups = new Map();
  for (const month of months)
    for (const packed of month) {
      const [status, token, dayNumbers, ...columns] = packed;
      const kind = `${status} ${token}`;
      for (const [i, day] of dayNumbers.entries()) {
        const groups = groupsOfDay[day - days.from];
        if (day < days.from || !groups) continue;
        for (const into of [groups, total]) addDay(groupIn(into, kind, status, token), columns, i);
      }
    }
  return {
    total: periodOf(days, total),
    periods: parts.map((part, i) => periodOf(part, groupsOfPart[i]!)),
  };
}

const none = () => ({ createdCount: 0, createdCents: 0, paidCount: 0, paidCents: 0, feeCents: 0, refundedCents: 0 });

function groupIn(groups: Groups, kind: string, status: ReceiptStatus, token: string): Adding {
  const known = groups.get(kind);
  if (known) return known;
  const group = { status, token: token || null, ...none() };
  groups.set(kind, group);
  return group;
}

function addDay(group: Adding, columns: readonly (readonly number[])[], i: number): void {
  for (const [n, name] of NAMES.entries()) group[name] += columns[n]![i]!;
}

/** In the order of the columns of a `MonthGroup`. */
const NAMES = ['createdCount', 'createdCents', 'paidCount', 'paidCents', 'feeCents', 'refundedCents'] as const;

function periodOf(days: Days, groups: Groups): Period {
  const sum = none();
  for (const group of groups.values()) for (const name of NAMES) sum[name] += group[name];
  const sorted = [...groups.values()].sort(
    (a, b) => compare(a.status, b.status) || compare(a.token ?? '', b.token ?? ''),
  );
  return { ...days, fromDate: textOfDay(days.from), toDate: textOfDay(days.to), ...sum, groups: sorted };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
