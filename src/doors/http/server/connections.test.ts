import { expect, test } from 'vitest';
import { boundConnections } from './connections.ts';

test('a public address has at most its limit of open connections, and may open more when some close', () => {
  const bound = boundConnections(2);
  expect(['203.0.113.1', '8.8.8.8', '8.8.8.8', '8.8.8.8'].map((address) => bound.enter(address))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  bound.left('8.8.8.8');
  expect(bound.enter('8.8.8.8')).toBe(true);
  expect(bound.enter('::ffff:8.8.8.8')).toBe(true);
});

test('loopback and private addresses have no connection limit', () => {
  const bound = boundConnections(1);
  for (const address of ['127.0.0.1', '::1', '10.0.0.7', '::ffff:192.168.1.1', 'fd00::1', ''])
    expect([bound.enter(address), bound.enter(address)], address).toEqual([true, true]);
});
