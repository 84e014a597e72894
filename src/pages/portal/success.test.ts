import { expect, test } from 'vitest';
import { hostOf, successAddress } from './success.ts';

const told = { receiptId: 'R-1', status: 'paid', transactionId: null } as const;

test.each([
  ['https://shop.example', 'https://shop.example/?receiptId=R-1&status=paid'],
  ['https://shop.example/thanks#top', 'https://shop.example/thanks?receiptId=R-1&status=paid#top'],
  ['https://shop.example/?', 'https://shop.example/?receiptId=R-1&status=paid'],
  ['https://shop.example/?a=%20b+c&d', 'https://shop.example/?a=%20b+c&d&receiptId=R-1&status=paid'],
  ['https://shop.example/?status=mine', 'https://shop.example/?status=mine&receiptId=R-1'],
])('%s is left as the shop wrote it, with what is told at the end', (returnUrl, address) => {
  expect(successAddress({ ...told, returnUrl })).toBe(address);
});

test('ids of the caller cannot leave their parameter, and no address stays none', () => {
  const address = successAddress({
    ...told,
    receiptId: 'a&status=x#y',
    transactionId: 'ü=1',
    returnUrl: 'https://s.example',
  });
  const { searchParams } = new URL(address!);
  expect([...searchParams]).toEqual([
    ['receiptId', 'a&status=x#y'],
    ['status', 'paid'],
    ['transactionId', 'ü=1'],
  ]);
  expect(successAddress({ ...told, returnUrl: null })).toBeNull();
});

test('a host that only looks like another is shown as what it is', () => {
  expect(hostOf('https://аpple.example/')).toBe('xn--pple-43d.example');
});
