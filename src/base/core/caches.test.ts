import { expect, test } from 'vitest';
import { boundedCache } from './caches.ts';

const keysOf = (cache: { keys(): Iterable<string> }) => [...cache.keys()].sort();

test('the least recently used entry is evicted beyond the number of entries', () => {
  const cache = boundedCache<string, number>({ max: 2 });
  cache.set('a', 1).set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect(keysOf(cache)).toEqual(['a', 'c']);
});

test('entries are evicted beyond their size altogether, and beyond their number however small they are', () => {
  const cache = boundedCache<string, string>({ max: 4, maxSize: 100, sizeOf: ({ length }) => length });
  cache.set('a', 'x'.repeat(60)).set('b', 'x'.repeat(30));
  expect(keysOf(cache)).toEqual(['a', 'b']);
  cache.set('c', 'x'.repeat(50));
  expect(keysOf(cache)).toEqual(['b', 'c']);
  for (const key of ['d', 'e', 'f', 'g', 'h']) cache.set(key, '');
  expect(keysOf(cache)).toEqual(['e', 'f', 'g', 'h']);
});

test('an entry larger than the whole cache is not kept', () => {
  const cache = boundedCache<string, string>({ max: 4, maxSize: 100, sizeOf: ({ length }) => length });
  cache.set('a', 'x'.repeat(101));
  expect(keysOf(cache)).toEqual([]);
});

test('an entry is gone after its time', async () => {
  const cache = boundedCache<string, number>({ max: 2, ttl: 1 });
  cache.set('a', 1);
  await expect.poll(() => cache.get('a')).toBeUndefined();
});

test('a cache without entries needs no memory for them', () => {
  const before = process.memoryUsage().rss;
  const caches = Array.from({ length: 20 }, () => boundedCache<string, number>({ max: 10_000_000 }));
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  expect(caches.map(({ size }) => size)).toEqual(caches.map(() => 0));
});
