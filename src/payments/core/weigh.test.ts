import { expect, test } from 'vitest';
import { type Credit, computeBalance } from './weigh.ts';

const balanceOf = (totalCents: number, credits: readonly Credit[], refundedCents = 0) =>
  computeBalance({ totalCents, refundedCents }, credits);

const credit = (usd: string, more: Partial<Credit> = {}) => ({
  usd,
  exact: false,
  askedUsd: '10.001234',
  ...more,
});

test('without credits the whole total is missing', () => {
  expect(balanceOf(1_000, [])).toEqual({ covered: false, missingUsd: '10', surplusUsd: '0' });
});

test('one base unit below the quote does not cover, even if it is worth the total', () => {
  expect(balanceOf(1_000, [credit('10.001233')])).toEqual({
    covered: false,
    missingUsd: '0.000001',
    surplusUsd: '0',
  });
});

test('the exact amount covers without a surplus', () => {
  expect(balanceOf(1_000, [credit('10.001234', { exact: true })])).toEqual({
    covered: true,
    missingUsd: '0',
    surplusUsd: '0',
  });
});

test('credits add up, to the base unit', () => {
  expect(balanceOf(1_000, [credit('4'), credit('6.001233')])).toMatchObject({
    covered: false,
    missingUsd: '0.000001',
  });
  expect(balanceOf(1_000, [credit('4'), credit('6.001234')])).toEqual({
    covered: true,
    missingUsd: '0',
    surplusUsd: '0',
  });
});

test('the amount above the quote is a surplus', () => {
  expect(balanceOf(1_000, [credit('10.001235')])).toEqual({
    covered: true,
    missingUsd: '0',
    surplusUsd: '0.000001',
  });
});

test("an exact remainder's own tag is not a surplus", () => {
  const remainder = credit('6.001734', { exact: true, askedUsd: '6.001734' });
  expect(balanceOf(1_000, [credit('4'), remainder])).toEqual({ covered: true, missingUsd: '0', surplusUsd: '0' });
});

test('the full first amount paid after a part of it leaves that part as a surplus', () => {
  expect(balanceOf(1_000, [credit('4'), credit('10.001234', { exact: true })])).toMatchObject({ surplusUsd: '4' });
});

test('a payment on an expired quote is compared with the total', () => {
  expect(balanceOf(1_000, [credit('9.35', { askedUsd: null })])).toMatchObject({
    covered: false,
    missingUsd: '0.65',
  });
  expect(balanceOf(1_000, [credit('10', { askedUsd: null })])).toMatchObject({ covered: true, surplusUsd: '0' });
});

test('refunded money is due again, also after an exact payment', () => {
  const exact = credit('10.001234', { exact: true });
  expect(balanceOf(1_000, [exact], 250)).toEqual({ covered: false, missingUsd: '2.5', surplusUsd: '0' });
  expect(balanceOf(1_000, [exact, credit('2.5')], 250)).toEqual({
    covered: true,
    missingUsd: '0',
    surplusUsd: '0',
  });
});
