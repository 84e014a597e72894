import { encodeFunctionData, erc20Abi, type Hash, zeroHash } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { readBlocks, readHead } from './blocks.ts';
import { createChain } from './client.ts';
import { deploymentTransaction } from './create2.ts';
import { mintTestTokens, payFromTestWallet } from './local.ts';
import { localAccount } from './local-accounts.ts';
import { planSplitter } from './plan-splitter.ts';
import { createSender } from './sender.ts';
import { releaseTransaction } from './splitter.ts';
import { startTestChain, type TestChain } from './test/anvil.ts';
import { type NodeBehaviour, openNode } from './test/node.ts';
import { testTokens } from './test-token.ts';
import { readTransfers, readTransfersOf, type Transfer, type Watchlist, watchlistOf } from './transfers.ts';

const usdc = testTokens[0]!.address;
const buyer = localAccount('buyer').address;

/** The n-th unused wallet. */
const wallet = (n: number): Wallet => toWallet(privateKeyToAddress(`0x${n.toString(16).padStart(64, '0')}`));

const recipients = [
  { address: wallet(1), sharesBps: 9950 },
  { address: wallet(2), sharesBps: 50 },
];

/** Few addresses are read with a filter. Many addresses exceed the filter, so all transfers are read. */
const few = (...addresses: Wallet[]) => watchlistOf(new Set(addresses));
const many = (...addresses: Wallet[]) =>
  watchlistOf(new Set([...addresses, ...Array.from({ length: 2_300 }, (_, i) => wallet(1_000 + i))]));

let local: TestChain;
let merchants = 100;
let split: ReturnType<typeof planSplitter>;
let fromBlock: bigint;

beforeAll(async () => {
  local = await startTestChain();
});

afterAll(() => local.stop());

beforeEach(async () => {
  split = planSplitter({ merchant: wallet(merchants++), recipients });
  fromBlock = (await readHead(local.chain)).number + 1n;
});

async function pay(token: string, amount: bigint, to = split.address): Promise<Hash> {
  const hash = await payFromTestWallet(local.chain, { token, to, amount });
  await local.chain.client.waitForTransactionReceipt({ hash });
  return hash;
}

async function deploySplit(): Promise<void> {
  const sender = createSender(local.chain, localAccount('settlement').privateKey);
  const { hash } = await sender.send(deploymentTransaction(split));
  await sender.waitFor(hash!);
}

async function readAll(watchlist: Watchlist, chain = local.chain): Promise<Transfer[]> {
  const { number: last } = await readHead(local.chain);
  const all: Transfer[] = [];
  for (let from = fromBlock; from <= last; ) {
    const end = from + BigInt(chain.logRange.blocks()) - 1n;
    const toBlock = end < last ? end : last;
    const transfers = await readTransfers(chain, { fromBlock: from, toBlock, watchlist });
    if (transfers === 'moved') throw new Error('the chain moved');
    if (transfers === 'too_large') continue;
    all.push(...transfers);
    from = toBlock + 1n;
  }
  return all;
}

test.each([['few', few] as const, ['many', many] as const])(
  'with %s addresses, payments in tokens and in the native coin are found in order, and only those to the addresses',
  async (_, among) => {
    await deploySplit();
    const hashes = [await pay('USDC', 11_005n), await pay('ETH', 3n * 10n ** 16n), await pay('USDT', 7n)];
    await pay('USDC', 5n, wallet(77));

    const transfers = await readAll(among(split.address));
    expect(transfers).toMatchObject([
      { symbol: 'USDC', tokenAddress: usdc, value: 11_005n, transactionHash: hashes[0] },
      { symbol: 'ETH', tokenAddress: null, value: 3n * 10n ** 16n, transactionHash: hashes[1] },
      { symbol: 'USDT', tokenAddress: testTokens[1]!.address, value: 7n, transactionHash: hashes[2] },
    ]);
    for (const transfer of transfers) {
      const block = await local.chain.client.getBlock({ blockNumber: transfer.blockNumber });
      expect(transfer).toMatchObject({ from: buyer, to: split.address, blockHash: block.hash });
      expect(transfer.blockTimeMs).toBe(Number(block.timestamp) * 1000);
    }
  },
);

test('a transfer of 0 is not a payment', async () => {
  await pay('USDC', 0n);
  expect(await readAll(few(split.address))).toEqual([]);
});

test('a transfer of a token that is not configured is not a payment', async () => {
  await pay('USDT', 5n);
  const usdcOnly = { ...local.chain, tokens: local.chain.tokens.filter(({ symbol }) => symbol === 'USDC') };
  expect(await readAll(few(split.address), usdcOnly)).toEqual([]);
});

test('a transfer from a split is not a payment to it', async () => {
  await deploySplit();
  await pay('USDC', 10_000n);
  const sender = createSender(local.chain, localAccount('settlement').privateKey);
  const { hash } = await sender.send(releaseTransaction(split.address, usdc, wallet(1)));
  await sender.waitFor(hash!);
  expect(await readAll(few(split.address))).toHaveLength(1);
});

test('two transfers in one block have different log indexes', async () => {
  await local.control.setAutomine(false);
  onTestFinished(() => local.control.setAutomine(true));
  await payFromTestWallet(local.chain, { token: 'USDC', to: split.address, amount: 5n });
  await payFromTestWallet(local.chain, { token: 'USDC', to: split.address, amount: 5n });
  await local.control.mine({ blocks: 1 });
  const [first, second] = await readAll(few(split.address));
  expect(second!.blockHash).toBe(first!.blockHash);
  expect(second!.logIndex).toBeGreaterThan(first!.logIndex);
});

