import { expect, test } from 'vitest';
import { addressesInput, checkOf, originsInput } from './key-limits.ts';

const allows = (addresses: string[], address: string): boolean => {
  const check = checkOf(null, addressesInput.parse(addresses));
  try {
    check?.({ address, origin: undefined });
    return true;
  } catch {
    return false;
  }
};

test.each([
  [['192.0.2.7'], '192.0.2.7', true],
  [['192.0.2.7'], '192.0.2.8', false],
  [['192.0.2.0/24'], '192.0.2.255', true],
  [['192.0.2.0/24'], '192.0.3.0', false],
  [['192.0.2.0/24'], '::ffff:192.0.2.9', true],
  [['::ffff:192.0.2.0/120'], '192.0.2.9', true],
  [['2001:db8::/32'], '2001:db8:1::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['10.0.0.0/8', '2001:db8::1'], '2001:db8:0::1', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['0.0.0.0/0'], '203.0.113.1', true],
  [['192.0.2.7'], '', false],
  [['192.0.2.7'], 'unix:', false],
])('a key for %j used from %s: %s', (addresses, address, allowed) => {
  expect(allows(addresses, address)).toBe(allowed);
});

test.each([
  '',
  '10.1',
  '0x7f.1',
  '010.0.0.1.5',
  '192.0.2.0/33',
  '192.0.2.0/',
  '192.0.2.0/-1',
  '1.2.3.4/8/8',
  'fe80::1%eth0',
])('an address limit cannot be %j', (address) => {
  expect(addressesInput.safeParse([address]).success).toBe(false);
});

test.each([
  'shop.example',
  'https://shop.example/',
  'https://shop.example/path',
  'ftp://shop.example',
  'https://u@shop.example',
  '*',
  'null',
])('an origin limit cannot be %j', (origin) => {
  expect(originsInput.safeParse([origin]).success).toBe(false);
});

test('an origin is compared in lower case, and a request without one is refused', () => {
  const check = checkOf(originsInput.parse(['https://Shop.example', 'https://shop.example:443']), null)!;
  const use = (origin: string | undefined) => () => check({ address: '192.0.2.1', origin });
  expect(use('https://shop.example')).not.toThrow();
  expect(use('https://SHOP.example')).not.toThrow();
  for (const other of [undefined, '', 'null', 'http://shop.example', 'https://shop.example.evil.example'])
    expect(use(other)).toThrow(expect.objectContaining({ code: 'forbidden', extra: { reason: 'origin_not_allowed' } }));
});

test('an empty list is no limit', () => {
  expect([originsInput.parse([]), addressesInput.parse([])]).toEqual([null, null]);
  expect(checkOf(null, null)).toBeNull();
});
