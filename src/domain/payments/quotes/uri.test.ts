import { expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { paymentUri } from './uri.ts';

const token = `0x${'a'.repeat(40)}` as Wallet;
const payTo = `0x${'b'.repeat(40)}` as Wallet;

test('a token payment is requested through its transfer function', () => {
  expect(paymentUri({ token: { address: token }, chainId: 8453, payTo, amount: 10_000_001n })).toBe(
    `ethereum:${token}@8453/transfer?address=${payTo}&uint256=10000001`,
  );
});

test('a native payment is requested by value', () => {
  expect(paymentUri({ token: { address: null }, chainId: 1, payTo, amount: 3n * 10n ** 15n })).toBe(
    `ethereum:${payTo}@1?value=3000000000000000`,
  );
});
