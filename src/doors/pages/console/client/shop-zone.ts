import { useState } from 'preact/hooks';
import { DAY_MS, dayIn, dayStart } from '../../../../base/core/time-zone.ts';
import { ConsoleShop } from '../generated/client.ts';
import { useRead } from './ask.ts';
import { useInside } from './inside.ts';

/** The time zone (IANA) of the shop's days; undefined while it is being read. Without a shop it is UTC. */
export function useShopZone(): string | undefined {
  const isShopless = useInside().session.merchant === null;
  const { data, problem } = useRead(ConsoleShop, {}, { pause: isShopless, again: false });
  return isShopless || problem !== null ? 'UTC' : data?.shopConfig.profile.timeZone;
}

/**
 * The time by which a page filters. A period is relative to the day on which the page is opened, not to each moment.
 * The read pauses while a period waits for the zone.
 */
export function useShopTime({ period }: PeriodQuery): { readonly time: ShopTime; readonly pause: boolean } {
  const [now] = useState(() => new Date());
  const zone = useShopZone();
  return { time: { now, zone: zone ?? 'UTC' }, pause: zone === undefined && Boolean(period) };
}

/** The first and the last day of each period, as days relative to a day. `day(0, 1)` is the first day of its month. */
const PERIODS: Readonly<Record<string, (day: DayOf) => readonly [from: number, to: number]>> = {
  __proto__: null as never,
  today: (day) => [day(0), day(0)],
  week: (day) => [day(-6), day(0)],
  month: (day) => [day(0, 1), day(0)],
  'last-month': (day) => [day(-1, 1), day(0, 0)],
};

/** A day, as days since 1970-01-01: days or, with `date`, months away from today. */
type DayOf = (away: number, date?: number) => number;

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

const awayFrom =
  (today: number): DayOf =>
  (away, date) => {
    if (date === undefined) return today + away;
    const day = new Date(today * DAY_MS);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + away, date) / DAY_MS;
  };

/** The day of `2026-11-22`; undefined if it is none. */
function dayFrom(text: string | undefined): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '') ?? [];
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS;
}

/** The present, and the time zone (IANA) of the shop's days. */
export interface ShopTime {
  readonly now: Date;
  readonly zone: string;
}

/**
 * The moments of the period of an address, in whole days of the shop's time zone, which are also those of the
 * statistics. What is unknown does not limit.
 */
export function rangeOf({ period = '', from, to }: PeriodQuery, { now, zone }: ShopTime): Range {
  const days = PERIODS[period]?.(awayFrom(dayIn(zone, now.getTime())));
  const [first, last] = days ?? (period === 'days' ? [dayFrom(from), dayFrom(to)] : []);
  return {
    ...(first === undefined ? {} : { from: dayStart(zone, first) }),
    ...(last === undefined ? {} : { to: dayStart(zone, last + 1) - 1 }),
  };
}
