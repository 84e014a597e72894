import type { Hash } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import money from './contracts/hostile-money.json' with { type: 'json' };
import { deploymentTransaction, guardedDeployment, type TransactionCall } from './create2.ts';
import { receiptFactoryDeployment } from './receipt-record.ts';
import { releaseTransaction } from './splitter.ts';
import {
  arrivalsAt,
  balanceOf,
  balancesOf,
  collect,
  collectOf,
  deploy,
  gasOf,
  hasCode,
  local,
  newReceipts,
  newSplit,
  newWallet,
  pay,
  payment,
  receiptOf,
  type Split,
  STRANGER,
  startReceipts,
  stopReceipts,
  submit,
  sweepOf,
  sweptFrom,
  type TestReceipt,
  transact,
  usdc,
} from './test/receipt-addresses.ts';

beforeAll(startReceipts);
afterAll(stopReceipts);

const AMOUNT = 1_000_000n;
const GAS = 2_000_000n;

/** Mines a call of a stranger and one of the server in one block, the stranger's first. */
async function inOneBlock(strangers: readonly TransactionCall[], server: TransactionCall) {
  await local.control.setAutomine(false);
  try {
    const hashes: Hash[] = [];
    for (const call of strangers) hashes.push(await submit(call, { by: STRANGER, gas: GAS, priority: 1_000n }));
    hashes.push(await submit(server, { gas: GAS }));
    await local.control.mine({ blocks: 1 });
    const receipts = await Promise.all(hashes.map(receiptOf));
    expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBe(1);
    expect(receipts.map(({ transactionIndex }) => transactionIndex)).toEqual(receipts.map((_, i) => i));
    return receipts.map(({ status }) => status);
  } finally {
    await local.control.setAutomine(true);
  }
}

const released = (split: Split, token: Wallet | null, payee: number) =>
  releaseTransaction(split.address, token, split.payees[payee]!);

/** What a stranger does in the block of the server's collection, before it. */
const FIRST: readonly [
  string,
  (split: Split, token: Wallet | null, receipts: readonly TestReceipt[]) => TransactionCall[],
][] = [
  ['collects the same', (...all) => [collectOf(...all)]],
  ['collects one of them', (split, token, receipts) => [collectOf(split, token, receipts.slice(0, 1))]],
  ['sweeps without a release', (split, token, receipts) => [collectOf({ ...split, payees: [] }, token, receipts)]],
  [
    'collects and releases one payee',
    (split, token, receipts) => [collectOf({ ...split, payees: [] }, token, receipts), released(split, token, 0)],
  ],
  [
    'collects, and releases again',
    (split, token, receipts) => [
      collectOf(split, token, receipts),
      released(split, token, 0),
      released(split, token, 1),
    ],
  ],
  ['names an address twice', (split, token, receipts) => [collectOf(split, token, [...receipts, ...receipts])]],
];

