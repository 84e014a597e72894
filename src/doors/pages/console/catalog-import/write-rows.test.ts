import { expect, test } from 'vitest';
import { batchesOf, minutesOf } from './write-rows.ts';

const items = (count: number, description = '') =>
  Array.from({ length: count }, (_, n) => ({ sku: `S-${n}`, name: `No ${n}`, priceUsd: 1, description }));

test('five thousand products take minutes, and it says how many', () => {
  expect(minutesOf(items(5_000), 30)).toBe(1);
  expect(minutesOf(items(20_000), 30)).toBe(6);
  expect(minutesOf(items(5_000), null)).toBe(0);
  expect(minutesOf([], 30)).toBe(0);
});

test('no request has more products or bytes than the server takes, and none is left out', () => {
  const inputs = items(1_234, '\u20ac'.repeat(4_000));
  const batches = batchesOf(inputs);
  expect(batches.flat()).toEqual(inputs);
  for (const input of batches) {
    expect(input.length).toBeLessThanOrEqual(100);
    expect(Buffer.byteLength(JSON.stringify(input))).toBeLessThan(1_000_000);
  }
});
