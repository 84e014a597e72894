import { expect, test } from 'vitest';
import { exportUrl, filterOf } from './filter.ts';

const time = { now: new Date(Date.UTC(2026, 2, 15, 13, 30)), zone: 'UTC' };
const at = (...parts: [number, number, number]) => Date.UTC(...parts);

test('a period is whole days of the shop’s zone, from its first to its last moment', () => {
  expect(filterOf({ period: 'today' }, time)).toEqual({
    createdFrom: at(2026, 2, 15),
    createdTo: at(2026, 2, 16) - 1,
  });
  expect(filterOf({ period: 'week' }, time)).toEqual({ createdFrom: at(2026, 2, 9), createdTo: at(2026, 2, 16) - 1 });
  expect(filterOf({ period: 'month' }, time)).toEqual({ createdFrom: at(2026, 2, 1), createdTo: at(2026, 2, 16) - 1 });
  expect(filterOf({ period: 'last-month' }, time)).toEqual({
    createdFrom: at(2026, 1, 1),
    createdTo: at(2026, 2, 1) - 1,
  });
});

test('a day of a shop begins at its own midnight, also when its clocks change', () => {
  const berlin = { now: new Date('2026-03-29T22:30:00Z'), zone: 'Europe/Berlin' };
  expect(filterOf({ period: 'today' }, berlin)).toEqual({
    createdFrom: Date.parse('2026-03-29T22:00:00Z'),
    createdTo: Date.parse('2026-03-30T22:00:00Z') - 1,
  });
  expect(filterOf({ period: 'days', from: '2026-03-29', to: '2026-03-29' }, berlin)).toEqual({
    createdFrom: Date.parse('2026-03-28T23:00:00Z'),
    createdTo: Date.parse('2026-03-29T22:00:00Z') - 1,
  });
});

test('last month in January is December of the year before', () => {
  expect(filterOf({ period: 'last-month' }, { ...time, now: new Date(Date.UTC(2026, 0, 31)) })).toEqual({
    createdFrom: at(2025, 11, 1),
    createdTo: at(2026, 0, 1) - 1,
  });
});

test('days of one’s own choice count whole, and each end may be open', () => {
  expect(filterOf({ period: 'days', from: '2026-03-01', to: '2026-03-02' }, time)).toEqual({
    createdFrom: at(2026, 2, 1),
    createdTo: at(2026, 2, 3) - 1,
  });
  expect(filterOf({ period: 'days', from: '2026-03-01', to: '' }, time)).toEqual({ createdFrom: at(2026, 2, 1) });
});

test('what an address says that is not known filters nothing', () => {
  expect(filterOf({ show: 'constructor', period: 'never', from: 'x', q: '  ' }, time)).toEqual({});
});

test('words and a group are passed on together', () => {
  expect(filterOf({ q: ' ada@shop ', show: 'paid' }, time)).toEqual({ q: 'ada@shop', statuses: ['paid', 'completed'] });
});

test('an export has the filters of the list', () => {
  const filter = filterOf({ q: 'ada & co', show: 'paid', period: 'today' }, time);
  const url = new URL(exportUrl(filter, { rows: 'lines', format: 'jsonl', timezone: 'Europe/Berlin' }), 'http://shop');
  expect(url.pathname).toBe('/api/exports/receipts');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    rows: 'lines',
    format: 'jsonl',
    timezone: 'Europe/Berlin',
    q: 'ada & co',
    statuses: 'paid,completed',
    createdFrom: String(at(2026, 2, 15)),
    createdTo: String(at(2026, 2, 16) - 1),
  });
});
