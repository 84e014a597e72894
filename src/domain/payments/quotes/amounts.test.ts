import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedAmount, unitsFor, worthOf } from './amounts.ts';

const USDC = { decimals: 6, usdPerUnit: '1', hasCents: true };
const ETH = { decimals: 18, usdPerUnit: '3100', hasCents: false };

test('a stablecoin is asked for in whole cents, whatever its decimals', () => {
  expect(askedAmount('167.81', USDC)).toBe(167_810_000n);
  expect(askedAmount('23.4000001', USDC)).toBe(23_410_000n);
  expect(askedAmount('1', { ...USDC, decimals: 18 })).toBe(10n ** 18n);
  expect(askedAmount('1', { ...USDC, decimals: 0 })).toBe(1n);
  expect(askedAmount('10', { ...USDC, usdPerUnit: '1.08' })).toBe(9_260_000n);
});

test('a coin is asked for to the decimal place that is worth less than a cent, at most the sixth', () => {
  expect(askedAmount('10', ETH)).toBe(3_226_000_000_000_000n); // 10 / 3100 = 0.0032258…
  expect(askedAmount('10', { ...ETH, usdPerUnit: '60000' })).toBe(167_000_000_000_000n);
  expect(askedAmount('10', { ...ETH, usdPerUnit: '5' })).toBe(2n * 10n ** 18n);
  expect(askedAmount('1', { ...ETH, usdPerUnit: '3' })).toBe(334n * 10n ** 15n);
  expect(askedAmount('10', { ...ETH, usdPerUnit: '0.002' })).toBe(5_000n * 10n ** 18n);
});

test('at any rate the amount covers the sum, and exceeds it by less than a cent of its unit of account', () => {
  const rate = fc.integer({ min: 1, max: 10 ** 10 }).map((n) => (n / 10 ** 6).toFixed(6));
  const cents = fc.integer({ min: 1, max: 10 ** 9 });
  fc.assert(
    fc.property(cents, rate, fc.constantFrom(6, 8, 18), fc.boolean(), (total, usdPerUnit, decimals, hasCents) => {
      const usd = (total / 100).toFixed(2);
      const token = { decimals, usdPerUnit: hasCents ? '1' : usdPerUnit, hasCents };
      const over = worthOf(askedAmount(usd, token), token).minus(usd);
      expect(over.gte(0)).toBe(true);
      expect(over.lt('0.01')).toBe(true);
    }),
  );
});

test('dollars convert to the fewest units that are worth them', () => {
  expect(unitsFor('0.000001', USDC)).toBe(1n);
  expect(unitsFor('0.0000011', USDC)).toBe(2n);
  expect(unitsFor('3100', ETH)).toBe(10n ** 18n);
  expect(worthOf(10n ** 18n, ETH).toFixed()).toBe('3100');
  expect(worthOf(1n, ETH).toFixed()).toBe('0.0000000000000031');
});
