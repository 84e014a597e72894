import { type RawBuilder, sql } from 'kysely';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { query, type RowOf } from '../platform/query.ts';
import type { ReceiptStatus } from '../receipts/lifecycle.ts';
import { STATISTICS } from './count.ts';
import { type Days, type Interval, split } from './days.ts';

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
}

interface ReadRow extends Figures {
  /** A day of the interval. */
  readonly day: number | null;
  readonly status: ReceiptStatus | null;
  readonly token: string | null;
  readonly building: boolean;
}

const COMPUTED = {
  day: 'int4',
  status: 'text',
  token: 'text',
  building: 'bool',
  createdCount: 'int8',
  createdCents: 'int8',
  paidCount: 'int8',
  paidCents: 'int8',
  feeCents: 'int8',
  refundedCents: 'int8',
} as const;

/**
 * One statement: the rows of a range of the key, and whether they are complete. There is one row at least.
 *
 * @param sums the rows of `receipt_days`, as the columns of a `ReadRow`
 */
const reading = (name: string, sums: ($: Range) => RawBuilder<unknown>, slow = false) =>
  query(
    name,
    (_db, $: Range) => sql<ReadRow>`
      select g.day, g.status, g.token, g."createdCount", g."createdCents", g."paidCount", g."paidCents", g."feeCents",
             g."refundedCents", f.building
        from (select coalesce((select rebuild_id is not null or epoch <> (select epoch from stream_epoch)
                                 from receipt_followers where name = ${sql.lit(STATISTICS.name)}
                                  and version = ${sql.lit(STATISTICS.version)}), true) as building) f
        left join (${sums($)}) g on true`,
    { computed: COMPUTED, slow },
  );

const within = ({ merchant, from, to }: Range) =>
  sql`from receipt_days where merchant = ${merchant} and day between ${from}::int4 and ${to}::int4`;

/** The key is unique by day, so nothing is summed: a year by day is read as quickly as its rows. */
const byDay = ($: Range) => sql`
  select day, status, token, created_count as "createdCount", created_cents as "createdCents",
         paid_count as "paidCount", paid_cents as "paidCents", fee_cents as "feeCents",
         refunded_cents as "refundedCents" ${within($)}`;

const by = (start: RawBuilder<number>) => ($: Range) =>
  sql`
  select ${start} as day, status, token, sum(created_count)::int8 as "createdCount",
         sum(created_cents)::int8 as "createdCents", sum(paid_count)::int8 as "paidCount",
         sum(paid_cents)::int8 as "paidCents", sum(fee_cents)::int8 as "feeCents",
         sum(refunded_cents)::int8 as "refundedCents" ${within($)} group by 1, 2, 3`;

/** By the first day of the interval, which may be before the range. */
const READ = {
  DAY: reading('statistics-by-day', byDay),
  WEEK: reading('statistics-by-week', by(sql`day - (day + 3) % 7`), true),
  MONTH: reading(
    'statistics-by-month',
    by(sql`date_trunc('month', (date '1970-01-01' + day)::timestamp)::date - date '1970-01-01'`),
    true,
  ),
} as const satisfies Record<Interval, unknown>;

type Row = RowOf<(typeof READ)['DAY']>;

/** The sums of a merchant's receipts by interval. */
export async function readStatistics(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  days: Days,
  interval: Interval,
): Promise<Statistics> {
  const rows = await deps.sql.run(READ[interval], { merchant, ...days });
  const groups = rows.filter((row): row is Row & Group & { readonly day: number } => row.day !== null);
  const byStart = Map.groupBy(groups, ({ day }) => Math.max(day, days.from));
  const periods = split(days, interval).map((part) => periodOf(part, byStart.get(part.from) ?? []));
  const byKind = Map.groupBy(groups, ({ status, token }) => `${status} ${token}`);
  const total = periodOf(
    days,
    [...byKind.values()].map((same) => ({ ...same[0]!, ...sumOf(same) })),
  );
  return { total, periods, building: rows[0]!.building };
}

const periodOf = (days: Days, groups: readonly Group[]): Period => ({
  ...days,
  ...sumOf(groups),
  groups: groups
    .map((group) => ({ status: group.status, token: group.token || null, ...sumOf([group]) }))
    .sort((a, b) => compare(a.status, b.status) || compare(a.token ?? '', b.token ?? '')),
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const NAMES = ['createdCount', 'createdCents', 'paidCount', 'paidCents', 'feeCents', 'refundedCents'] as const;

function sumOf(all: readonly Figures[]): Figures {
  const sum = { createdCount: 0, createdCents: 0, paidCount: 0, paidCents: 0, feeCents: 0, refundedCents: 0 };
  for (const one of all) for (const name of NAMES) sum[name] += one[name];
  return sum;
}
