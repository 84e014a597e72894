import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownAmount, usdOf } from './own-amount.ts';

const cents = (min: number) => fc.integer({ min, max: 1_000_000_000 }).map((value) => value / 100);

test('the whole total in one currency is the whole total in the other', () => {
  fc.assert(
    fc.property(cents(1), cents(1), (totalUsd, originalTotal) => {
      const receipt = { totalUsd, pricing: { currency: 'EUR', originalTotal } } as const;
      expect(ownAmount(receipt)).toEqual({ amount: originalTotal, currency: 'EUR' });
      expect(usdOf(receipt, originalTotal)).toBe(totalUsd);
      expect(ownAmount(receipt, 0).amount).toBe(0);
    }),
  );
});

test('an amount in euros stays the same through US dollars where these are smaller', () => {
  fc.assert(
    fc.property(cents(1), fc.double({ min: 1, max: 2, noNaN: true }), cents(0), (originalTotal, rate, amount) => {
      const totalUsd = Math.round(originalTotal * 100 * rate) / 100;
      const receipt = { totalUsd, pricing: { currency: 'EUR', originalTotal } } as const;
      fc.pre(amount <= originalTotal);
      expect(ownAmount(receipt, usdOf(receipt, amount)).amount).toBeCloseTo(amount, 2);
    }),
  );
});

test('a receipt in US dollars keeps its amounts', () => {
  expect(ownAmount({ totalUsd: 12.5, pricing: null })).toEqual({ amount: 12.5, currency: 'USD' });
  expect(usdOf({ totalUsd: 12.5, pricing: null }, 3)).toBe(3);
});
