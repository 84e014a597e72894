import { expect, test } from 'vitest';
import { parseInput } from '../../../base/core/input.ts';
import { textOfDay } from '../../../base/core/time-zone.ts';
import { dayOf, INTERVALS, split } from './days.ts';
import { DAYS_MAX, daysInput } from './statistics.input.ts';

const texts = (from: string, to: string, interval: (typeof INTERVALS)[number]) =>
  split({ from: dayOf(from)!, to: dayOf(to)! }, interval).map((part) => [textOfDay(part.from), textOfDay(part.to)]);

test('weeks begin on Monday, months on the first, and both ends are cut at the range', () => {
  expect(texts('2026-11-22', '2026-12-01', 'WEEK')).toEqual([
    ['2026-11-22', '2026-11-22'],
    ['2026-11-23', '2026-11-29'],
    ['2026-11-30', '2026-12-01'],
  ]);
  expect(texts('2023-12-30', '2024-03-01', 'MONTH')).toEqual([
    ['2023-12-30', '2023-12-31'],
    ['2024-01-01', '2024-01-31'],
    ['2024-02-01', '2024-02-29'],
    ['2024-03-01', '2024-03-01'],
  ]);
  expect(texts('1970-01-01', '1970-01-05', 'WEEK')).toEqual([
    ['1970-01-01', '1970-01-04'],
    ['1970-01-05', '1970-01-05'],
  ]);
  expect(split({ from: 5, to: 404 }, 'DAY')).toHaveLength(400);
});

test('every part of a range is in exactly one period', () => {
  for (const interval of INTERVALS) {
    const parts = split({ from: 20_000, to: 20_399 }, interval);
    expect(parts[0]!.from).toBe(20_000);
    expect(parts.at(-1)!.to).toBe(20_399);
    for (const [i, part] of parts.slice(1).entries()) expect(part.from).toBe(parts[i]!.to + 1);
  }
});

test('a date that does not exist, an end before the start and a range that is too long are refused by field', () => {
  const parse = (from: string, to: string, interval: (typeof INTERVALS)[number] = 'DAY') =>
    parseInput(daysInput(dayOf('2026-11-28')!), { from, to, interval });
  const refused = (field: string) => expect.objectContaining({ code: 'invalid_input', extra: { field } });
  const fine = '2026-01-01';
  for (const bad of [
    '',
    '2026-02-30',
    '2026-13-01',
    '2026-1-1',
    '20260101',
    '1969-12-31',
    `${fine}T00:00`,
    ' 2026-01-01',
  ]) {
    expect(() => parse(bad, fine), bad).toThrow(refused('from'));
    expect(() => parse(fine, bad), bad).toThrow(refused('to'));
  }
  for (const bad of ['today-', 'today+1', 'today-1000000', 'yesterday', 'today-99999']) {
    expect(() => parse(bad, fine), bad).toThrow(refused('from'));
  }
  expect(parse('today-13', 'today')).toEqual({ from: dayOf('2026-11-15'), to: dayOf('2026-11-28') });
  expect(() => parse(fine, '2025-12-31')).toThrow(refused('to'));
  expect(parse(fine, fine)).toEqual({ from: dayOf(fine), to: dayOf(fine) });
  for (const interval of INTERVALS) {
    const last = dayOf('2010-01-01')! + DAYS_MAX[interval];
    expect(parse('2010-01-01', textOfDay(last - 1), interval).to).toBe(last - 1);
    expect(() => parse('2010-01-01', textOfDay(last), interval)).toThrow(refused('to'));
  }
});
