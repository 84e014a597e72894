import { zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import money from './contracts/hostile-money.json' with { type: 'json' };
import hostileSplit from './contracts/hostile-split.json' with { type: 'json' };
import stranger from './contracts/hostile-stranger.json' with { type: 'json' };
import feeToken from './contracts/hostile-token.json' with { type: 'json' };
import silent from './contracts/silent-token.json' with { type: 'json' };
import {
  arrivalsAt,
  balanceOf,
  balancesOf,
  callOf,
  collect,
  collectOf,
  deploy,
  gasOf,
  newReceipts,
  newSplit,
  newWallet,
  pay,
  startReceipts,
  stopReceipts,
  sweepOf,
  sweptFrom,
  transact,
  usdc,
} from './test/receipt-addresses.ts';

beforeAll(startReceipts);
afterAll(stopReceipts);

const AMOUNT = 1_000_000n;
const BAD_ITEM_GAS_MAX = 300_000n;

/** The order of `Way` in contracts/test/HostileReceipts.sol. */
const WAY = [
  'obeys',
  'is blacklisted',
  'never ends',
  'returns a megabyte',
  'reverts with a megabyte',
  'returns much',
  'reverts with much',
  'says no',
  're-enters',
] as const;
type Way = (typeof WAY)[number];
const way = (one: Way) => WAY.indexOf(one);

const BAD: readonly Way[] = WAY.filter((one) => one !== 'obeys' && one !== 're-enters');

const configure = (token: Wallet, account: Wallet, how: Way) =>
  transact(callOf(money, token, 'configure', [toAddress(account), way(how)]));

/** Paid receipts of a new split in a hostile token. */
async function hostileBatch(count: number) {
  const [token, split] = await Promise.all([deploy(money), newSplit()]);
  const receipts = newReceipts(split.address, count);
  for (const { address } of receipts) await pay(address, token, AMOUNT);
  return { token, split, receipts };
}

describe('a token', () => {
  test.each(BAD)('that %s for one address holds up no other, and costs little', async (how) => {
    const { token, split, receipts } = await hostileBatch(3);
    const [bad, ...good] = receipts;
    await configure(token, bad!.address, how);
    const without = await gasOf(collectOf(split, token, good));

    const first = await collect(split, token, receipts);
    expect(await balancesOf(receipts, token)).toEqual([AMOUNT, 0n, 0n]);
    expect(await balancesOf(split.recipients, token)).toEqual([1_990_000n, 10_000n]);
    expect(first.gasUsed - without).toBeLessThanOrEqual(BAD_ITEM_GAS_MAX);

    for (const { address } of good) await pay(address, token, AMOUNT);
    const again = await collect(split, token, receipts);
    expect(await balancesOf(receipts, token)).toEqual([AMOUNT, 0n, 0n]);
    expect(again.gasUsed).toBeLessThanOrEqual(first.gasUsed);

    await configure(token, bad!.address, 'obeys');
    await collect(split, token, receipts);
    expect(await balancesOf(split.recipients, token)).toEqual([4_975_000n, 25_000n]);
  });

  test('whose balance costs as much as a look may, and whose transfer never ends, costs little', async () => {
    const { token, split, receipts } = await hostileBatch(3);
    const [bad, ...good] = receipts;
    await transact(callOf(money, token, 'slow', [toAddress(bad!.address), 35_000n]));
    await configure(token, bad!.address, 'never ends');
    const without = await gasOf(collectOf(split, token, good));
    const { gasUsed } = await collect(split, token, receipts);
    expect(await balancesOf(receipts, token)).toEqual([AMOUNT, 0n, 0n]);
    // The look was answered: the address was made.
    expect(gasUsed - without).toBeGreaterThan(270_000n);
    expect(gasUsed - without).toBeLessThanOrEqual(BAD_ITEM_GAS_MAX);
  });

  test('whose balance is never answered is left out, and costs little', async () => {
    const { token, split, receipts } = await hostileBatch(3);
    const [bad, ...good] = receipts;
    await transact(callOf(money, token, 'slow', [toAddress(bad!.address), 10_000_000n]));
    const without = await gasOf(collectOf(split, token, good));
    const { gasUsed } = await collect(split, token, receipts);
    await transact(callOf(money, token, 'slow', [toAddress(bad!.address), 0n]));
    expect(await balancesOf(receipts, token)).toEqual([AMOUNT, 0n, 0n]);
    expect(gasUsed - without).toBeLessThanOrEqual(BAD_ITEM_GAS_MAX);
  });

  test.each(BAD)('that %s for the split or a payee loses nothing', async (how) => {
    const { token, split, receipts } = await hostileBatch(3);
    const payee = split.payees[1]!;
    await configure(token, payee, how);
    const without = await gasOf(collectOf({ ...split, payees: split.payees.slice(0, 1) }, token, receipts));
    const { gasUsed } = await collect(split, token, receipts);
    expect(await balancesOf(split.recipients, token)).toEqual([2_985_000n, 0n]);
    await configure(token, payee, 'obeys');
    expect(gasUsed - without).toBeLessThanOrEqual(BAD_ITEM_GAS_MAX);

    await configure(token, split.address, how);
    for (const { address } of receipts) await pay(address, token, AMOUNT);
    await collect(split, token, receipts);
    expect(await balancesOf(receipts, token)).toEqual([AMOUNT, AMOUNT, AMOUNT]);
    await configure(token, split.address, 'obeys');
    await collect(split, token, receipts);
    expect(await balancesOf(split.recipients, token)).toEqual([5_970_000n, 30_000n]);
  });

  test('that is paused is collected when it is not paused any more', async () => {
    const { token, split, receipts } = await hostileBatch(2);
    const paused = (is: boolean) => transact(callOf(money, token, 'pause', [is]));
    await paused(true);
    expect((await collect(split, token, receipts)).status).toBe('success');
    expect(await balancesOf(receipts, token)).toEqual([AMOUNT, AMOUNT]);
    await paused(false);
    await collect(split, token, receipts);
    expect(await balancesOf(split.recipients, token)).toEqual([1_990_000n, 10_000n]);
  });

  test.each([0, 1])('that re-enters while address %d is swept takes the money nowhere else', async (reentered) => {
    const { token, split, receipts } = await hostileBatch(2);
    // The second collection finds code at the addresses.
    await collect(split, token, receipts);
    for (const { address } of receipts) await pay(address, token, AMOUNT);
    await configure(token, receipts[0]!.address, 're-enters');
    const { to, data } = sweepOf(receipts[reentered]!.address, token);
    await transact(callOf(money, token, 'arm', [toAddress(to), data]));
    await collect(split, token, receipts);
    // What re-enters its own sweep has moved the money before: its own transfer fails, and both are undone.
    expect(await balancesOf(receipts, token)).toEqual([reentered === 0 ? AMOUNT : 0n, 0n]);
    await configure(token, receipts[0]!.address, 'obeys');
    await collect(split, token, receipts);
    expect(await balancesOf(split.recipients, token)).toEqual([3_980_000n, 20_000n]);
    expect(await sweptFrom(receipts[1]!.address)).toEqual([
      [token, AMOUNT],
      [token, AMOUNT],
    ]);
  });

  test('that takes a fee is shared by what the split has got', async () => {
    const token = await deploy(feeToken, 1);
    const split = await newSplit();
    const receipts = newReceipts(split.address, 2);
    for (const { address } of receipts) await pay(address, token, AMOUNT);
    await collect(split, token, receipts);
    expect(await balancesOf(receipts, token)).toEqual([0n, 0n]);
    expect(await sweptFrom(receipts[0]!.address)).toEqual([[token, AMOUNT]]);
    // The payees get their shares of 1,980,000 less the fee for the way to them.
    expect(await balancesOf(split.recipients, token)).toEqual([1_970_100n - 19_701n, 9_900n - 99n]);
  });

  test('without return values is collected', async () => {
    const token = await deploy(silent);
    const split = await newSplit();
    const receipts = newReceipts(split.address, 2);
    for (const { address } of receipts) await pay(address, token, AMOUNT);
    await collect(split, token, receipts);
    expect(await balancesOf(split.recipients, token)).toEqual([1_990_000n, 10_000n]);
  });

  test.each(['no contract', 'a wallet', 'the factory'])('that is %s moves nothing and costs little', async (what) => {
    const split = await newSplit();
    const receipts = newReceipts(split.address, 3);
    await pay(receipts[0]!.address, usdc, AMOUNT);
    const token = what === 'the factory' ? collectOf(split, null, []).to : newWallet();
    if (what === 'a wallet') await pay(token, null, 1n);
    const { status, gasUsed, logs } = await collect(split, token, receipts);
    expect({ status, logs }).toEqual({ status: 'success', logs: [] });
    expect(gasUsed).toBeLessThanOrEqual(BAD_ITEM_GAS_MAX);
  });
});

describe('a split', () => {
  const ODD = WAY.filter((one) => one !== 'obeys');

  test.each(ODD)('that %s when it gets coins costs little for each address, and loses nothing', async (how) => {
    const address = await deploy(hostileSplit, way(how), way('obeys'));
    const split = { address, payees: [] };
    const receipts = newReceipts(address, 3);
    for (const one of receipts) await pay(one.address, null, AMOUNT);
    // One that returns much has taken the coins, and so has one that sweeps the next address first.
    const { to, data } = sweepOf(receipts[1]!.address, null);
    await transact(callOf(hostileSplit, address, 'arm', [toAddress(to), data]));
    const { gasUsed } = await collect(split, null, receipts);
    const left = await balancesOf(receipts, null);
    const sum = left.reduce((total, one) => total + one, await balanceOf(address, null));
    expect(sum).toBe(3n * AMOUNT);
    expect(gasUsed).toBeLessThanOrEqual(3n * BAD_ITEM_GAS_MAX);
    // What has left an address is what it has logged, once.
    for (const [i, one] of receipts.entries())
      expect(await sweptFrom(one.address)).toEqual(left[i] === 0n ? [[null, AMOUNT]] : []);
  });

  test.each(ODD)('that %s when it should release costs little for each payee', async (how) => {
    const address = await deploy(hostileSplit, way('obeys'), way(how));
    const receipts = newReceipts(address, 2);
    for (const one of receipts) await pay(one.address, null, AMOUNT);
    const { gasUsed } = await collect({ address, payees: [newWallet(), newWallet()] }, null, receipts);
    expect(await balancesOf(receipts, null)).toEqual([0n, 0n]);
    expect(gasUsed).toBeLessThanOrEqual(2n * BAD_ITEM_GAS_MAX + 2n * 62_000n + 30_000n);
  });
});

describe('a payee of coins', () => {
  test.each([
    ['reverts', 0],
    ['returns much', 1],
    ['reverts with much', 2],
    ['never ends', 3],
  ] as const)('that %s holds up no other, and costs little', async (_, how) => {
    const bad = await deploy(stranger, how, zeroAddress, false, 'http://localhost/');
    const split = await newSplit({ payees: [bad, newWallet(), newWallet()], shares: [5_000, 4_950, 50] });
    const receipts = newReceipts(split.address, 2);
    for (const one of receipts) await pay(one.address, null, AMOUNT);
    const without = await gasOf(collectOf({ ...split, payees: split.payees.slice(1) }, null, receipts));
    const { gasUsed } = await collect(split, null, receipts);
    expect(await balancesOf(split.recipients.slice(1), null)).toEqual([990_000n, 10_000n]);
    expect(gasUsed - without).toBeLessThanOrEqual(BAD_ITEM_GAS_MAX);
    expect(await arrivalsAt(split.address, null)).toEqual([AMOUNT, AMOUNT]);
  });
});
