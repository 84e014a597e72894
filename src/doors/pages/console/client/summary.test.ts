import { expect, test } from 'vitest';
import { summary } from './summary.ts';

test('a summary names two items and counts the others, without tax and fee', () => {
  const line = (label: string, qty: number | null, itemId: string | null) => ({ label, qty, itemId });
  const lineItems = [
    line('Mug', 2, 'a'),
    line('Beans', 1, 'b'),
    line('Tax', 3, 'c'),
    line('Tax', null, null),
    line('Processing Fee', null, null),
  ];
  expect(summary({ lineItems })).toBe('Mug\u00a0×\u00a02, Beans and 1 more');
  expect(summary({ lineItems: [] })).toBe('Receipt');
});

test('a label that is written from right to left is isolated, so that it does not turn the order of the others', () => {
  const line = (label: string, qty: number) => ({ label, qty, itemId: label });
  expect(summary({ lineItems: [line('Mug', 1), line('قهوة', 3)] })).toBe('Mug, \u2068قهوة\u2069\u00a0×\u00a03');
});
