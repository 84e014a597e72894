import { expect, test } from 'vitest';
import { type Credit, computeBalance } from './weigh.ts';

const balanceOf = (totalCents: number, credits: readonly Credit[], refundedCents = 0) =>
  computeBalance({ totalCents, refundedCents }, credits);
const credits = (...sums: readonly string[]): Credit[] => sums.map((usd) => ({ usd }));
const covered = { covered: true, missingUsd: '0', surplusUsd: '0' };

test('without credits the whole total is missing', () => {
  expect(balanceOf(1_000, [])).toEqual({ covered: false, missingUsd: '10', surplusUsd: '0' });
});

test('credits add up to the total, to the base unit', () => {
  expect(balanceOf(1_000, credits('10'))).toEqual(covered);
  expect(balanceOf(1_000, credits('4', '6'))).toEqual(covered);
  expect(balanceOf(1_000, credits('4', '5.999999'))).toEqual({
    ...{ covered: false, missingUsd: '0.000001', surplusUsd: '0' },
  });
});

test('a surplus is a cent or more: less is what a quote was rounded up by', () => {
  expect(balanceOf(1_000, credits('10.009999'))).toEqual(covered);
  expect(balanceOf(1_000, credits('10.01'))).toEqual({ ...covered, surplusUsd: '0.01' });
  expect(balanceOf(1_000, credits('4', '10'))).toEqual({ ...covered, surplusUsd: '4' });
});

test('refunded money is due again', () => {
  expect(balanceOf(1_000, credits('10'), 250)).toEqual({ covered: false, missingUsd: '2.5', surplusUsd: '0' });
  expect(balanceOf(1_000, credits('10', '2.5'), 250)).toEqual(covered);
});
