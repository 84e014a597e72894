import { expect, test } from 'vitest';
import { growthOf, tenthsOf } from './trend.ts';

test('a series that grows is distinguished from one that jumps about, and from one with an outlier', () => {
  expect(growthOf([100, 102, 104, 106, 108, 110])).toBeCloseTo(10 / 105);
  expect(growthOf([100, 90, 110, 95, 105, 100])).toBeLessThan(0.1);
  expect(growthOf([100, 100, 100, 900, 100, 100, 100])).toBe(0);
  expect(growthOf([0, 0, 0])).toBe(0);
  expect(growthOf([5])).toBe(0);
});

test('the tenths are those at the ends', () => {
  expect(tenthsOf(Array.from({ length: 20 }, (_, i) => i))).toEqual([0.5, 18.5]);
  expect(tenthsOf([3, 4])).toEqual([3, 4]);
});
