import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { toAddress, toWallet } from '../../src/base/chain/address.ts';
import type { Chain } from '../../src/base/chain/client.ts';
import { mintTestTokens, payFromTestWallet } from '../../src/base/chain/local.ts';
import { startTestChain } from '../../src/base/chain/test/anvil.ts';
import { authorizationOf, newAuthorizer, signAuthorization } from '../../src/base/chain/test/authorize.ts';
import { SLOW_CHAIN_ID } from '../../src/base/core/local-chains.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { readPlatform } from '../../src/domain/operations/operators/alarms.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { decide } from '../support/card.ts';
import { until } from '../support/program.ts';
import { openPaidShop } from './paid-shop.ts';

/** The clocks of chains need not agree with the server's. */
const anHourAgo = Math.floor(Date.now() / 1_000) - 3_600;
const second = await startTestChain(['--timestamp', String(anHourAgo)], SLOW_CHAIN_ID);
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
  expect((await quoteOf(onFirst, 'USDC', SLOW_CHAIN_ID)).payTo).toBe(there.payTo);
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

test('EURC is asked for 1:1 on a receipt in euros, also of a rest, and by its status before a quote', async () => {
  await choose(on(SLOW_CHAIN_ID, 'EURC'));
  onTestFinished(async () => void (await choose(null)));
  for (const amount of [0.02, 25.5, 99.99, 1_234.56]) {
    const id = `par-${amount}`;
    const body = { id, currency: 'EUR', lineItems: [{ label: 'Tasse', amount }] };
    await server.call('POST', '/api/receipts', { headers: merchant.auth, body });
    const path = `/api/receipts/status?receiptId=${id}`;
    const status = await server.call('GET', path, { headers: merchant.auth });
    expect(status.body).toMatchObject({ currency: 'EURC', amount });
    expect((await quoteOf(id, 'EURC', SLOW_CHAIN_ID)).amount).toBe(String(Math.round(amount * 1e6)));
  }
  const part = await quoteOf('par-25.5', 'EURC', SLOW_CHAIN_ID);
  await pay(second.chain, { ...part, amount: '10000000' });
  await reaches('par-25.5', 'tx_mismatch', 'second');
  const rest = await quoteOf('par-25.5', 'EURC', SLOW_CHAIN_ID);
  expect(rest.amount).toBe('15500000');
  await pay(second.chain, rest);
  await reaches('par-25.5', 'completed', 'second');
});

test('EURC pays a receipt in euros 1:1', async () => {
  const item = { sku: 'TASSE', name: 'Tasse', price: 10, currency: 'EUR', stockQty: -1, taxable: false };
  await server.call('POST', '/api/inventory', { headers: merchant.auth, body: item });
  const body = { items: [{ sku: 'TASSE', qty: 1 }] };
  const { body: ordered } = await server.call('POST', '/api/orders', { headers: merchant.auth, body });
  const { receiptId, pricing } = ordered.receipt;
  const euros = pricing.originalTotal * 1e6;
  const { amount, ...quote } = await quoteOf(receiptId, 'EURC', SLOW_CHAIN_ID);
  expect(Number(amount)).toBe(euros);
  await pay(second.chain, { amount, ...quote });
  await reaches(receiptId, 'completed', 'second');
  expect((await read(receiptId)).paid.token).toBe('EURC');
});

test('a payment on another chain than the quoted one finds its receipt', async () => {
  const id = await order();
  await pay(second.chain, await quoteOf(id));
  await reaches(id, 'completed', 'second');
  expect(await read(id)).toMatchObject({ chainId: SLOW_CHAIN_ID, paid: { token: 'USDC' } });
});

const choose = (paymentTokens: unknown) =>
  server.call('POST', '/api/shop/config', { headers: session, body: { paymentTokens } });
const on = (chainId: number, ...tokens: string[]) => tokens.map((token) => ({ chainId, token }));

