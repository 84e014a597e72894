import { encodeFunctionData, type Hash, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toAddress } from '../../../base/chain/address.ts';
import { readBalance } from '../../../base/chain/balances.ts';
import { deploymentTransaction, type TransactionCall } from '../../../base/chain/create2.ts';
import { askLocalWallet } from '../../../base/chain/local-wallet.ts';
import { furtherTestToken, testTokenAbi } from '../../../base/chain/test-token.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { expire } from '../../payments/test/terms.ts';
import { openWorld, randomWallet, type World } from '../../payments/test/world.ts';
import { TransferSchema } from '../../payments/transfers/core/transfer.entity.ts';
import { type CollectionSelection, parseSelection, prepareCollections } from './collections.ts';

// No settler runs in this file: nothing is deployed, collected or released but by the wallet of a buyer.
let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

async function send({ to, data, value = 0n }: TransactionCall): Promise<void> {
  const answer = await askLocalWallet(world.chain, 'buyer', {
    method: 'eth_sendTransaction',
    params: [{ to, data, value: toHex(value) }],
  });
  if (!('result' in answer)) throw new Error(answer.error.message);
  const hash = answer.result as Hash;
  const { status } = await world.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  expect(status).toBe('success');
}

async function paidAt(merchant: Wallet, { token = 'USDC', amount = '1000000', totalCents = 100 } = {}) {
  const id = await world.receipt(merchant, totalCents);
  const payTo = await world.address(merchant, id);
  await world.pay({ token, payTo, amount });
  return { id, payTo };
}

/** Lets what was paid become final. */
async function confirm(): Promise<void> {
  await world.mine(world.chain.confirmations + 1);
  await world.look();
  await world.look();
}

const found = (who: { merchant?: Wallet; wallet?: Wallet }, selection: Partial<CollectionSelection> = {}) =>
  prepareCollections(
    world.deps,
    { merchant: who.merchant ?? null, wallet: who.wallet ?? null },
    parseSelection(selection),
  );

const addressOf = (symbol: string) => world.chain.tokens.find((token) => token.symbol === symbol)!.address;
const held = async (owner: Wallet, token: Wallet | null) =>
  readBalance(world.chain, owner, token, await world.chain.client.getBlockNumber());

test('a wallet collects and releases in one transaction where the split is not deployed, to the base unit', async () => {
  const { wallet: merchant, split, recipients } = await world.merchant();
  await paidAt(merchant, { amount: '1000001' });
  await paidAt(merchant, { amount: '2000000' });
  expect(await found({ merchant })).toEqual([]);
  await confirm();
  const [usdc, ...others] = await found({ merchant });
  expect(others).toEqual([]);
  expect(usdc).toMatchObject({
    ...{ chainId: world.chain.chainId, split, symbol: 'USDC', tokenAddress: addressOf('USDC'), decimals: 6 },
    ...{ amount: '3000001', addresses: 2, waiting: 2 },
  });
  expect(usdc!.deployments).toHaveLength(1);
  for (const call of [...usdc!.deployments, usdc!.transaction]) await send(call);
  for (const { address, sharesBps } of recipients)
    expect(await held(address, usdc!.tokenAddress)).toBe((3_000_001n * BigInt(sharesBps)) / 10_000n);
  await confirm();
  expect(await found({ merchant })).toEqual([]);
});

test('coins are collected too, and what is on the chain is not deployed again', async () => {
  const { wallet: merchant, split, recipients } = await world.merchant();
  await paidAt(merchant);
  await confirm();
  const [usdc] = await found({ merchant });
  for (const call of [...usdc!.deployments, usdc!.transaction]) await send(call);
  const wei = '1000000000000000';
  const id = await world.receipt(merchant, 100, { status: 'paid' });
  const payTo = await world.address(merchant, id);
  const transactionHash = await world.pay({ token: 'ETH', payTo, amount: wei });
  const { chainId } = world.chain;
  const block = { blockHash: transactionHash, blockNumber: 1, blockTimeMs: 1, logIndex: 0 };
  const row = { ...block, chainId, transactionHash, token: 'ETH', sender: randomWallet(), payTo, amount: wei };
  await world.deps.db.orm.em
    .fork()
    .insert(TransferSchema, { ...row, merchant, addressOf: id, split, collected: false, confirmedAt: 1, seenAt: 1 });
  const [coins, ...others] = await found({ merchant }, { token: 'ETH' });
  expect(others).toEqual([]);
  expect(coins).toMatchObject({ symbol: 'ETH', tokenAddress: null, amount: wei, deployments: [] });
  await send(coins!.transaction);
  for (const { address, sharesBps } of recipients)
    expect(await held(address, null)).toBe((BigInt(wei) * BigInt(sharesBps)) / 10_000n);
});

