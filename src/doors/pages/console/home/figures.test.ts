import { expect, test } from 'vitest';
import { DAYS, figuresOf, salesOf } from './figures.ts';

type Day = Parameters<typeof salesOf>[0][number];

const day = (grossUsd: number, netUsd = grossUsd, euros = 0): Day => ({
  from: '2026-11-22',
  figures: {
    paidCount: grossUsd > 0 ? 1 : 0,
    grossUsd,
    shortfallUsd: 0,
    refundedRevenueUsd: Math.round((grossUsd - netUsd) * 100) / 100,
    netUsd,
    currencies:
      euros > 0 ? [{ currency: 'EUR', gross: euros }] : grossUsd > 0 ? [{ currency: 'USD', gross: grossUsd }] : [],
  },
});

test('what was refunded is no sale: the number that stands first is net', () => {
  expect(salesOf([day(24.48, 0), day(10.1), day(0.2)], 'USD')).toEqual({
    net: [{ currency: 'USD', amount: 10.3 }],
    gross: [{ currency: 'USD', amount: 34.78 }],
    refundedUsd: 24.48,
    paid: 3,
  });
});

test('a shop in euros reads euros until a refund, which is known in dollars', () => {
  expect(salesOf([day(11, 11, 10)], 'EUR').net).toEqual([{ currency: 'EUR', amount: 10 }]);
  expect(salesOf([day(11, 5.5, 10)], 'EUR').net).toEqual([{ currency: 'USD', amount: 5.5 }]);
});

test('today is compared with the same weekday of last week and of last year', () => {
  expect(DAYS).toEqual({ from: 'today-13', to: 'today', yearFrom: 'today-370', yearTo: 'today-364' });
  expect(364 % 7).toBe(0);
  const periods = Array.from({ length: 14 }, (_, i) => day(i + 1));
  const { today, week, chart } = figuresOf(
    { building: false, timeZone: 'UTC', total: { groups: [] }, periods },
    [day(70), day(80)],
    'USD',
  );
  expect([today.sales, today.before, today.yearBefore].map(({ net }) => net[0]!.amount)).toEqual([14, 7, 80]);
  expect([week.sales, week.before, week.yearBefore].map(({ net }) => net[0]!.amount)).toEqual([77, 28, 150]);
  expect(chart.days.map(({ amount }) => amount)).toEqual(periods.map(({ figures }) => figures.netUsd));
});
