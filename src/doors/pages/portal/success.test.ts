import { expect, test } from 'vitest';
import { hostOf, successAddress } from './success.ts';

const order = { receiptId: 'R-1', status: 'paid', transactionId: null } as const;

test.each([
  ['https://shop.example', 'https://shop.example/?receiptId=R-1&status=paid'],
  ['https://shop.example/thanks#top', 'https://shop.example/thanks?receiptId=R-1&status=paid#top'],
  ['https://shop.example/?', 'https://shop.example/?receiptId=R-1&status=paid'],
  ['https://shop.example/?a=%20b+c&d', 'https://shop.example/?a=%20b+c&d&receiptId=R-1&status=paid'],
  ['https://shop.example/?status=mine', 'https://shop.example/?status=mine&receiptId=R-1'],
])('%s is unchanged, with the parameters appended', (returnUrl, address) => {
  expect(successAddress({ ...order, returnUrl })).toBe(address);
});

test('ids cannot escape their parameter, and no address gives null', () => {
  const address = successAddress({
    ...order,
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
  expect(successAddress({ ...order, returnUrl: null })).toBeNull();
});

test('a lookalike host is shown in punycode', () => {
  expect(hostOf('https://аpple.example/')).toBe('xn--pple-43d.example');
});
