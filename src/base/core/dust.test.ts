import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDust } from './dust.ts';

const totals = fc.integer({ min: 1, max: 1_000_000_000 });

/** Units of 10^-18 dollars, the least of any token at par. */
const usdOf = (units: bigint): Big => new Big(String(units)).div(new Big(10).pow(18));
const CENT = 10n ** 16n;

test('dust is less than a cent, or less than one part in a hundred of the total, to the last unit', () => {
  fc.assert(
    fc.property(totals, fc.bigInt({ min: 0n, max: 10n ** 26n }), (totalCents, units) => {
      const isLess = units < CENT || units * 100n < BigInt(totalCents) * CENT;
      expect(isDust(usdOf(units), totalCents)).toBe(isLess);
    }),
    { numRuns: 5_000 },
  );
});

test('at the limit itself nothing is dust, and one unit below everything is', () => {
  fc.assert(
    fc.property(totals, (totalCents) => {
      const hundredth = (BigInt(totalCents) * CENT) / 100n;
      const limit = hundredth > CENT ? hundredth : CENT;
      expect([isDust(usdOf(limit), totalCents), isDust(usdOf(limit - 1n), totalCents)]).toEqual([false, true]);
    }),
    { numRuns: 2_000 },
  );
});

test('more money never becomes dust, and a higher total never makes dust more than that', () => {
  fc.assert(
    fc.property(
      totals,
      totals,
      fc.bigInt({ min: 0n, max: 10n ** 24n }),
      fc.bigInt({ min: 0n, max: 10n ** 24n }),
      (a, b, one, more) => {
        if (!isDust(usdOf(one), a)) expect(isDust(usdOf(one + more), a)).toBe(false);
        if (isDust(usdOf(one), Math.min(a, b))) expect(isDust(usdOf(one), Math.max(a, b))).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('nothing is dust, and the whole total of any receipt is not', () => {
  fc.assert(
    fc.property(totals, (totalCents) => {
      expect(isDust(new Big(0), totalCents)).toBe(true);
      expect(isDust(new Big(totalCents).div(100), totalCents)).toBe(false);
    }),
  );
});
