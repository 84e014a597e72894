import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_AMOUNT_CENTS } from './limits.ts';
import { applyRate, apportion, centsFromText, centsFromUsd, usdFromCents } from './money.ts';

const cents = fc.integer({ min: -MAX_AMOUNT_CENTS, max: MAX_AMOUNT_CENTS });
/** A rate in millionths, and the same rate as decimal text. */
const millionths = fc.integer({ min: 0, max: 5_000_000 });
const decimal = (value: number) => new Big(value).div(1_000_000).toFixed();

/** `n / d` rounded half away from zero, with integer arithmetic only. */
function divideHalfUp(n: bigint, d: bigint): bigint {
  const size = n < 0n ? -n : n;
  const rounded = (2n * size + d) / (2n * d);
  return n < 0n ? -rounded : rounded;
}

describe('centsFromUsd', () => {
  test.each([
    [0, 0],
    [-0, 0],
    [1.15, 115],
    [0.1, 10],
    [0.29, 29],
    [19.99, 1999],
    [100, 10_000],
    [-5.5, -550],
    [-0.05, -5],
    [10_000_000, MAX_AMOUNT_CENTS],
    [9_999_999.99, 999_999_999],
  ])('%d is exactly %d cents', (usd, expected) => {
    expect(centsFromUsd(usd)).toBe(expected);
  });

  test.each([Number.NaN, Infinity, -Infinity, 1e-7, 1.005, 0.001, 1e21, 1e300, Number.MAX_SAFE_INTEGER])(
    '%d is refused',
    (value) => {
      expect(centsFromUsd(value)).toBeNull();
    },
  );

  test('every amount of cents is unchanged after conversion to major units and back', () => {
    fc.assert(fc.property(cents, (amount) => centsFromUsd(usdFromCents(amount)) === amount));
  });

  test('a shown amount never has more than two decimals', () => {
    fc.assert(fc.property(cents, (amount) => /^-?\d+(\.\d{1,2})?$/.test(JSON.stringify(usdFromCents(amount)))));
  });
});

test.each(['', ' 1', '1.', '.5', '1e2', '0x10', '1,5', '1.234', '--1', 'NaN'])(
  'the text %j is refused as an amount',
  (text) => {
    expect(centsFromText(text)).toBeNull();
  },
);

test('no amount is a negative zero', () => {
  expect(centsFromText('-0.00')).toBe(0);
  expect(usdFromCents(-0)).toBe(0);
  expect(applyRate(-1, '0.1')).toBe(0);
  expect(apportion(0, [new Big('-0')])).toEqual([0]);
});

describe('applyRate', () => {
  test.each([
    [10_000, '0.095', 950],
    [2_500, '0.095', 238],
    [10_950, '0.005', 55],
    [10_950, '0.02', 219],
    [50, '0.01', 1],
    [49, '0.01', 0],
  ])('%d cents at %s are %d', (amount, rate, expected) => {
    expect(applyRate(amount, rate)).toBe(expected);
  });

  test('the result equals that of integer arithmetic', () => {
    fc.assert(
      fc.property(cents, millionths, (amount, rate) => {
        expect(BigInt(applyRate(amount, decimal(rate)))).toBe(divideHalfUp(BigInt(amount) * BigInt(rate), 1_000_000n));
      }),
    );
  });

  test('a fraction of a cent throws an assertion', () => {
    expect(() => applyRate(0.5, '1')).toThrow();
    expect(() => usdFromCents(0.5)).toThrow('0.5 is not a whole number of cents');
  });
});

describe('apportion', () => {
  test('the missing cents go to the largest remainders, in order among equals', () => {
    expect(apportion(10, [new Big('3.3'), new Big('3.3'), new Big('3.4')])).toEqual([3, 3, 4]);
    expect(apportion(2, [new Big('0.5'), new Big('0.5'), new Big('0.5')])).toEqual([1, 1, 0]);
  });

  test('a negative quota is rounded toward minus infinity', () => {
    expect(apportion(8, [new Big('10.2'), new Big('-2.3')])).toEqual([10, -2]);
    expect(apportion(7, [new Big('10.8'), new Big('-3.5')])).toEqual([11, -4]);
  });

  test('the parts add up to the total, and each is less than a cent from its quota', () => {
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 40 }), millionths, (amounts, rate) => {
        const quotas = amounts.map((amount) => new Big(amount).times(decimal(rate)));
        const sum = amounts.reduce((all, amount) => all + BigInt(amount), 0n);
        const total = Number(divideHalfUp(sum * BigInt(rate), 1_000_000n));
        const parts = apportion(total, quotas);
        expect(parts.reduce((all, part) => all + part, 0)).toBe(total);
        for (const [i, part] of parts.entries()) {
          expect(quotas[i]!.minus(part).abs().lte(1)).toBe(true);
          if (quotas[i]!.eq(quotas[i]!.round())) expect(quotas[i]!.eq(part)).toBe(true);
        }
      }),
    );
  });

  test('quotas that do not add up to the total throw an assertion', () => {
    expect(() => apportion(5, [new Big(1)])).toThrow(/add up/);
    expect(() => apportion(0, [new Big(1)])).toThrow(/add up to 0/);
    expect(() => apportion(1.5, [new Big(1)])).toThrow(/add up to 1.5/);
  });
});
