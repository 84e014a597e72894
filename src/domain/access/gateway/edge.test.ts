import { expect, test } from 'vitest';
import { clientAddress, publicAddress } from './edge.ts';

const peer = '10.0.0.7';
const through = (forwarded?: string | string[]) =>
  clientAddress({ headers: { 'x-forwarded-for': forwarded } }, { throughEdge: true, peer });

test('a request through the edge has the last address of X-Forwarded-For, which the edge itself saw', () => {
  expect(through('192.0.2.1')).toBe('192.0.2.1');
  expect(through('198.51.100.9, 192.0.2.1')).toBe('192.0.2.1');
  expect(through(['198.51.100.9', '192.0.2.1'])).toBe('192.0.2.1');
  expect(through('2001:db8::1')).toBe('2001:db8::1');
});

test('a port after the address is removed', () => {
  expect(through('192.0.2.1:4711')).toBe('192.0.2.1');
  expect(through('[2001:db8::1]:4711')).toBe('2001:db8::1');
  expect(through('[2001:db8::1]')).toBe('2001:db8::1');
});

test.each([undefined, '', 'unknown', '192.0.2.1, ', 'a'.repeat(10_000), '1.2.3.4.5', '<script>', '_hidden'])(
  'X-Forwarded-For %j without a valid address is ignored',
  (forwarded) => {
    expect(through(forwarded)).toBe(peer);
  },
);

test('without the edge the header is ignored', () => {
  expect(clientAddress({ headers: { 'x-forwarded-for': '192.0.2.1' } }, { throughEdge: false, peer })).toBe(peer);
});

const publicly = (address: string) =>
  publicAddress({ headers: { 'x-forwarded-for': address } }, { throughEdge: true, peer: '8.8.8.8' });

test('a public address is returned unchanged, an IPv4-mapped IPv6 address as IPv4', () => {
  expect(publicly('8.8.4.4')).toBe('8.8.4.4');
  expect(publicly('10.1.2.3, 8.8.4.4:4711')).toBe('8.8.4.4');
  expect(publicly('::ffff:8.8.4.4')).toBe('8.8.4.4');
  expect(publicly('[2606:4700:4700::1111]:443')).toBe('2606:4700:4700::1111');
  expect(publicAddress({ headers: {} }, { throughEdge: false, peer: '8.8.8.8' })).toBe('8.8.8.8');
});

test.each([
  '127.0.0.1',
  '10.0.0.7',
  '192.168.1.2',
  '100.64.0.1',
  '169.254.1.1',
  '192.0.2.1',
  '::1',
  'fe80::1',
  'fd00::1',
  '::ffff:10.0.0.7',
  'x',
])('the address %s is not passed on', (address) => {
  expect(publicly(address)).toBeNull();
  expect(publicAddress({ headers: {} }, { throughEdge: false, peer: address })).toBeNull();
});

test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])(
  'the peer of a connection is not the caller if %s shows an unproven proxy',
  (name) => {
    const request = { headers: { [name]: '8.8.4.4' } };
    expect(publicAddress(request, { throughEdge: false, peer: '8.8.8.8' })).toBeNull();
  },
);
