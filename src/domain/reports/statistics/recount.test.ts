import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockChanges, dayIn, dayStart, textOfDay } from '../../../base/core/time-zone.ts';
import { OTHER, SHOP } from '../receipt-search/test/shop.ts';
import { dayOf } from './days.ts';
import { readStatistics } from './read-statistics.ts';
import { countAll } from './recount.ts';
import { openShop, type Shop } from './test/shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.close());

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'Asia/Kathmandu', 'Pacific/Niue'];
const HOUR = 3_600_000;
const lines = { itemCents: 1_000, feeCents: 5, euro: false };

const nameZone = (zone: string | null) =>
  shop.run(
    `update merchants set shop = coalesce(shop, '{}') || jsonb_build_object('timeZone', $2::text) where wallet = $1`,
    [SHOP, zone ?? 'UTC'],
  );

const daysOf = async (merchant = SHOP) => {
  const { periods, timeZone, building } = await readStatistics(
    shop.deps.db,
    merchant,
    { from: dayOf('2026-01-01')!, to: dayOf('2026-12-31')! },
    'DAY',
  );
  const days = periods.filter(({ createdCount }) => createdCount > 0);
  return { timeZone, building, days: Object.fromEntries(days.map((day) => [textOfDay(day.from), day.createdCount])) };
};

/** The local date as the runtime's own calendar has it. */
const dateIn = (zone: string, at: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at);

test('receipts count on the day of the shop’s clock, before and after it names another zone, and no other shop moves', async () => {
  const times: number[] = [];
  // More than one step of receipts, with the hours around both changes of the clocks.
  for (let n = 0; n < 230; n++) times.push(Date.UTC(2026, 0, 1) + n * 37 * HOUR);
  for (const day of ['2026-03-29', '2026-03-08', '2026-10-25', '2026-11-01'])
    for (let hour = 0; hour < 12; hour++) times.push(Date.parse(`${day}T00:30:00Z`) + hour * HOUR);
  for (const [n, at] of times.entries()) {
    shop.now = at;
    await shop.order({ merchant: SHOP, id: `r${n}` }, lines);
  }
  await shop.order({ merchant: OTHER, id: 'other' }, lines);
  await countAll(shop.deps.db);
  const others = await daysOf(OTHER);
  for (const zone of [...ZONES, 'UTC']) {
    await nameZone(zone);
    await countAll(shop.deps.db);
    const expected: Record<string, number> = {};
    for (const at of times) expected[dateIn(zone, at)] = (expected[dateIn(zone, at)] ?? 0) + 1;
    const inYear = Object.entries(expected).filter(([day]) => day.startsWith('2026'));
    expect(await daysOf()).toEqual({ timeZone: zone, building: false, days: Object.fromEntries(inYear) });
  }
  expect(await daysOf(OTHER)).toEqual(others);
});

test('a recount that is interrupted goes on where it was, and says that it is building', async () => {
  await nameZone('Europe/Berlin');
  // Before the worker has looked.
  expect(await daysOf()).toMatchObject({ timeZone: 'UTC', building: true });
  const stopped = new AbortController();
  stopped.abort();
  await countAll(shop.deps.db, stopped.signal);
  expect(await daysOf()).toMatchObject({ timeZone: 'Europe/Berlin', building: true });
  expect(await daysOf(OTHER)).toMatchObject({ timeZone: 'UTC', building: false });
  await countAll(shop.deps.db);
  expect(await daysOf()).toMatchObject({ timeZone: 'Europe/Berlin', building: false });
});

test('the offsets of a zone give the date of its calendar at every time, and its days begin at midnight', () => {
  const names = [...ZONES, 'Africa/Casablanca', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Beirut'];
  const changesOf = new Map(names.map((name) => [name, clockChanges(name)]));
  const at = fc.integer({ min: Date.UTC(2020, 0, 2), max: Date.UTC(2059, 0, 1) });
  fc.assert(
    fc.property(fc.constantFrom(...names), at, (name, time) => {
      const { starts, offsets } = changesOf.get(name)!;
      const offset = offsets[starts.findLastIndex((start) => start <= time)]!;
      const date = dateIn(name, time);
      expect(new Date(time + offset).toISOString().slice(0, 10)).toBe(date);
      const day = dayIn(name, time);
      expect(textOfDay(day)).toBe(date);
      const start = dayStart(name, day);
      expect([dateIn(name, start), dateIn(name, start - 1)]).toEqual([date, textOfDay(day - 1)]);
    }),
  );
});
