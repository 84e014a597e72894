import { expect, test } from 'vitest';
import { counted } from './print.ts';

test('a number has its noun in the singular or the plural', () => {
  const transactions = (count: number) => counted(count, 'transaction waits', 'transactions wait');
  expect([0, 1, 2].map(transactions)).toEqual(['0 transactions wait', '1 transaction waits', '2 transactions wait']);
});
