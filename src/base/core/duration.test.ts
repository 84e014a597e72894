import { expect, test } from 'vitest';
import { parseDurationMs } from './duration.ts';

test('a duration is a whole number with its unit', () => {
  expect(['90s', '30m', '12h', '7d', '0s'].map(parseDurationMs)).toEqual([
    90_000, 1_800_000, 43_200_000, 604_800_000, 0,
  ]);
});

test.each(['', '7', 'd', '1.5h', '-1h', '7 d', '1w', '1234567s'])('%j is refused with the expected form', (text) => {
  expect(() => parseDurationMs(text)).toThrow('such as 90s, 30m, 12h or 7d');
});