test('a recipient finds only splits that pay it, another merchant and a stranger find nothing', async () => {
  const payee = randomWallet();
  const own = randomWallet();
  const recipients = [
    { address: payee, sharesBps: 4_000 },
    { address: own, sharesBps: 6_000 },
  ];
  const paying = await world.merchant({ recipients });
  const beside = await world.merchant();
  const { id } = await paidAt(beside.wallet);
  await paidAt(paying.wallet);
  await confirm();
  const splits = async (...args: Parameters<typeof found>) => (await found(...args)).map(({ split }) => split);
  expect(await splits({ wallet: payee })).toEqual([paying.split]);
  expect(await splits({ wallet: own })).toEqual([paying.split]);
  expect(await splits({ merchant: paying.wallet })).toEqual([paying.split]);
  expect(await splits({ wallet: randomWallet() })).toEqual([]);
  expect(await splits({ merchant: randomWallet() })).toEqual([]);
  expect(await splits({})).toEqual([]);
  // Naming a split, a receipt or a token of another merchant opens nothing.
  expect(await splits({ wallet: payee }, { split: beside.split })).toEqual([]);
  expect(await splits({ wallet: payee, merchant: paying.wallet }, { receiptId: id })).toEqual([]);
  expect(await splits({ wallet: payee }, { receiptId: id, token: randomWallet() })).toEqual([]);
  expect(await splits({ wallet: payee }, { chainId: world.chain.chainId, token: 'USDT' })).toEqual([]);
});

test('a token that is not listed is collected by its contract and the receipt, and hostile contracts show nothing', async () => {
  const { wallet: merchant, recipients } = await world.merchant();
  const { id, payTo } = await paidAt(merchant);
  await confirm();
  const stray = furtherTestToken('Stray', 'STRAY', 18);
  await send(deploymentTransaction(stray));
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [toAddress(payTo), 10_000n] });
  await send({ to: stray.address, data });
  const [strays, ...others] = await found({ merchant }, { token: stray.address, receiptId: id });
  expect(others).toEqual([]);
  expect(strays).toMatchObject({ symbol: null, tokenAddress: stray.address, decimals: null, amount: '10000' });
  for (const call of [...strays!.deployments, strays!.transaction]) await send(call);
  for (const { address, sharesBps } of recipients) expect(await held(address, stray.address)).toBe(BigInt(sharesBps));
  expect(await found({ merchant }, { token: stray.address, receiptId: id })).toEqual([]);
  // No token, and a contract of another kind.
  for (const token of [randomWallet(), strays!.split])
    expect(await found({ merchant }, { token, receiptId: id })).toEqual([]);
  await expect(found({ merchant }, { token: stray.address })).rejects.toMatchObject({
    code: 'invalid_input',
    extra: { field: 'receiptId' },
  });
  // By the contract of a listed token no receipt is needed.
  expect(await found({ merchant }, { token: addressOf('USDC')! })).toMatchObject([{ symbol: 'USDC' }]);
});

test('money of a receipt that still waits for more is left where it is, and bad input is refused', async () => {
  const { wallet: merchant } = await world.merchant();
  const { id, payTo } = await paidAt(merchant, { totalCents: 500 });
  await confirm();
  expect(await world.status(merchant, id)).toBe('tx_mismatch');
  expect(await found({ merchant })).toEqual([]);
  expect(await found({ merchant }, { receiptId: id, token: randomWallet() })).toEqual([]);
  await world.pay({ token: 'USDC', payTo, amount: '4000000' });
  await confirm();
  expect(await found({ merchant })).toMatchObject([{ amount: '5000000', addresses: 1 }]);
  for (const wrong of [{ chainId: 0 }, { chainId: 999 }, { split: '0x1' }, { token: 'x'.repeat(65) }])
    await expect(async () => found({ merchant }, wrong as never)).rejects.toMatchObject({ code: 'invalid_input' });
});

test('money that comes too late for its receipt is collected by the merchant, once it is final', async () => {
  const { wallet: merchant, recipients } = await world.merchant();
  const id = await world.receipt(merchant, 100);
  const payTo = await world.address(merchant, id);
  await expire(world, merchant, id, 25 * 3_600_000);
  await world.pay({ token: 'USDC', payTo, amount: '1000000' });
  await world.look();
  expect(await world.status(merchant, id)).toBe('failed');
  expect(await found({ merchant })).toEqual([]);
  await confirm();
  const [late, ...others] = await found({ merchant }, { receiptId: id });
  expect(others).toEqual([]);
  expect(late).toMatchObject({ symbol: 'USDC', amount: '1000000', addresses: 1 });
  for (const call of [...late!.deployments, late!.transaction]) await send(call);
  const usdc = addressOf('USDC');
  for (const { address, sharesBps } of recipients) expect(await held(address, usdc)).toBe(BigInt(sharesBps) * 100n);
  await confirm();
  expect(await found({ merchant })).toEqual([]);
});

test('one transaction collects a hundred addresses, the largest amounts first', async () => {
  const { wallet: merchant } = await world.merchant();
  const ids = await Promise.all(Array.from({ length: 101 }, () => world.receipt(merchant, 100)));
  for (const [i, id] of ids.entries()) {
    const payTo = await world.address(merchant, id);
    await world.pay({ token: 'USDC', payTo, amount: String(1_000_000 + i) });
  }
  await confirm();
  const [first, ...others] = await found({ merchant });
  expect(others).toEqual([]);
  expect(first).toMatchObject({ addresses: 100, waiting: 101, amount: String(100 * 1_000_000 + 5_050) });
  for (const call of [...first!.deployments, first!.transaction]) await send(call);
  await confirm();
  expect(await found({ merchant })).toMatchObject([{ addresses: 1, waiting: 1, amount: '1000000' }]);
});