describe.each(['coins', 'a token'] as const)('of %s', (name) => {
  const moneyOf = () => (name === 'coins' ? null : usdc);

  test.each(FIRST)('the server collects, also when a stranger %s first in the block', async (_, before) => {
    const [token, split] = [moneyOf(), await newSplit()];
    const receipts = newReceipts(split.address, 3);
    for (const { address } of receipts) await pay(address, token, AMOUNT);
    const statuses = await inOneBlock(before(split, token, receipts), collectOf(split, token, receipts));
    expect(statuses.at(-1)).toBe('success');
    expect(await balancesOf(receipts, token)).toEqual([0n, 0n, 0n]);
    expect(await balancesOf(split.recipients, token)).toEqual([2_985_000n, 15_000n]);
    expect(await arrivalsAt(split.address, token)).toEqual([AMOUNT, AMOUNT, AMOUNT]);
    for (const { address } of receipts) expect(await sweptFrom(address)).toEqual([[token, AMOUNT]]);
  });

  test('the server collects, also when a stranger sweeps an address itself first in the block', async () => {
    const [token, split] = [moneyOf(), await newSplit()];
    const receipts = newReceipts(split.address, 2);
    for (const { address } of receipts) await pay(address, token, AMOUNT);
    await collect(split, token, receipts);
    for (const { address } of receipts) await pay(address, token, AMOUNT);
    const direct = receipts.map(({ address }) => sweepOf(address, token));
    expect(await inOneBlock(direct, collectOf(split, token, receipts))).toEqual(['success', 'success', 'success']);
    expect(await balancesOf(split.recipients, token)).toEqual([3_980_000n, 20_000n]);
    expect(await arrivalsAt(split.address, token)).toEqual([AMOUNT, AMOUNT, AMOUNT, AMOUNT]);
  });

  test('the server collects, also when a stranger deploys the split first in the block', async () => {
    const [token, split] = [moneyOf(), await newSplit({ deployed: false })];
    const receipts = newReceipts(split.address, 2);
    for (const { address } of receipts) await pay(address, token, AMOUNT);
    const deployment = deploymentTransaction(split.plan);
    expect(await inOneBlock([deployment, deployment], collectOf(split, token, receipts))).toEqual([
      ...['success', 'reverted'],
      'success',
    ]);
    expect(await balancesOf(split.recipients, token)).toEqual([1_990_000n, 10_000n]);
  });

  test('a payment in the block of a collection is collected by the next one', async () => {
    const [token, split] = [moneyOf(), await newSplit()];
    const receipts = newReceipts(split.address, 1);
    await pay(receipts[0]!.address, token, AMOUNT);
    const late = payment(receipts[0]!.address, token, AMOUNT);
    // The order is turned: the collection, and then the payment.
    await inOneBlock([collectOf(split, token, receipts)], late);
    expect(await balancesOf(receipts, token)).toEqual([AMOUNT]);
    await collect(split, token, receipts);
    expect(await balancesOf(split.recipients, token)).toEqual([1_990_000n, 10_000n]);
  });
});

test('a stranger that makes the code of an address with a worthless token takes nothing and stops nothing', async () => {
  const [worthless, split] = [await deploy(money), await newSplit()];
  const [receipt] = newReceipts(split.address, 1);
  await pay(receipt!.address, worthless, 1n, { by: STRANGER });
  await collect(split, worthless, [receipt!], { by: STRANGER });
  expect(await hasCode(receipt!.address)).toBe(true);
  await pay(receipt!.address, usdc, AMOUNT);
  await pay(receipt!.address, null, AMOUNT);
  await collect(split, usdc, [receipt!]);
  await collect(split, null, [receipt!]);
  for (const token of [usdc, null]) expect(await balancesOf(split.recipients, token)).toEqual([995_000n, 5_000n]);
});

test('a stranger that names itself as a payee gets nothing, and the payees are paid', async () => {
  const split = await newSplit();
  const receipts = newReceipts(split.address, 2);
  for (const { address } of receipts) await pay(address, usdc, AMOUNT);
  const before = await balanceOf(STRANGER.address, usdc);
  await collect({ ...split, payees: [STRANGER.address, ...split.payees] }, usdc, receipts, { by: STRANGER });
  expect(await balanceOf(STRANGER.address, usdc)).toBe(before);
  expect(await balancesOf(split.recipients, usdc)).toEqual([1_990_000n, 10_000n]);
});

test('a deployment by the server costs little where a stranger has deployed the same before', async () => {
  const { plan } = await newSplit({ deployed: false });
  const { data } = guardedDeployment(plan);
  const unguarded = await gasOf(deploymentTransaction(plan));
  const deployed = await transact({ data });
  expect(await hasCode(plan.address)).toBe(true);
  expect(deployed.gasUsed - unguarded).toBeLessThan(40_000n);
  const again = await transact({ data }, { gas: GAS });
  expect(again.status).toBe('success');
  expect(again.gasUsed).toBeLessThanOrEqual(300_000n);
  // What the deployer refuses fails: this code is at another address than the one that is asked for.
  const { data: refused } = guardedDeployment({ ...plan, address: newWallet() });
  expect((await transact({ data: refused }, { gas: GAS })).status).toBe('reverted');
});

test('the factory is deployed once, and a second deployment reverts', async () => {
  const again = await transact(deploymentTransaction(receiptFactoryDeployment()), { by: STRANGER, gas: GAS });
  expect(again.status).toBe('reverted');
});
