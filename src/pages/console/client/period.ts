/** The first and the last day of each period, as days relative to a day. `day(0, 1)` is the first day of its month. */
const PERIODS: Readonly<Record<string, (day: DayOf) => readonly [from: Date, to: Date]>> = {
  __proto__: null as never,
  today: (day) => [day(0), day(0)],
  week: (day) => [day(-6), day(0)],
  month: (day) => [day(0, 1), day(0)],
  'last-month': (day) => [day(-1, 1), day(0, 0)],
};

/** A day of the reader's calendar: days or, with `date`, months away from today. */
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
    const [year, month] = [now.getFullYear(), now.getMonth()];
    return date === undefined ? new Date(year, month, now.getDate() + away) : new Date(year, month + away, date);
  };

/** `2026-11-22` as the begin of that day for the reader; undefined if it is none. */
function dayFrom(text: string | undefined): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '') ?? [];
  return year === undefined ? undefined : new Date(Number(year), Number(month) - 1, Number(day));
}

const endOf = (day: Date): number => new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime() - 1;

/** The moments of the period of an address, in whole days of the reader. What is unknown does not limit. */
export function rangeOf({ period = '', from, to }: PeriodQuery, now: Date): Range {
  const days = PERIODS[period]?.(dayAt(now));
  const [first, last] = days ?? (period === 'days' ? [dayFrom(from), dayFrom(to)] : []);
  return { ...(first ? { from: first.getTime() } : {}), ...(last ? { to: endOf(last) } : {}) };
}
