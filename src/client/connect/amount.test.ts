import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centsOf, currencyOf, decimalOf } from './amount.ts';

test('cents and their decimal amount are the same money, for every amount', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000_000 }), (cents) => {
      expect(centsOf(decimalOf(cents))).toBe(cents);
      expect(decimalOf(cents)).toMatch(/^\d+\.\d\d$/);
    }),
  );
});

test('amounts are rounded on their digits, half a cent up, where floating point is wrong', () => {
  expect(['1.005', '8.575', '0.1', '7', '19.99', '0.004', '0.995', '4.35'].map(centsOf)).toEqual([
    101, 858, 10, 700, 1999, 0, 100, 435,
  ]);
  expect(centsOf('999999999999.99')).toBe(99_999_999_999_999);
});

test('what is no amount, and a currency that no receipt can have, is refused', () => {
  for (const wrong of ['', '-1', '1e3', '1,5', 'NaN', '.5', '1.', ' 1', '1'.repeat(13)])
    expect(() => centsOf(wrong), wrong).toThrow(RangeError);
  expect(['usd', 'EUR'].map(currencyOf)).toEqual(['USD', 'EUR']);
  expect(() => currencyOf('jpy')).toThrow('not in JPY');
});
