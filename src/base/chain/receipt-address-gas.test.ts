import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import {
  balancesOf,
  chain,
  collect,
  collectOf,
  hasCode,
  newReceipts,
  newSplit,
  pay,
  type Split,
  startReceipts,
  stopReceipts,
  sweepOf,
  transact,
  usdc,
} from './test/receipt-addresses.ts';

beforeAll(startReceipts);
afterAll(stopReceipts);

const AMOUNT = 1_000_000n;

/** A split that has released before: all receipts but a merchant's first. */
async function usedSplit(token: Wallet | null): Promise<Split> {
  const split = await newSplit();
  const [receipt] = newReceipts(split.address, 1);
  await pay(receipt!.address, token, AMOUNT);
  await collect(split, token, [receipt!]);
  return split;
}

async function paidReceipts(split: Split, token: Wallet | null, count: number) {
  const receipts = newReceipts(split.address, count);
  for (const { address } of receipts) await pay(address, token, AMOUNT);
  return receipts;
}

/** As docs/integrate/receipt-addresses.md: receipts of two payees, and gas for each when collected first and again. */
const BOUNDS = [
  [1, 150_000n, 100_000n],
  [10, 70_000n, 23_000n],
  [50, 64_000n, 17_000n],
] as const;

describe.each(['a token', 'coins'] as const)('of %s', (name) => {
  const moneyOf = () => (name === 'coins' ? null : usdc);

  test.each(BOUNDS)('a collection of %d stays within the gas that is documented', async (count, firstMax, againMax) => {
    const token = moneyOf();
    const split = await usedSplit(token);
    const receipts = await paidReceipts(split, token, count);
    const first = await collect(split, token, receipts);
    for (const { address } of receipts) await pay(address, token, AMOUNT);
    const again = await collect(split, token, receipts);
    expect(await balancesOf(receipts, token)).toEqual(receipts.map(() => 0n));
    expect(first.gasUsed / BigInt(count)).toBeLessThanOrEqual(firstMax);
    expect(again.gasUsed / BigInt(count)).toBeLessThanOrEqual(againMax);
  });

  test('a collection with too little gas reverts as a whole, and what is estimated does all of it', async () => {
    const token = moneyOf();
    const split = await newSplit();
    const receipts = await paidReceipts(split, token, 5);
    const { to, data } = collectOf(split, token, receipts);
    const enough = await chain.client.estimateGas({ to: toAddress(to), data });
    for (let i = 1n; i <= 24n; i++) {
      const gas = 30_000n + ((enough - 30_001n) * i) / 24n;
      const { status } = await transact({ to, data }, { gas });
      expect({ gas, status }).toEqual({ gas, status: 'reverted' });
    }
    expect(await balancesOf(receipts, token)).toEqual(receipts.map(() => AMOUNT));
    expect(await hasCode(receipts[0]!.address)).toBe(false);
    expect((await transact({ to, data }, { gas: enough })).status).toBe('success');
    expect(await balancesOf(receipts, token)).toEqual(receipts.map(() => 0n));
    expect(await balancesOf(split.recipients, token)).toEqual([4_975_000n, 25_000n]);
  });

  test('a sweep of the address itself with too little gas reverts, and what is estimated moves the money', async () => {
    const token = moneyOf();
    const split = await newSplit();
    const receipts = await paidReceipts(split, token, 1);
    await collect(split, token, receipts);
    await pay(receipts[0]!.address, token, AMOUNT);
    const call = sweepOf(receipts[0]!.address, token);
    const enough = await chain.client.estimateGas({ to: toAddress(call.to), data: call.data });
    for (let i = 1n; i <= 12n; i++) {
      const { status } = await transact(call, { gas: 21_500n + ((enough - 21_501n) * i) / 12n });
      expect(status).toBe('reverted');
    }
    expect(await balancesOf(receipts, token)).toEqual([AMOUNT]);
    await transact(call, { gas: enough });
    expect(await balancesOf(receipts, token)).toEqual([0n]);
  });
});

test('nothing is deployed, and nothing fails, for addresses that hold nothing', async () => {
  const split = await usedSplit(usdc);
  const empty = newReceipts(split.address, 10);
  const { status, logs, gasUsed } = await collect(split, usdc, empty);
  expect({ status, logs }).toEqual({ status: 'success', logs: [] });
  expect(gasUsed / 10n).toBeLessThanOrEqual(18_000n);
  expect(await Promise.all(empty.map(({ address }) => hasCode(address)))).toEqual(empty.map(() => false));
});