test('without addresses there are no payments', async () => {
  expect(await readAll(few())).toEqual([]);
});

test('blocks are read with their hashes and times, and link to their parents', async () => {
  await local.control.mine({ blocks: 60 });
  const head = await readHead(local.chain);
  const blocks = await readBlocks(local.chain, head.number - 59n, head.number);
  if (blocks === 'moved') throw new Error('the chain moved');
  expect(blocks).toHaveLength(60);
  expect(blocks.at(-1)).toEqual(head);
  expect(blocks.at(-1)!.parentHash).toBe(blocks.at(-2)!.hash);
});

test('blocks that the chain does not have yet read as moved', async () => {
  const head = await readHead(local.chain);
  expect(await readBlocks(local.chain, head.number, head.number + 1n)).toBe('moved');
});

test('a payment that a reorg removed is no longer found', async () => {
  await local.control.mine({ blocks: 1 });
  const hash = await pay('USDC', 42n);
  expect(await readAll(few(split.address))).toHaveLength(1);
  await reorganise(2);
  await local.control.dropTransaction({ hash });
  expect(await readAll(few(split.address))).toEqual([]);
});

/** Replaces the last blocks by the same number of empty blocks. */
async function reorganise(depth: number): Promise<void> {
  await local.control.request({ method: 'anvil_reorg' as never, params: [depth, []] as never });
}

/** The same chain behind a node that answers some calls itself. */
async function throughNode(answer: NodeBehaviour) {
  return createChain({ ...local.chain, rpcUrl: await openNode(local.rpcUrl, answer) });
}

test('a range that is too large for the node is read in parts', async () => {
  const hashes = [await pay('USDC', 1n), await pay('USDC', 2n), await pay('USDC', 3n)];
  const chain = await throughNode(async ({ method, params: [filter] = [] }) => {
    const isLarge = method === 'eth_getLogs' && Number(filter!.toBlock) - Number(filter!.fromBlock) > 1;
    return isLarge ? { error: { code: -32602, message: 'query exceeds max results' } } : null;
  });
  expect((await readAll(few(split.address), chain)).map(({ transactionHash }) => transactionHash)).toEqual(hashes);
});

test('a node that fails on every range is refused after a limited number of attempts', async () => {
  let asked = 0;
  const chain = await throughNode(async ({ method }) => {
    if (method !== 'eth_getLogs') return null;
    asked++;
    return { error: { code: -32601, message: 'no such method' } };
  });
  await local.control.mine({ blocks: 100 });
  await expect(readAll(few(split.address), chain)).rejects.toMatchObject({ code: 'chain_unavailable' });
  expect(asked).toBeLessThan(30);
});

test('a reorg between reading the logs and reading their blocks is reported as moved', async () => {
  await pay('USDC', 42n);
  const { number: toBlock } = await readHead(local.chain);
  let reorganised = false;
  const chain = await throughNode(async ({ method }) => {
    if (method === 'eth_getBlockByNumber' && !reorganised) {
      reorganised = true;
      await reorganise(1);
    }
    return null;
  });
  expect(await readTransfers(chain, { fromBlock, toBlock, watchlist: few(split.address) })).toBe('moved');
});

test('a successful transaction is read with its transfers, block and calldata', async () => {
  const hash = await pay('USDC', 42n);
  const reading = await readTransfersOf(local.chain, hash, few(split.address));
  const [transfer] = await readAll(few(split.address));
  expect(reading).toMatchObject({ status: 'success', transfers: [transfer], from: buyer, to: usdc });
  expect(reading).toMatchObject({ blockNumber: transfer!.blockNumber, blockHash: transfer!.blockHash });
  expect(reading.input).toBe(
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [toAddress(split.address), 42n] }),
  );
});

test('a successful transaction that paid other addresses has no transfers', async () => {
  const hash = await pay('USDC', 42n, wallet(77));
  expect(await readTransfersOf(local.chain, hash, few(split.address))).toMatchObject({
    status: 'success',
    transfers: [],
  });
});

test('a transaction in the mempool is pending', async () => {
  await mintTestTokens(local.chain, 'USDC', buyer, 42n);
  await local.control.setAutomine(false);
  onTestFinished(async () => {
    await local.control.mine({ blocks: 1 });
    await local.control.setAutomine(true);
  });
  const hash = await payFromTestWallet(local.chain, { token: 'USDC', to: split.address, amount: 42n });
  expect(await readTransfersOf(local.chain, hash, few(split.address))).toMatchObject({
    status: 'pending',
    transfers: [],
    blockNumber: null,
    to: usdc,
    from: buyer,
  });
});

test('a reverted transaction has no transfers and still has its calldata', async () => {
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [toAddress(split.address), 10n ** 30n],
  });
  const hash = await local.control.request({
    method: 'eth_sendTransaction' as never,
    params: [{ from: localAccount('buyer', 1).address, to: usdc, data, gas: '0x30000' }] as never,
  });
  expect(await readTransfersOf(local.chain, hash, few(split.address))).toMatchObject({
    status: 'reverted',
    transfers: [],
    input: data,
    to: usdc,
    from: localAccount('buyer', 1).address,
  });
});

test('a transaction that the node does not have is unknown', async () => {
  expect(await readTransfersOf(local.chain, zeroHash, few(split.address))).toMatchObject({
    status: 'unknown',
    input: null,
  });
});
