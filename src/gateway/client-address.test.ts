import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

const peer = '10.0.0.7';
const through = (forwarded?: string | string[]) =>
  clientAddress({ headers: { 'x-forwarded-for': forwarded } }, { throughEdge: true, peer });

test('what came through the edge has the last address that X-Forwarded-For names: the one the edge saw', () => {
  expect(through('192.0.2.1')).toBe('192.0.2.1');
  expect(through('198.51.100.9, 192.0.2.1')).toBe('192.0.2.1');
  expect(through(['198.51.100.9', '192.0.2.1'])).toBe('192.0.2.1');
  expect(through('2001:db8::1')).toBe('2001:db8::1');
});

test('a port beside the address is left out', () => {
  expect(through('192.0.2.1:4711')).toBe('192.0.2.1');
  expect(through('[2001:db8::1]:4711')).toBe('2001:db8::1');
  expect(through('[2001:db8::1]')).toBe('2001:db8::1');
});

test.each([undefined, '', 'unknown', '192.0.2.1, ', 'a'.repeat(10_000), '1.2.3.4.5', '<script>', '_hidden'])(
  'X-Forwarded-For %j that names no address counts as none',
  (forwarded) => {
    expect(through(forwarded)).toBe(peer);
  },
);

test('without the edge the header says nothing', () => {
  expect(clientAddress({ headers: { 'x-forwarded-for': '192.0.2.1' } }, { throughEdge: false, peer })).toBe(peer);
});