/** Waits until a transfer is listed as unmatched, and returns it. */
async function unmatched(on: keyof typeof chains, hash: string) {
  const LIST = `query { unmatchedTransfers { nodes {
    chainId transactionHash reason candidates { receiptId } } } }`;
  let found:
    | {
        readonly transactionHash: string;
        readonly reason: string;
        readonly candidates: { readonly receiptId: string }[];
      }
    | undefined;
  await until(async () => {
    await chains[on].control.mine({ blocks: 1 });
    const { nodes } = (await ask(server, session, LIST)).body.data.unmatchedTransfers;
    found = nodes.find((node: { transactionHash: string }) => node.transactionHash === hash);
    return found !== undefined;
  });
  return found!;
}

test('a merchant chooses what buyers may pay in, and their list follows its order', async () => {
  const { body } = await choose([...on(SLOW_CHAIN_ID, 'usdc'), ...on(31_337, 'ETH', 'USDC')]);
  expect(body.config.paymentTokens).toEqual([...on(SLOW_CHAIN_ID, 'USDC'), ...on(31_337, 'ETH', 'USDC')]);
  const id = await order();
  const page = String((await server.call('GET', `/portal/${id}?recipient=${merchant.wallet}`, {})).body);
  expect([...page.matchAll(/name="token" value="([^"]+)"/g)].map(([, token]) => token)).toEqual([
    ...[`USDC@${SLOW_CHAIN_ID}`, 'ETH', 'USDC'],
  ]);
  expect(page).toMatch(/<small>the second local test chain · (?:under 1¢|\$\d+\.\d\d)<\/small>/);
  const OPTIONS = 'query { shopConfig { paymentOptions { chainId token network chosen networkFeeUsd } } }';
  const { paymentOptions } = (await ask(server, session, OPTIONS)).body.data.shopConfig;
  expect(paymentOptions.slice(0, 4).map(({ token, chosen }: never) => [token, chosen])).toEqual([
    ...[
      ['USDC', true],
      ['ETH', true],
      ['USDC', true],
      ['USDT', false],
    ],
  ]);
  expect(Number(paymentOptions[0].networkFeeUsd)).toBeGreaterThan(0);
  const { body: refused } = await ask(server, session, QUOTE, { id, token: 'USDT' });
  expect(refused.errors[0]).toMatchObject({
    message: 'This shop does not take USDT on the local test chain.',
    extensions: { code: 'invalid_input', field: 'token' },
  });
});

test.each([
  [[], 'paymentTokens'],
  [on(5, 'USDC'), 'paymentTokens[0]'],
  [[...on(31_337, 'USDC'), ...on(31_337, 'EURC')], 'paymentTokens[1]'],
  [on(31_337, 'USDC', 'usdc'), 'paymentTokens'],
  ['USDC', 'paymentTokens'],
])('the choice %j is refused', async (choice, field) => {
  const { status, body } = await choose(choice);
  expect([status, body.error, body.field]).toEqual([400, 'invalid_input', field]);
});

test('money on a chain or in a token that was not chosen is listed with its reason, and settled there once accepted', async () => {
  await choose(on(31_337, 'USDC'));
  const id = await order();
  const quote = await quoteOf(id);
  const there = await unmatched('second', await pay(second.chain, quote));
  const hash = await pay(chain.chain, { ...quote, token: 'USDT' });
  expect([there.reason, there.candidates[0]?.receiptId]).toEqual(['other_network', id]);
  const here = await unmatched('first', hash);
  expect([here.reason, here.candidates[0]?.receiptId]).toEqual(['other_token', id]);
  expect((await read(id)).status).toBe('pending');
  const assign =
    'mutation ($id: ID!, $hash: Hex!) { assignTransfer(receiptId: $id, transactionHash: $hash) { status } }';
  const { body } = await ask(server, session, assign, { id, hash: there.transactionHash });
  expect(body.data.assignTransfer).toEqual({ status: 'tx_mined' });
  await reaches(id, 'completed', 'second');
  expect((await read(id)).settlement[0]).toMatchObject({ chainId: SLOW_CHAIN_ID });
  expect(await second.chain.client.getCode({ address: toAddress(quote.payTo) })).toBeDefined();
  await choose(null);
});

