import type { ReceiptStatus } from '../../sales/receipts/lifecycle.ts';
import { type Days, type Interval, split } from './days.ts';
import type { MonthGroup } from './pack.ts';

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
  /** The receipts in euros among the created ones: their totals in euro cents, and those in `createdCents`. */
  readonly euroCreatedCents: number;
  readonly euroCreatedUsdCents: number;
  /** The same of the paid ones. */
  readonly euroPaidCents: number;
  readonly euroPaidUsdCents: number;
  /** The taxes in `paidCents`. */
  readonly taxCents: number;
  /** What was received for the receipts that were paid. */
  readonly receivedCents: number;
  /** What of it is beyond the total of its receipt, and what of that is sent back by now. */
  readonly surplusCents: number;
  readonly returnedSurplusCents: number;
  /** What was sent back within the days, whatever it was received for. */
  readonly sentBackCents: number;
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

/** Sums over a range of days. */
export interface Sums {
  /** The days as a whole. */
  readonly total: Period;
  /** The days by interval, also those without receipts. */
  readonly periods: readonly Period[];
}

const NONE: Figures = {
  createdCount: 0,
  createdCents: 0,
  paidCount: 0,
  paidCents: 0,
  feeCents: 0,
  refundedCents: 0,
  euroCreatedCents: 0,
  euroCreatedUsdCents: 0,
  euroPaidCents: 0,
  euroPaidUsdCents: 0,
  taxCents: 0,
  receivedCents: 0,
  surplusCents: 0,
  returnedSurplusCents: 0,
  sentBackCents: 0,
};

/** Sums while figures are added to them. */
type Adding<T> = { -readonly [Name in keyof T]: T[Name] };

/** Written out, because it runs for each day and group of a year after each change. */
function add(sum: Adding<Figures>, figures: Figures): void {
  sum.createdCount += figures.createdCount;
  sum.createdCents += figures.createdCents;
  sum.paidCount += figures.paidCount;
  sum.paidCents += figures.paidCents;
  sum.feeCents += figures.feeCents;
  sum.refundedCents += figures.refundedCents;
  sum.euroCreatedCents += figures.euroCreatedCents;
  sum.euroCreatedUsdCents += figures.euroCreatedUsdCents;
  sum.euroPaidCents += figures.euroPaidCents;
  sum.euroPaidUsdCents += figures.euroPaidUsdCents;
  sum.taxCents += figures.taxCents;
  sum.receivedCents += figures.receivedCents;
  sum.surplusCents += figures.surplusCents;
  sum.returnedSurplusCents += figures.returnedSurplusCents;
  sum.sentBackCents += figures.sentBackCents;
}

/** A month of receipts. */
export interface Month {
  /** The days that have receipts. */
  readonly days: readonly Period[];
  /** These days together. */
  readonly whole: Period;
}

/** Unpacks a month that has receipts. */
export function unpackMonth(month: readonly MonthGroup[]): Month {
  const groupsOf = new Map<number, Group[]>();
  for (const [status, token, days, created, createdCents, paid, paidCents, fees, refunded, euros, money] of month)
    for (const [i, day] of days.entries()) {
      const groups = groupsOf.get(day) ?? [];
      groupsOf.set(day, groups);
      groups.push({
        status,
        token: token || null,
        createdCount: created[i]!,
        createdCents: createdCents[i]!,
        paidCount: paid[i]!,
        paidCents: paidCents[i]!,
        feeCents: fees[i]!,
        refundedCents: refunded[i]!,
        euroCreatedCents: euros?.[0][i] ?? 0,
        euroCreatedUsdCents: euros?.[1][i] ?? 0,
        euroPaidCents: euros?.[2][i] ?? 0,
        euroPaidUsdCents: euros?.[3][i] ?? 0,
        taxCents: money?.[0][i] ?? 0,
        receivedCents: money?.[1][i] ?? 0,
        surplusCents: money?.[2][i] ?? 0,
        returnedSurplusCents: money?.[3][i] ?? 0,
        sentBackCents: money?.[4][i] ?? 0,
      });
    }
  const days = [...groupsOf].map(([day, groups]) => periodOf({ from: day, to: day }, groups));
  const numbers = [...groupsOf.keys()];
  return { days, whole: unite({ from: Math.min(...numbers), to: Math.max(...numbers) }, days) };
}

/** The sums of a range by interval, from its months. A period of one day is the day itself. */
export function sumsOf(months: readonly Month[], days: Days, interval: Interval): Sums {
  const isWithin = ({ from, to }: Days): boolean => from >= days.from && to <= days.to;
  const parts = split(days, interval);
  const foundIn: Period[][] = parts.map(() => []);
  const partOf = parts.flatMap(({ from, to }, part) => new Array<number>(to - from + 1).fill(part));
  for (const month of months)
    for (const day of month.days) if (isWithin(day)) foundIn[partOf[day.from - days.from]!]!.push(day);
  return {
    total: unite(
      days,
      months.flatMap((month) => (isWithin(month.whole) ? [month.whole] : month.days.filter(isWithin))),
    ),
    periods: parts.map((part, i) => {
      const [first] = foundIn[i]!;
      return part.from === part.to && first ? first : unite(part, foundIn[i]!);
    }),
  };
}

/** One period of the days in it. */
function unite(days: Days, found: readonly Period[]): Period {
  const united = new Map<string, Adding<Group>>();
  for (const { groups } of found)
    for (const group of groups) {
      const kind = `${group.status} ${group.token}`;
      const known = united.get(kind);
      if (known) add(known, group);
      else united.set(kind, { ...group });
    }
  return periodOf(days, [...united.values()]);
}

function periodOf(days: Days, groups: readonly Group[]): Period {
  const sum: Adding<Figures> = { ...NONE };
  for (const group of groups) add(sum, group);
  const sorted = groups.toSorted((a, b) => compare(a.status, b.status) || compare(a.token ?? '', b.token ?? ''));
  return { ...days, ...sum, groups: sorted };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
