import { afterAll, expect, test } from 'vitest';
import type { Chain } from '../../src/chain/client.ts';
import { payFromTestWallet } from '../../src/chain/local.ts';
import { startTestChain } from '../../src/chain/test/anvil.ts';
import { SLOW_CHAIN_ID } from '../../src/core/local-chains.ts';
import type { Wallet } from '../../src/core/wallet.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { until } from '../support/program.ts';
import { openPaidShop } from './paid-shop.ts';

const second = await startTestChain([], SLOW_CHAIN_ID);
afterAll(() => second.stop());
const { chain, server, merchant, session } = await openPaidShop({
  CHAIN_ID: '31337',
  CHAINS: JSON.stringify([{ chainId: SLOW_CHAIN_ID, rpcUrl: second.rpcUrl, confirmations: 1 }]),
});
const chains = { first: chain, second } as const;

const QUOTE = `mutation ($id: ID!, $token: String!, $chainId: SafeInt) {
  quotePayment(receiptId: $id, token: $token, chainId: $chainId) { chainId token payTo amount uri } }`;
const RECEIPT = `query ($id: ID!) { receipt(receiptId: $id) {
  status transactionHash chainId confirmations paid { token display } settlement { chainId token settledAt } } }`;

interface Quote {
  readonly chainId: number;
  readonly token: string;
  readonly payTo: Wallet;
  readonly amount: string;
  readonly uri: string;
}

let count = 0;
async function order(): Promise<string> {
  const id = `chains-${count++}`;
  const body = { id, lineItems: [{ label: 'Mug', priceUsd: 10 }] };
  await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
  return id;
}
async function quoteOf(id: string, token = 'USDC', chainId?: number): Promise<Quote> {
  const { body } = await ask(server, session, QUOTE, { id, token, chainId });
  return body.data.quotePayment;
}
const read = async (id: string) => (await ask(server, session, RECEIPT, { id })).body.data.receipt;
const pay = (on: Chain, { token, payTo, amount }: Quote) =>
  payFromTestWallet(on, { token, to: payTo, amount: BigInt(amount) });

/** Lets blocks pass on a chain until the receipt has the status. */
const reaches = (id: string, status: string, on: keyof typeof chains) =>
  until(async () => {
    await chains[on].control.mine({ blocks: 1 });
    return (await read(id)).status === status;
  });

test('a receipt is paid and settled on either chain, at the same address, and quoted on the first by default', async () => {
  const [onFirst, onSecond] = [await order(), await order()];
  const there = await quoteOf(onFirst);
  const here = await quoteOf(onSecond, 'USDC', SLOW_CHAIN_ID);
  expect([there.chainId, here.chainId]).toEqual([31_337, SLOW_CHAIN_ID]);
  expect(here.payTo).toBe(there.payTo);
  expect(here.uri).toContain(`@${SLOW_CHAIN_ID}/transfer`);
  await Promise.all([pay(chain.chain, there), pay(second.chain, here)]);
  await Promise.all([reaches(onFirst, 'completed', 'first'), reaches(onSecond, 'completed', 'second')]);
  expect(await read(onFirst)).toMatchObject({ chainId: 31_337, paid: { token: 'USDC' } });
  const { settlement, ...paid } = await read(onSecond);
  expect(paid).toMatchObject({ chainId: SLOW_CHAIN_ID, confirmations: 1, paid: { token: 'USDC' } });
  expect(settlement.length).toBeGreaterThan(0);
  for (const share of settlement) expect(share).toMatchObject({ chainId: SLOW_CHAIN_ID, token: 'USDC' });
});

test('an unknown chain, and a token of another chain, are refused', async () => {
  const id = await order();
  expect(codeOf(await ask(server, session, QUOTE, { id, token: 'USDC', chainId: 5 }))).toBe('invalid_input');
  expect(codeOf(await ask(server, session, QUOTE, { id, token: 'EURC' }))).toBe('invalid_input');
  expect((await quoteOf(id, 'EURC', SLOW_CHAIN_ID)).token).toBe('EURC');
});

test('EURC pays a receipt in euros 1:1, to less than a cent', async () => {
  const item = { sku: 'TASSE', name: 'Tasse', price: 10, currency: 'EUR', stockQty: -1, taxable: false };
  await server.call('POST', '/api/inventory', { headers: merchant.auth, body: item });
  const body = { items: [{ sku: 'TASSE', qty: 1 }] };
  const { body: ordered } = await server.call('POST', '/api/orders', { headers: merchant.auth, body });
  const { receiptId, pricing } = ordered.receipt;
  const euros = pricing.originalTotal * 1e6;
  const { amount, ...quote } = await quoteOf(receiptId, 'EURC', SLOW_CHAIN_ID);
  expect(Number(amount)).toBeGreaterThan(euros);
  expect(Number(amount)).toBeLessThan(euros + 10_000);
  await pay(second.chain, { amount, ...quote });
  await reaches(receiptId, 'completed', 'second');
  expect((await read(receiptId)).paid.token).toBe('EURC');
});

test('the amount of a quote on one chain pays nothing on the other, and can be assigned there', async () => {
  const id = await order();
  const quote = await quoteOf(id);
  const hash = await pay(second.chain, quote);
  const LIST = 'query { unmatchedTransfers { nodes { chainId transactionHash reason } } }';
  await until(async () => {
    await second.control.mine({ blocks: 1 });
    const { nodes } = (await ask(server, session, LIST)).body.data.unmatchedTransfers;
    return nodes.some((node: { transactionHash: string }) => node.transactionHash === hash);
  });
  expect((await read(id)).status).toBe('pending');
  const assign =
    'mutation ($id: ID!, $hash: Hex!) { assignTransfer(receiptId: $id, transactionHash: $hash) { status } }';
  const { body } = await ask(server, session, assign, { id, hash });
  expect(body.data.assignTransfer).toEqual({ status: 'tx_mined' });
  await reaches(id, 'completed', 'second');
});

test('a reorganization of one chain takes back only its payments', async () => {
  const [onFirst, onSecond] = [await order(), await order()];
  const [there, here] = [await quoteOf(onFirst), await quoteOf(onSecond, 'USDC', SLOW_CHAIN_ID)];
  const snapshot = await second.control.snapshot();
  await Promise.all([pay(chain.chain, there), pay(second.chain, here)]);
  await until(async () => {
    const found = await Promise.all([read(onFirst), read(onSecond)]);
    return found.every(({ status }) => status !== 'pending');
  });
  await second.control.revert({ id: snapshot });
  await until(async () => (await read(onSecond)).status === 'pending');
  expect(await read(onSecond)).toMatchObject({ transactionHash: null, chainId: null });
  await reaches(onFirst, 'completed', 'first');
  await pay(second.chain, here);
  await reaches(onSecond, 'completed', 'second');
});

test('a chain that is down shows in health and does not delay payments on the other', async () => {
  await second.stop();
  const id = await order();
  await pay(chain.chain, await quoteOf(id));
  await reaches(id, 'completed', 'first');
  await until(async () => {
    const { body } = await server.call('GET', '/healthz');
    return body.status === 'degraded';
  });
  const { body } = await server.call('GET', '/healthz');
  expect(body.dependencies).toMatchObject({ database: 'up', chain: 'up' });
  expect(body.chains).toMatchObject([
    { chainId: 31_337, chain: 'up' },
    { chainId: SLOW_CHAIN_ID, chain: 'down' },
  ]);
});
