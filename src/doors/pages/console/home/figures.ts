import { type Amount, sumsOf } from '../client/money-text.ts';
import type { Currency, HomeQuery } from '../generated/home.ts';

type Stats = HomeQuery['receiptStats'];
type Day = Stats['periods'][number];

const WEEK = 7;

/** Whole weeks, so that a day is compared with the same day of the week. */
const YEAR = 52 * WEEK;

/** The days that Home reads: the last two weeks, today included, and the same week a year ago. */
export const DAYS = {
  from: `today-${2 * WEEK - 1}`,
  to: 'today',
  yearFrom: `today-${YEAR + WEEK - 1}`,
  yearTo: `today-${YEAR}`,
};

/**
 * Sales of some days. Amounts are by currency, that of the shop first. What is short or went back is known in US
 * dollars, so net sales of other currencies are in dollars too, as soon as they differ from the gross ones.
 */
export interface Sales {
  readonly net: readonly Amount[];
  readonly gross: readonly Amount[];
  readonly refundedUsd: number;
  readonly paid: number;
}

/** Sales and what they are compared with. */
export interface Compared {
  readonly sales: Sales;
  readonly before: Sales;
  readonly yearBefore: Sales;
}

const grossOf = (days: readonly Day[]): readonly Amount[] =>
  days.flatMap(({ figures }) => figures.currencies.map(({ currency, gross }) => ({ currency, amount: gross })));

/** The sum of one figure, exact to the cent. */
const sumOf = (days: readonly Day[], figure: 'netUsd' | 'grossUsd' | 'refundedRevenueUsd'): number =>
  days.reduce((cents, { figures }) => cents + Math.round(figures[figure] * 100), 0) / 100;

/** The sales of some days; see `Sales`. */
export function salesOf(days: readonly Day[], own: Currency): Sales {
  const gross = sumsOf(grossOf(days), own);
  const net = sumOf(days, 'netUsd');
  return {
    net: net === sumOf(days, 'grossUsd') ? gross : [{ currency: 'USD', amount: net }],
    gross,
    refundedUsd: sumOf(days, 'refundedRevenueUsd'),
    paid: days.reduce((sum, { figures }) => sum + figures.paidCount, 0),
  };
}

/** Sales by day in one currency. */
export interface DailySales {
  readonly currency: Currency;
  readonly days: readonly { readonly from: string; readonly amount: number }[];
}

/** Net sales by day in the currency of the shop if all are in it, else in US dollars. */
function chartOf(days: readonly Day[], own: Currency): DailySales {
  const isOwn = days.every((day) => salesOf([day], own).net.every(({ currency }) => currency === own));
  const amountOf = (day: Day) => (isOwn ? salesOf([day], own).net[0]!.amount : day.figures.netUsd);
  return { currency: isOwn ? own : 'USD', days: days.map((day) => ({ from: day.from, amount: amountOf(day) })) };
}

/** Today against the same day of last week and of last year, and the last seven days against those. */
export function figuresOf({ periods, total }: Stats, lastYear: readonly Day[], own: Currency) {
  const compare = (...[now, before, yearBefore]: [readonly Day[], readonly Day[], readonly Day[]]): Compared => ({
    sales: salesOf(now, own),
    before: salesOf(before, own),
    yearBefore: salesOf(yearBefore, own),
  });
  const onItsWay = total.groups.filter(({ status }) => status === 'tx_mined' || status === 'paid');
  const created = onItsWay.flatMap(({ figures }) =>
    figures.currencies.map(({ currency, created }) => ({ currency, amount: created })),
  );
  return {
    today: compare(periods.slice(-1), periods.slice(-1 - WEEK, -WEEK), lastYear.slice(-1)),
    week: compare(periods.slice(-WEEK), periods.slice(0, WEEK), lastYear),
    /** Money that was seen or confirmed, and is not paid out yet. */
    onItsWay: {
      sums: sumsOf(created, own),
      count: onItsWay.reduce((count, { figures }) => count + figures.count, 0),
    },
    chart: chartOf(periods, own),
  };
}
