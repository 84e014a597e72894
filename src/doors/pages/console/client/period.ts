/** The first and the last day of each period, as days relative to a day. `day(0, 1)` is the first day of its month. */
const PERIODS: Readonly<Record<string, (day: DayOf) => readonly [from: Date, to: Date]>> = {
  __proto__: null as never,
  today: (day) => [day(0), day(0)],
  week: (day) => [day(-6), day(0)],
  month: (day) => [day(0, 1), day(0)],
  'last-month': (day) => [day(-1, 1), day(0, 0)],
};

/** A day of UTC: days or, with `date`, months away from today. */
type DayOf = (away: number, date?: number) => Date;

export const PERIOD_NAMES = Object.keys(PERIODS);

/** What an address says about a period. */
export interface PeriodQuery {
  readonly period?: string;
  /** Days as `2026-11-22`, if the period is `days`. */
  readonly from?: string;
  readonly to?: string;
}

/** The moments of a period, epoch ms; both are included, and each may be open. */
export interface Range {
  readonly from?: number;
  readonly to?: number;
}

const dayAt =
  (now: Date): DayOf =>
  (away, date) => {
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    const [months, day] = date === undefined ? [0, now.getUTCDate() + away] : [away, date];
    return new Date(Date.UTC(year, month + months, day));
  };

/** `2026-11-22` as the begin of that day; undefined if it is none. */
function dayFrom(text: string | undefined): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '') ?? [];
  return year === undefined ? undefined : new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
}

const DAY_MS = 86_400_000;

/**
 * The moments of the period of an address, in whole days of UTC, which are also those of the statistics. What is
 * unknown does not limit.
 */
export function rangeOf({ period = '', from, to }: PeriodQuery, now: Date): Range {
  const days = PERIODS[period]?.(dayAt(now));
  const [first, last] = days ?? (period === 'days' ? [dayFrom(from), dayFrom(to)] : []);
  return {
    ...(first ? { from: first.getTime() } : {}),
    ...(last ? { to: last.getTime() + DAY_MS - 1 } : {}),
  };
}
