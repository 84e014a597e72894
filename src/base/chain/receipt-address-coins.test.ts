import { getContractAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import payerArtifact from './contracts/payer.json' with { type: 'json' };
import { deploymentTransaction } from './create2.ts';
import { RECEIPT_FACTORY } from './receipt-record.ts';
import {
  arrivalsAt,
  balanceOf,
  balancesOf,
  callOf,
  chain,
  collect,
  deploy,
  hasCode,
  newReceipts,
  newSplit,
  pay,
  type Split,
  STRANGER,
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
/** What a plain transfer has, of exchanges and many wallets. */
const PLAIN = 21_000n;

const newPayer = () => deploy(payerArtifact);
const by = (payer: Awaited<ReturnType<typeof newPayer>>, name: string, args: readonly unknown[]) =>
  transact(callOf(payerArtifact, payer, name, args, AMOUNT));

/** A receipt that was paid and collected: there is code at its address. */
async function collectedReceipt(split: Split) {
  const [receipt] = newReceipts(split.address, 1);
  await pay(receipt!.address, null, AMOUNT);
  await collect(split, null, [receipt!]);
  expect(await hasCode(receipt!.address)).toBe(true);
  return receipt!;
}

describe('to an address without code, coins arrive', () => {
  test.each([
    ['by a plain transfer', (to: Wallet) => transact({ to, value: AMOUNT }, { gas: PLAIN })],
    ["by a contract's transfer", async (to: Wallet) => by(await newPayer(), 'payWithStipend', [toAddress(to)])],
    ['by a self-destruct', async (to: Wallet) => by(await newPayer(), 'payByDestruction', [toAddress(to)])],
  ] as const)('%s', async (_, payTo) => {
    const split = await newSplit();
    const [receipt] = newReceipts(split.address, 1);
    expect((await payTo(receipt!.address)).status).toBe('success');
    expect(await balanceOf(receipt!.address, null)).toBe(AMOUNT);
    await collect(split, null, [receipt!]);
    expect(await balancesOf(split.recipients, null)).toEqual([995_000n, 5_000n]);
  });
});

describe('to an address with code, coins arrive', () => {
  test.each([
    ['by a transfer with a little more gas', (to: Wallet) => transact({ to, value: AMOUNT }, { gas: 21_100n })],
    ["by a contract's transfer", async (to: Wallet) => by(await newPayer(), 'payWithStipend', [toAddress(to)])],
    ['by a self-destruct', async (to: Wallet) => by(await newPayer(), 'payByDestruction', [toAddress(to)])],
  ] as const)('%s', async (_, payTo) => {
    const split = await newSplit();
    const receipt = await collectedReceipt(split);
    expect((await payTo(receipt.address)).status).toBe('success');
    expect(await balanceOf(receipt.address, null)).toBe(AMOUNT);
    await collect(split, null, [receipt]);
    expect(await balancesOf(split.recipients, null)).toEqual([1_990_000n, 10_000n]);
  });
});

test('a plain transfer to an address with code fails, and the sender keeps the coins', async () => {
  const receipt = await collectedReceipt(await newSplit());
  const sent = await transact({ to: receipt.address, value: AMOUNT }, { gas: PLAIN });
  expect(sent.status).toBe('reverted');
  expect(await balanceOf(receipt.address, null)).toBe(0n);
});

test('coins with data are refused by an address with code, as is every call but a sweep', async () => {
  const receipt = await collectedReceipt(await newSplit());
  for (const data of ['0x01', '0xffffffff', '0x150b7a02'] as const)
    expect((await transact({ to: receipt.address, data, value: AMOUNT }, { gas: 100_000n })).status).toBe('reverted');
  const sweep = sweepOf(receipt.address, null);
  expect((await transact({ ...sweep, value: AMOUNT }, { gas: 100_000n })).status).toBe('reverted');
});

describe('coins that are paid and swept in one transaction are logged by the address and by the split', () => {
  test('by the factory', async () => {
    const [payer, split] = [await newPayer(), await newSplit()];
    const receipts = newReceipts(split.address, 2);
    await by(payer, 'payAndCollect', [
      ...[toAddress(RECEIPT_FACTORY), toAddress(split.address)],
      ...[receipts.map(({ salt }) => salt), split.payees.map(toAddress)],
    ]);
    for (const { address } of receipts) expect(await sweptFrom(address)).toEqual([[null, AMOUNT / 2n]]);
    expect(await arrivalsAt(split.address, null)).toEqual([AMOUNT / 2n, AMOUNT / 2n]);
    expect(await balancesOf(split.recipients, null)).toEqual([995_000n, 5_000n]);
  });

  test('by the address itself', async () => {
    const [payer, split] = [await newPayer(), await newSplit()];
    const receipt = await collectedReceipt(split);
    await by(payer, 'payAndSweep', [toAddress(receipt.address)]);
    expect(await sweptFrom(receipt.address)).toEqual([
      [null, AMOUNT],
      [null, AMOUNT],
    ]);
    expect(await arrivalsAt(split.address, null)).toEqual([AMOUNT, AMOUNT]);
  });

  test('and stay at the address if the split is not deployed', async () => {
    const [payer, split] = [await newPayer(), await newSplit({ deployed: false })];
    const receipts = newReceipts(split.address, 2);
    await by(payer, 'payAndCollect', [
      ...[toAddress(RECEIPT_FACTORY), toAddress(split.address)],
      ...[receipts.map(({ salt }) => salt), split.payees.map(toAddress)],
    ]);
    expect(await balancesOf(receipts, null)).toEqual([AMOUNT / 2n, AMOUNT / 2n]);
    expect(await balanceOf(split.address, null)).toBe(0n);
    expect(await hasCode(receipts[0]!.address)).toBe(false);
  });
});

describe.each(['coins', 'a token'] as const)('%s', (name) => {
  const moneyOf = () => (name === 'coins' ? null : usdc);

  test('stay at their addresses while the split is not deployed, and are collected afterwards', async () => {
    const [token, split] = [moneyOf(), await newSplit({ deployed: false })];
    const receipts = newReceipts(split.address, 2);
    for (const { address } of receipts) await pay(address, token, AMOUNT);
    expect((await collect(split, token, receipts, { by: STRANGER })).status).toBe('success');
    expect(await balancesOf(receipts, token)).toEqual([AMOUNT, AMOUNT]);
    expect(await balanceOf(split.address, token)).toBe(0n);

    await transact(deploymentTransaction(split.plan));
    await collect(split, token, receipts);
    expect(await balancesOf(split.recipients, token)).toEqual([1_990_000n, 10_000n]);
  });

  test('that were paid for a split of another address are not moved by its salt', async () => {
    const [token, split, other] = [moneyOf(), await newSplit(), await newSplit()];
    const receipts = newReceipts(split.address, 2);
    for (const { address } of receipts) await pay(address, token, AMOUNT);
    await collect(other, token, receipts, { by: STRANGER });
    expect(await balancesOf(receipts, token)).toEqual([AMOUNT, AMOUNT]);
    expect(await balanceOf(other.address, token)).toBe(0n);
  });
});

test('the code behind the addresses cannot be swept itself', async () => {
  const forwarder = toWallet(getContractAddress({ from: toAddress(RECEIPT_FACTORY), nonce: 1n }));
  expect(await hasCode(forwarder)).toBe(true);
  await pay(forwarder, usdc, AMOUNT);
  await expect(transact(sweepOf(forwarder, usdc))).rejects.toThrow();
  expect((await transact(sweepOf(forwarder, usdc), { gas: 200_000n })).status).toBe('reverted');
  expect(await balanceOf(forwarder, usdc)).toBe(AMOUNT);
});

test('neither the factory nor the code behind the addresses takes coins', async () => {
  const forwarder = toWallet(getContractAddress({ from: toAddress(RECEIPT_FACTORY), nonce: 1n }));
  for (const to of [RECEIPT_FACTORY, forwarder])
    expect((await transact({ to, value: AMOUNT }, { gas: 100_000n })).status).toBe('reverted');
});

test('the code at an address is that of the proxy with its split, and nothing else', async () => {
  const split = await newSplit();
  const receipt = await collectedReceipt(split);
  const forwarder = getContractAddress({ from: toAddress(RECEIPT_FACTORY), nonce: 1n })
    .slice(2)
    .toLowerCase();
  expect(await chain.client.getCode({ address: toAddress(receipt.address) })).toBe(
    `0x36600557005b363d3d373d3d3d363d73${forwarder}5af43d82803e903d91603157fd5bf3${split.address.slice(2)}`,
  );
});
