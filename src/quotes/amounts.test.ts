import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountAt, excessUsd, gridFor, sizeOf, unitsFor, worthOf } from './amounts.ts';

const USDC = { decimals: 6, usdPerUnit: '1' };
const ETH = { decimals: 18, usdPerUnit: '3100' };

test('a dollar token is quoted in exact cents, and its 9999 tags stay below the next cent', () => {
  const grid = gridFor('10.05', USDC);
  expect(grid).toEqual({ base: 10_050_000n, step: 1n, cent: 10_000n, tags: 9_999, cents: 1 });
  expect(amountAt(grid, 0, 1)).toBe(10_050_001n);
  expect(amountAt(grid, 0, 9_999)).toBe(10_059_999n);
  expect(amountAt(grid, 1, 1)).toBe(10_060_001n);
});

test('coin amounts are rounded up to eight decimals, or to nine if a cent has too few steps, tags included', () => {
  const grid = gridFor('10.00', ETH);
  expect(grid.base).toBe(3_225_807_000_000_000n); // 10 / 3100 = 0.0032258064…
  expect(grid.step).toBe(10n ** 9n);
  expect(amountAt(grid, 0, grid.tags) % grid.step).toBe(0n);
  expect(grid.tags).toBe(3_225);
  expect(gridFor('10.00', { decimals: 18, usdPerUnit: '31' }).step).toBe(10n ** 10n);
});

test('amounts of a dollar token with 18 decimals can be typed', () => {
  const grid = gridFor('1.00', { decimals: 18, usdPerUnit: '1' });
  expect(grid.step).toBe(10n ** 12n);
  expect(grid.tags).toBe(9_999);
});

test('a coin of very high value gets finer steps and keeps its tags', () => {
  const grid = gridFor('1.00', { decimals: 18, usdPerUnit: '5000000' });
  expect(grid.tags).toBeGreaterThanOrEqual(999);
});

test('a token whose decimals cannot divide a cent has no amounts', () => {
  expect(sizeOf(gridFor('1.00', { decimals: 2, usdPerUnit: '1' }))).toBe(0);
});

// The table of docs/payments.md.
test.each([
  ['1.00', USDC, 9_999],
  ['10.00', USDC, 9_999],
  ['20.00', USDC, 19_998],
  ['100.00', USDC, 99_990],
  ['1000.00', USDC, 999_900],
  ['1.00', { decimals: 4, usdPerUnit: '1' }, 99],
  ['1.00', { decimals: 18, usdPerUnit: '1' }, 9_999],
  ['10.00', { decimals: 4, usdPerUnit: '1' }, 99],
  ['20.00', { decimals: 4, usdPerUnit: '1' }, 198],
  ['1000.00', { decimals: 4, usdPerUnit: '1' }, 9_900],
  ['1.00', ETH, 3_225],
  ['100.00', ETH, 29_025],
  ['1000.00', ETH, 319_275],
])('for %s dollars a token of %o has %i amounts', (usd, token, amounts) => {
  expect(sizeOf(gridFor(usd, token))).toBe(amounts);
});

test('at any rate, the base covers the sum, a tag costs less than a cent, and no amount more than 1 cent or 0.1 %', () => {
  const rate = fc
    .integer({ min: 1, max: 10 ** 12 })
    .map((n) => `${Math.floor(n / 10 ** 6)}.${String(n % 10 ** 6).padStart(6, '0')}`);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 ** 9 }),
      rate,
      fc.constantFrom(6, 8, 18),
      (cents, usdPerUnit, decimals) => {
        fc.pre(Number(usdPerUnit) > 0);
        const usd = (cents / 100).toFixed(2);
        const token = { decimals, usdPerUnit };
        const grid = gridFor(usd, token);
        expect(worthOf(grid.base, token).gte(usd)).toBe(true);
        expect(worthOf(grid.base - grid.step, token).lt(usd)).toBe(true);
        if (grid.tags > 0) {
          const tag = worthOf(BigInt(grid.tags) * grid.step, token);
          expect(tag.lt('0.01')).toBe(true);
          const most = worthOf(amountAt(grid, grid.cents - 1, grid.tags), token);
          expect(most.minus(usd).lte(excessUsd(usd))).toBe(true);
        }
      },
    ),
  );
});

test('dollars convert to the fewest units that are worth them', () => {
  expect(unitsFor('0.000001', USDC)).toBe(1n);
  expect(unitsFor('0.0000011', USDC)).toBe(2n);
  expect(unitsFor('3100', ETH)).toBe(10n ** 18n);
  expect(worthOf(10n ** 18n, ETH).toFixed()).toBe('3100');
  expect(worthOf(1n, ETH).toFixed()).toBe('0.0000000000000031');
});
