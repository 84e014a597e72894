import { expect, test } from 'vitest';
import { computeBalance } from './balance.ts';

const credit = (usd: string, more: Partial<Parameters<typeof computeBalance>[1][number]> = {}) => ({
  usd,
  exact: false,
  askedUsd: '10.001234',
  ...more,
});

test('without credits the whole total is missing', () => {
  expect(computeBalance(1_000, [])).toEqual({ covered: false, missingUsd: '10', surplusUsd: '0' });
});

test('one base unit short of the quote is not covered, though it is worth the total', () => {
  expect(computeBalance(1_000, [credit('10.001233')])).toEqual({
    covered: false,
    missingUsd: '0.000001',
    surplusUsd: '0',
  });
});

test('the exact amount covers without surplus', () => {
  expect(computeBalance(1_000, [credit('10.001234', { exact: true })])).toEqual({
    covered: true,
    missingUsd: '0',
    surplusUsd: '0',
  });
});

test('credits add up, to the base unit', () => {
  expect(computeBalance(1_000, [credit('4'), credit('6.001233')])).toMatchObject({
    covered: false,
    missingUsd: '0.000001',
  });
  expect(computeBalance(1_000, [credit('4'), credit('6.001234')])).toEqual({
    covered: true,
    missingUsd: '0',
    surplusUsd: '0',
  });
});

test('what comes over is surplus', () => {
  expect(computeBalance(1_000, [credit('10.001235')])).toEqual({
    covered: true,
    missingUsd: '0',
    surplusUsd: '0.000001',
  });
});

test("an exact remainder's own tag is no surplus", () => {
  const remainder = credit('6.001734', { exact: true, askedUsd: '6.001734' });
  expect(computeBalance(1_000, [credit('4'), remainder])).toEqual({ covered: true, missingUsd: '0', surplusUsd: '0' });
});

test('the first amount paid in full after a part of it leaves that part over', () => {
  expect(computeBalance(1_000, [credit('4'), credit('10.001234', { exact: true })])).toMatchObject({ surplusUsd: '4' });
});

test('what was paid on an expired price is held against the total', () => {
  expect(computeBalance(1_000, [credit('9.35', { askedUsd: null })])).toMatchObject({
    covered: false,
    missingUsd: '0.65',
  });
  expect(computeBalance(1_000, [credit('10', { askedUsd: null })])).toMatchObject({ covered: true, surplusUsd: '0' });
});

test('what went back is missing again, also after an exact payment', () => {
  const exact = credit('10.001234', { exact: true });
  expect(computeBalance(1_000, [exact], 250)).toEqual({ covered: false, missingUsd: '2.5', surplusUsd: '0' });
  expect(computeBalance(1_000, [exact, credit('2.5')], 250)).toEqual({
    covered: true,
    missingUsd: '0',
    surplusUsd: '0',
  });
});
