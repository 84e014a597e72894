import { encodeFunctionData, erc20Abi } from 'viem';
import { expect, test } from 'vitest';
import { toAddress } from '../../../../base/chain/address.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import { readIntent } from './intent.ts';

const wallet = (digit: string) => `0x${digit.repeat(40)}` as Wallet;
const [token, from, to] = [wallet('1'), wallet('2'), wallet('3')];

test('a transfer of the native coin goes to the address of the call, if it has an amount', () => {
  expect(readIntent(to, '0x', 5n)).toEqual({ contract: null, to, value: 5n });
  expect(readIntent(to, '0x', 0n)).toBeNull();
  expect(readIntent(to, '0x')).toBeNull();
});

test('a transfer of a token is read from `transfer` and `transferFrom`', () => {
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [toAddress(to), 5n] });
  expect(readIntent(token, transfer)).toEqual({ contract: token, to, value: 5n });
  const transferFrom = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [toAddress(from), toAddress(to), 6n],
  });
  expect(readIntent(token, transferFrom)).toEqual({ contract: token, to, value: 6n });
});

test('no other call is a transfer', () => {
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [toAddress(to), 5n] });
  expect(readIntent(token, approve, 5n)).toBeNull();
  for (const data of ['0x1234', `${approve.slice(0, -2)}`, '0xffffffff'] as const)
    expect(readIntent(token, data as `0x${string}`)).toBeNull();
  expect(readIntent(null, '0x', 5n)).toBeNull();
  expect(readIntent(to, null, 5n)).toBeNull();
});
