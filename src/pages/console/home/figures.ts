import type { HomeQuery } from '../generated/home.ts';

type Stats = HomeQuery['receiptStats'];
type Day = Stats['periods'][number];

const DAYS = 14;
const WEEK = 7;

/** The last two weeks, today included, as dates of UTC: the days of the statistics. */
export function twoWeeks(now: Date): { readonly from: string; readonly to: string } {
  const dayAt = (away: number) => new Date(now.getTime() + away * 86_400_000).toISOString().slice(0, 10);
  return { from: dayAt(1 - DAYS), to: dayAt(0) };
}

/** Sales and what they are compared with. */
export interface Compared {
  readonly usd: number;
  readonly beforeUsd: number;
  readonly paid: number;
  readonly paidBefore: number;
}

const sum = (days: readonly Day[], of: (day: Day) => number): number =>
  Math.round(days.reduce((total, day) => total + of(day) * 100, 0)) / 100;

const compare = (now: readonly Day[], before: readonly Day[]): Compared => ({
  usd: sum(now, ({ figures }) => figures.grossUsd),
  beforeUsd: sum(before, ({ figures }) => figures.grossUsd),
  paid: sum(now, ({ figures }) => figures.paidCount),
  paidBefore: sum(before, ({ figures }) => figures.paidCount),
});

/** Today against the same day of last week, and the last seven days against the seven before. */
export function figuresOf({ periods, total }: Stats) {
  const onItsWay = total.groups.filter(({ status }) => status === 'tx_mined' || status === 'paid');
  return {
    today: compare(periods.slice(-1), periods.slice(-1 - WEEK, -WEEK)),
    week: compare(periods.slice(-WEEK), periods.slice(0, WEEK)),
    /** Money that was seen or confirmed, and is not paid out yet. */
    onItsWay: {
      usd: Math.round(onItsWay.reduce((usd, { figures }) => usd + figures.createdUsd * 100, 0)) / 100,
      count: onItsWay.reduce((count, { figures }) => count + figures.count, 0),
    },
    days: periods.map(({ from, figures }) => ({ from, usd: figures.grossUsd })),
  };
}
