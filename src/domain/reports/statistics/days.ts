import { DAY_MS, textOfDay } from '../../../base/core/time-zone.ts';

/** The days since 1970-01-01 of a date as `YYYY-MM-DD`; null if there is no such date. */
export function dayOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(at) || at < 0) return null;
  const day = at / DAY_MS;
  // Some engines accept the 30th of February.
  return textOfDay(day) === text ? day : null;
}

const TODAY = /^today(?:-(\d{1,5}))?$/;

/** Whether a text names a day by today: `today`, `today-13`. */
export const isRelative = (text: string): boolean => TODAY.test(text);

/** The days since 1970-01-01 of a date, or of a day before today as `today-13`; null if there is no such day. */
export function dayBy(today: number, text: string): number | null {
  const relative = TODAY.exec(text);
  if (!relative) return dayOf(text);
  const day = today - Number(relative[1] ?? 0);
  return day < 0 ? null : day;
}

export const INTERVALS = ['DAY', 'WEEK', 'MONTH'] as const;
export type Interval = (typeof INTERVALS)[number];

/** 1970-01-01 was a Thursday. */
const mondayOf = (day: number): number => day - ((day + 3) % 7);

function monthOf(day: number, later = 0): number {
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) / DAY_MS;
}

/** The first day of the interval after the one that contains a day. */
const NEXT: Readonly<Record<Interval, (day: number) => number>> = {
  DAY: (day) => day + 1,
  WEEK: (day) => mondayOf(day) + 7,
  MONTH: (day) => monthOf(day, 1),
};

/** Days from one to another, both included. */
export interface Days {
  readonly from: number;
  readonly to: number;
}

/** Splits days into intervals. The first and the last contain only the days that were asked for. */
export function split({ from, to }: Days, interval: Interval): Days[] {
  const parts: Days[] = [];
  for (let start = from; start <= to; ) {
    const next = NEXT[interval](start);
    parts.push({ from: start, to: Math.min(next - 1, to) });
    start = next;
  }
  return parts;
}
