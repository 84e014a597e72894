import { expect, test } from 'vitest';
import type { z } from 'zod';
import { amount, currency, price, qty, signedAmount, taxRate, wholeNumber } from './amount.ts';

/** What a schema makes of a value: its output, or the message of its refusal. */
const read = (schema: z.ZodType, value: unknown): unknown => {
  const { data, error } = schema.safeParse(value);
  return error ? error.issues[0]!.message : data;
};

test('a whole number has both of its limits', () => {
  const wanted = 'must be a whole number from -2 to 5';
  for (const value of [-2, 0, 5]) expect(read(wholeNumber(-2, 5), value)).toBe(value);
  expect(read(wholeNumber(-2, 5), -0)).toBe(0);
  for (const value of [-3, 6, 1.5, '1', null, Number.NaN]) expect(read(wholeNumber(-2, 5), value)).toBe(wanted);
  expect([0, 1, 100_000, 100_001].map((value) => qty.safeParse(value).success)).toEqual([false, true, true, false]);
});

test('an amount has both of its limits, and at most two decimals', () => {
  const wanted = 'must be a number from 0.50 to 2.25 with at most two decimals';
  expect([0.5, 1.1, 2.25].map((value) => read(amount(50, 225), value))).toEqual([50, 110, 225]);
  for (const value of [0.49, 2.26, 1.001, '1', null]) expect(read(amount(50, 225), value)).toBe(wanted);
  expect(read(price, 0)).toBe(0);
  expect(read(price, 10_000_000)).toBe(1_000_000_000);
  expect(read(price, -0.01)).toBe('must be a number from 0.00 to 10000000.00 with at most two decimals');
  expect(price.safeParse(10_000_000.01).success).toBe(false);
  expect(read(signedAmount, -10_000_000)).toBe(-1_000_000_000);
  expect(signedAmount.safeParse(-10_000_000.01).success).toBe(false);
});

test('a tax rate keeps all of its digits', () => {
  const rates = [0, -0, 0.000_001, 0.095, 8.2 / 100, 1];
  expect(rates.map((rate) => read(taxRate, rate))).toEqual(['0', '0', '0.000001', '0.095', '0.08199999999999999', '1']);
  for (const rate of [0.000_000_9, 1.000_001, -0.1, '0.1', null])
    expect(read(taxRate, rate)).toBe('must be 0, or a number from 0.000001 to 1');
});

test('a currency is read in any letter case', () => {
  expect(['usd', 'Eur', 'USD'].map((code) => read(currency, code))).toEqual(['USD', 'EUR', 'USD']);
  for (const code of ['GBP', 'USDX', '', 1]) expect(read(currency, code)).toBe('must be USD or EUR');
});

test('the API document shows the limits of amounts', () => {
  const shown = (schema: z.ZodType) => schema.meta()?.shown;
  expect(shown(amount(50, 225))).toEqual({ type: 'number', minimum: 0.5, maximum: 2.25 });
  expect(shown(taxRate)).toEqual({ type: 'number', minimum: 0, maximum: 1 });
  expect(shown(currency)).toEqual({ type: 'string', pattern: '^([Uu][Ss][Dd]|[Ee][Uu][Rr])$' });
});