test('every way to pay works on the second chain', async () => {
  await choose([...on(SLOW_CHAIN_ID, 'USDC'), ...on(31_337, 'USDC')]);
  const [gasless, program, card, wallet] = [await order(), await order(), await order(), await order()];
  const run = async (query: string, variables: Record<string, unknown>) => {
    const { body } = await ask(server, session, query, variables);
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  const payer = newAuthorizer();
  await mintTestTokens(second.chain, 'USDC', payer.wallet, 1_000_000_000n);

  await quoteOf(gasless, 'USDC', SLOW_CHAIN_ID);
  const place = { id: gasless, chainId: SLOW_CHAIN_ID };
  const DRAFT = `mutation ($id: ID!, $chainId: SafeInt, $from: Wallet!) {
    draftAuthorization(receiptId: $id, token: "USDC", chainId: $chainId, from: $from) {
      from to value validAfter validBefore nonce typedData } }`;
  const { typedData, ...draft } = (await run(DRAFT, { ...place, from: payer.wallet })).draftAuthorization;
  expect(typedData.domain.chainId).toBe(SLOW_CHAIN_ID);
  const authorization = { ...draft, signature: await payer.account.signTypedData(typedData) };
  const PAY = `mutation ($id: ID!, $chainId: SafeInt, $authorization: TransferAuthorizationInput!) {
    payByAuthorization(receiptId: $id, token: "USDC", chainId: $chainId, authorization: $authorization) { state } }`;
  expect(await run(PAY, { ...place, authorization })).toEqual({ payByAuthorization: { state: 'sent' } });

  const { receipt } = await run('query ($id: ID!) { receipt(receiptId: $id) { x402Url } }', { id: program });
  const asked = await (await fetch(receipt.x402Url)).json();
  expect(asked.accepts.map(({ network }: { network: string }) => network)).toEqual(['eip155:31338', 'eip155:31337']);
  const [accepted] = asked.accepts;
  const transfer = authorizationOf(payer.wallet, { to: accepted.payTo, value: BigInt(accepted.amount) });
  const texts = Object.fromEntries(Object.entries(transfer).map(([name, value]) => [name, String(value)]));
  const signature = await signAuthorization(second.chain, payer.account, transfer);
  const payment = { x402Version: 2, accepted, payload: { signature, authorization: texts } };
  const header = Buffer.from(JSON.stringify(payment)).toString('base64');
  const settled = await fetch(receipt.x402Url, { headers: { 'payment-signature': header } });
  expect(settled.status).toBe(200);
  const answer = JSON.parse(Buffer.from(settled.headers.get('payment-response')!, 'base64').toString());
  expect(answer).toMatchObject({ success: true, network: 'eip155:31338', payer: payer.wallet });

  const CARD = 'mutation ($id: ID!) { startCardCheckout(receiptId: $id) { url } }';
  const { url } = (await run(CARD, { id: card })).startCardCheckout;
  expect((await decide(url, 'pay')).status).toBeLessThan(400);

  const TEST = `mutation ($id: ID!, $chainId: SafeInt) {
    payWithTestWallet(receiptId: $id, token: "USDC", chainId: $chainId) { transactionHash } }`;
  await run(TEST, { id: wallet, chainId: SLOW_CHAIN_ID });
  for (const id of [gasless, program, card, wallet]) {
    await reaches(id, 'completed', 'second');
    expect(await read(id)).toMatchObject({ chainId: SLOW_CHAIN_ID, paid: { token: 'USDC' } });
  }
  await choose(null);
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

test('a wallet of the server that is low on one chain alone is an alarm that names the chain', async () => {
  const low = async () =>
    (await readPlatform(server.deps)).alarms.flatMap(({ code, message }) => (code === 'wallet_low' ? [message] : []));
  expect(await low()).toEqual([]);
  const address = privateKeyToAddress(server.deps.settings.settlementPrivateKey!);
  const value = await second.chain.client.getBalance({ address });
  await second.control.setBalance({ address, value: 0n });
  onTestFinished(() => second.control.setBalance({ address, value }));
  expect(await low()).toEqual([
    `the settlement wallet ${toWallet(address)} has 0 native coins left on chain ${SLOW_CHAIN_ID}`,
  ]);
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
