import { encodeDeployData, type Hex, type TypedDataDefinition, zeroHash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, expect, test } from 'vitest';
import { type Chain, createChain } from '../../src/base/chain/client.ts';
import artifact from '../../src/base/chain/contracts/test-token.json' with { type: 'json' };
import { addressOf } from '../../src/base/chain/create2.ts';
import { deployOnce } from '../../src/base/chain/deploy-once.ts';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import { createSender } from '../../src/base/chain/sender.ts';
import { readReceived } from '../../src/base/chain/splitter.ts';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { testTokenAbi } from '../../src/base/chain/test-token.ts';
import { SLOW_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { claimTypedData } from '../../src/domain/payments/matching/claim.ts';
import { ask } from '../graphql/ask.ts';
import { until } from '../support/program.ts';
import { openPaidShop } from './paid-shop.ts';

// One split has the same address on every chain. Here a token has the same symbol on both, and other decimals.

const second = await startTestChain([], SLOW_CHAIN_ID);
afterAll(() => second.stop());
const initCode = encodeDeployData({
  abi: testTokenAbi,
  bytecode: artifact.bytecode as Hex,
  args: ['USD Coin', 'USDC', 18],
});
const usdc18 = { initCode, salt: zeroHash, address: addressOf(initCode, zeroHash) };
await deployOnce(second.chain, createSender(second.chain, localAccount('deployer').privateKey), usdc18);
const tokens = { USDC: { address: usdc18.address, decimals: 18 } };
const { chain, server, merchant, session } = await openPaidShop({
  CHAIN_ID: '31337',
  CHAINS: JSON.stringify([{ chainId: SLOW_CHAIN_ID, rpcUrl: second.rpcUrl, confirmations: 1, tokens }]),
});
const first = chain.chain;
const there = createChain({
  chainId: SLOW_CHAIN_ID,
  rpcUrl: second.rpcUrl,
  confirmations: 1,
  tokens: [{ symbol: 'USDC', ...tokens.USDC }],
});
const CENT_6 = 10n ** 4n;
const split = merchant.split as Wallet;

const QUOTE = `mutation ($id: ID!, $chainId: SafeInt) {
  quotePayment(receiptId: $id, token: "USDC", chainId: $chainId) { payTo amount } }`;
const RECEIPT = `query ($id: ID!) { receipt(receiptId: $id) {
  status receivedUsd settlement { chainId recipient sharesBps owed settledAt } } }`;

let count = 0;
async function order(usd: number): Promise<string> {
  const id = `both-${count++}`;
  const body = { id, lineItems: [{ label: 'Mug', priceUsd: usd }] };
  const created = await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  expect(created.status).toBe(201);
  return id;
}
async function quoteOf(id: string, chainId: number): Promise<{ payTo: Wallet; amount: string }> {
  return (await ask(server, session, QUOTE, { id, chainId })).body.data.quotePayment;
}
const read = async (id: string) => (await ask(server, session, RECEIPT, { id })).body.data.receipt;
const passing = (ready: () => Promise<boolean>) =>
  until(async () => {
    await Promise.all([chain.control.mine({ blocks: 1 }), second.control.mine({ blocks: 1 })]);
    return ready();
  });
const pay = (on: Chain, to: Wallet, amount: bigint) => payFromTestWallet(on, { token: 'USDC', to, amount });

/** Pays a part on the first chain and the rest on the second. Both hashes. */
async function payOnBoth(id: string, part: bigint): Promise<{ hashes: string[]; rest: bigint }> {
  const { payTo } = await quoteOf(id, 31_337);
  const partHash = await pay(first, payTo, part);
  await passing(async () => (await read(id)).status === 'tx_mismatch');
  const { amount } = await quoteOf(id, SLOW_CHAIN_ID);
  const restHash = await pay(there, payTo, BigInt(amount));
  return { hashes: [partHash, restHash], rest: BigInt(amount) };
}

test('a receipt paid on two chains is completed with the shares of each chain, in its own decimals', async () => {
  // What the split has received before differs on the chains, as it does for a shop that has sold before.
  const before = await order(7);
  const { payTo, amount } = await quoteOf(before, 31_337);
  await pay(first, payTo, BigInt(amount));
  await passing(async () => (await read(before)).status === 'completed');

  const id = await order(100);
  const part = 6_000n * CENT_6;
  const { hashes, rest } = await payOnBoth(id, part);
  await passing(async () => (await read(id)).status === 'completed');

  const { settlement } = await read(id);
  const owedOn = (chainId: number) =>
    settlement
      .filter((share: { chainId: number }) => share.chainId === chainId)
      .reduce((sum: bigint, { owed }: { owed: string }) => sum + BigInt(owed), 0n);
  // A fraction of a base unit for each payee is part of a later payment.
  expect(part - owedOn(31_337)).toBeLessThanOrEqual(1n);
  expect(rest - owedOn(SLOW_CHAIN_ID)).toBeLessThanOrEqual(1n);
  expect(await readReceived(first, split, first.tokens[0]!.address)).toBe(part + BigInt(amount));
  expect(await readReceived(there, split, usdc18.address)).toBe(rest);

  const transactions = (await server.call('GET', '/api/split/transactions', { headers: merchant.auth })).body;
  const [onSecond, onFirst] = hashes
    .toReversed()
    .map((hash) => transactions.find((one: { transactionHash: string }) => one.transactionHash === hash));
  expect(onFirst).toMatchObject({ receiptId: id, amount: 60, currency: 'USDC', fees: 0.3, status: 'completed' });
  expect(onSecond.amount).toBeCloseTo(Number(rest) / 1e18, 6);
  expect(onSecond.fees).toBeCloseTo((Number(rest) / 1e18) * 0.005, 6);
  // The newest first, whatever the heights of the chains are.
  const times = transactions.map(({ timestamp }: { timestamp: string }) => timestamp);
  expect(times).toEqual(times.toSorted().toReversed());
});

test('an export of payouts and a search tell the chains of one split apart', async () => {
  const id = await order(50);
  const { hashes } = await payOnBoth(id, 2_000n * CENT_6);
  await passing(async () => (await read(id)).status === 'completed');
  const exported = await server.call('GET', '/api/exports/receipts?rows=payouts&format=jsonl', { headers: session });
  const rows = String(exported.body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { receiptId: string; recipient: string; chainId: number; amount: string })
    .filter(({ receiptId, recipient }) => receiptId === id && recipient === merchant.wallet);
  const ofChain = (chainId: number) =>
    rows.filter((row) => row.chainId === chainId).map(({ amount }) => Number(amount));
  expect(rows).toHaveLength(2);
  expect(ofChain(31_337)).toEqual([19.9]);
  expect(ofChain(SLOW_CHAIN_ID)[0]).toBeCloseTo(29.85, 1);
  const SEARCH = 'query ($text: String!) { receipts(first: 5, filter: { q: $text }) { nodes { receiptId } } }';
  for (const text of hashes)
    await until(async () => {
      const { body } = await ask(server, session, SEARCH, { text });
      return body.data?.receipts.nodes.some((node: { receiptId: string }) => node.receiptId === id);
    });
});

test('unmatched money of both chains is listed by its time, each with its own decimals', async () => {
  // The first chain is the higher one.
  await chain.control.mine({ blocks: 200 });
  const older = await pay(first, split, 1_234_500n);
  await chain.control.mine({ blocks: 1 });
  const { timestamp } = await first.client.getBlock();
  await second.control.setNextBlockTimestamp({ timestamp: timestamp + 60n });
  const newer = await pay(there, split, 2_345_600_000_000_000_000n);
  const LIST = 'query { unmatchedTransfers(first: 5) { nodes { transactionHash display chainId } } }';
  let nodes: { transactionHash: string; display: string; chainId: number }[] = [];
  await passing(async () => {
    nodes = (await ask(server, session, LIST)).body.data.unmatchedTransfers.nodes;
    return [older, newer].every((hash) => nodes.some(({ transactionHash }) => transactionHash === hash));
  });
  expect(nodes.slice(0, 2)).toEqual([
    { transactionHash: newer, display: '2.3456', chainId: SLOW_CHAIN_ID },
    { transactionHash: older, display: '1.2345', chainId: 31_337 },
  ]);
});

test('a signed claim that names the chain finds money that was first reported on the wrong one', async () => {
  const id = await order(20);
  await quoteOf(id, SLOW_CHAIN_ID);
  // Quoted last on the first chain, which a report without a chain means.
  await quoteOf(id, 31_337);
  const hash = await pay(there, split, 20_500_000_000_000_000_000n);
  const SUBMIT = `mutation ($id: ID!, $hash: Hex!, $chainId: SafeInt, $signer: Wallet, $signature: Hex) {
    submitTransaction(receiptId: $id, transactionHash: $hash, chainId: $chainId, signer: $signer, signature: $signature) {
      status } }`;
  const submit = async (more: object = {}) =>
    expect((await ask(server, session, SUBMIT, { id, hash, ...more })).body.errors).toBeUndefined();
  await submit();
  const buyer = privateKeyToAccount(localAccount('buyer').privateKey);
  const facts = { merchant: merchant.wallet, receiptId: id, transactionHash: hash };
  const signature = await buyer.signTypedData(claimTypedData(SLOW_CHAIN_ID, facts) as unknown as TypedDataDefinition);
  await submit({ chainId: SLOW_CHAIN_ID, signer: buyer.address.toLowerCase(), signature });
  // An unsigned repetition on another chain takes nothing away from the claim.
  await submit({ chainId: 31_337 });
  await passing(async () => (await read(id)).status === 'completed');
});

test('a duplicate on the other chain becomes the payment, in its own decimals, once a reorganization removes the first', async () => {
  const id = await order(30);
  const { payTo, amount } = await quoteOf(id, 31_337);
  const snapshot = await chain.control.snapshot();
  await pay(first, payTo, BigInt(amount));
  // A further block, as one of a payout, would make the payment final.
  await chain.control.setAutomine(false);
  await until(async () => (await read(id)).status === 'tx_mined');
  const value = BigInt(amount) * 10n ** 12n;
  const again = await pay(there, payTo, value);
  const LIST = 'query { unmatchedTransfers(first: 5) { nodes { transactionHash reason } } }';
  await until(async () => {
    const { nodes } = (await ask(server, session, LIST)).body.data.unmatchedTransfers;
    return nodes.some((one: object) => Object.values(one).join() === `${again},duplicate`);
  });
  await chain.control.revert({ id: snapshot });
  await chain.control.setAutomine(true);
  await passing(async () => (await read(id)).status === 'completed');
  const { settlement, receivedUsd } = await read(id);
  expect(receivedUsd).toBe(30);
  expect(settlement.every((share: { chainId: number }) => share.chainId === SLOW_CHAIN_ID)).toBe(true);
  const owed = settlement.reduce((sum: bigint, one: { owed: string }) => sum + BigInt(one.owed), 0n);
  expect(value - owed).toBeLessThanOrEqual(1n);
  expect((await ask(server, session, LIST)).body.data.unmatchedTransfers.nodes.flatMap(Object.values)).not.toContain(
    again,
  );
});
