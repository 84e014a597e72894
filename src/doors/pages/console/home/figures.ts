import { type Amount, sumsOf } from '../client/sums.ts';
import type { Currency, HomeQuery } from '../generated/home.ts';

type Stats = HomeQuery['receiptStats'];
type Day = Stats['periods'][number];

const DAYS = 14;
const WEEK = 7;

/** The last two weeks, today included, as dates of UTC: the days of the statistics. */
export function twoWeeks(now: Date): { readonly from: string; readonly to: string } {
  const dayAt = (away: number) => new Date(now.getTime() + away * 86_400_000).toISOString().slice(0, 10);
  return { from: dayAt(1 - DAYS), to: dayAt(0) };
}

/** Sales and what they are compared with. Amounts are by currency, that of the shop first. */
export interface Compared {
  readonly sales: readonly Amount[];
  readonly salesBefore: readonly Amount[];
  readonly paid: number;
}

const grossOf = (days: readonly Day[]): readonly Amount[] =>
  days.flatMap(({ figures }) => figures.currencies.map(({ currency, gross }) => ({ currency, amount: gross })));

const compare = (now: readonly Day[], before: readonly Day[], own: Currency): Compared => ({
  sales: sumsOf(grossOf(now), own),
  salesBefore: sumsOf(grossOf(before), own),
  paid: now.reduce((sum, { figures }) => sum + figures.paidCount, 0),
});

/** Sales by day in one currency. */
export interface DailySales {
  readonly currency: Currency;
  readonly days: readonly { readonly from: string; readonly amount: number }[];
}

/** Sales by day in the currency of the shop if all are in it, else in US dollars. */
function chartOf(days: readonly Day[], own: Currency): DailySales {
  const isOwn = grossOf(days).every(({ currency, amount }) => currency === own || amount === 0);
  const currency: Currency = isOwn ? own : 'USD';
  const amountOf = (day: Day) => (isOwn ? sumsOf(grossOf([day]), own)[0]!.amount : day.figures.grossUsd);
  return { currency, days: days.map((day) => ({ from: day.from, amount: amountOf(day) })) };
}

/** Today against the same day of last week, and the last seven days against the seven before. */
export function figuresOf({ periods, total }: Stats, own: Currency) {
  const onItsWay = total.groups.filter(({ status }) => status === 'tx_mined' || status === 'paid');
  const created = onItsWay.flatMap(({ figures }) =>
    figures.currencies.map(({ currency, created }) => ({ currency, amount: created })),
  );
  return {
    today: compare(periods.slice(-1), periods.slice(-1 - WEEK, -WEEK), own),
    week: compare(periods.slice(-WEEK), periods.slice(0, WEEK), own),
    /** Money that was seen or confirmed, and is not paid out yet. */
    onItsWay: {
      sums: sumsOf(created, own),
      count: onItsWay.reduce((count, { figures }) => count + figures.count, 0),
    },
    chart: chartOf(periods, own),
  };
}
