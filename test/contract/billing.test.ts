import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { startTestChain, type TestChain } from '../../src/base/chain/test/anvil.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const CONFIRMATIONS = 12;

let chain: TestChain;
let server: TestServer;

beforeAll(async () => {
  chain = await startTestChain();
  server = await startTestServer({
    worker: true,
    env: { RPC_URL: chain.rpcUrl, CONFIRMATIONS: String(CONFIRMATIONS) },
  });
});
afterAll(async () => {
  await server?.stop();
  await chain?.stop();
});

const balance = (headers: Record<string, string>) => server.call('GET', '/api/billing/balance', { headers });
const graphql = (query: string, headers: Record<string, string>, variables: unknown = {}) =>
  server.call('POST', '/api/graphql', { headers, body: { query, variables } });
const READ = '{ billing { balances { currency available reserved } usage { monthUsd orders feesUsd } } }';
const PAY =
  'mutation ($id: ID!, $token: String!) { payWithTestWallet(receiptId: $id, token: $token) { transactionHash } }';

describe('GET /api/billing/balance', () => {
  // Contract: merchant.billing
  test('a new merchant has a zero balance of every token and no usage', async () => {
    const { auth, account } = await server.merchant();
    const { status, body } = await balance(auth);
    expect(status).toBe(200);
    const none = ['USDC', 'USDT', 'ETH'].map((currency) => ({ currency, available: 0, reserved: 0 }));
    const usage = { monthUsd: 0, orders: 0, feesUsd: 0 };
    expect(body).toEqual({ balances: none, usage: { ...usage, lastUpdatedAt: expect.any(Number) } });
    expect((await graphql(READ, auth)).body).toEqual({ data: { billing: { balances: none, usage } } });
    expect((await balance(await server.signIn(account))).body.balances).toEqual(none);
  });

  test('the wallet’s balance and the merchant’s part of its split are available, to the base unit', async () => {
    const { auth, wallet, split } = await server.merchant();
    await mintTestTokens(chain.chain, 'USDC', wallet, 1_500_000n);
    await mintTestTokens(chain.chain, 'USDC', split!, 110_050_001n);
    await mintTestTokens(chain.chain, 'USDT', split!, 1n);
    await chain.control.setBalance({ address: wallet as `0x${string}`, value: 2_500_000_000_000_000_000n });
    const { body } = await balance(auth);
    // 99.5 % of 110.050001 is 109.499750995, rounded down to the base unit.
    expect(body.balances).toEqual([
      { currency: 'USDC', available: 110.99975, reserved: 0 },
      { currency: 'USDT', available: 0, reserved: 0 },
      { currency: 'ETH', available: 2.5, reserved: 0 },
    ]);
  });

  // Contract: merchant.billing
  test('a payment is reserved until it is confirmed, then available, before and after its release', async () => {
    const { auth, account } = await server.merchant();
    const session = await server.signIn(account);
    const till = await server.call('POST', '/api/receipts/terminal', { headers: session, body: { amountUsd: 100 } });
    const { receiptId, totalUsd } = till.body.receipt;
    expect(totalUsd).toBe(100.5);
    const paid = await graphql(PAY, session, { id: receiptId, token: 'USDC' });
    expect(paid.body.errors).toBeUndefined();

    const usdc = async () => (await balance(auth)).body.balances[0];
    await expect.poll(usdc).toMatchObject({ available: 0, reserved: expect.any(Number) });
    await expect.poll(async () => (await usdc()).reserved).toBeGreaterThan(0);
    const { reserved, available } = await usdc();
    // The tag of the quote is below one cent; 99.5 % of 100.50 is 99.9975.
    expect(reserved).toBeGreaterThanOrEqual(99.9975);
    expect(reserved).toBeLessThan(100.0075);
    expect(available).toBe(0);
    expect((await balance(auth)).body.usage).toMatchObject({ monthUsd: 0, orders: 1, feesUsd: 0 });

    await chain.control.mine({ blocks: CONFIRMATIONS + 1 });
    await expect.poll(usdc).toEqual({ currency: 'USDC', available: reserved, reserved: 0 });
    expect((await balance(auth)).body.usage).toMatchObject({ monthUsd: 100.5, orders: 1, feesUsd: 0.5 });
    await expect
      .poll(
        async () => {
          await chain.control.mine({ blocks: 1 });
          const { body } = await server.call('GET', `/api/receipts/status?receiptId=${receiptId}`, { headers: auth });
          return body.status;
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe('completed');
    expect(await usdc()).toEqual({ currency: 'USDC', available: reserved, reserved: 0 });

    const advice = await server.call('GET', '/api/reserve/recommend', { headers: auth });
    expect(advice.body.recommendations[0].basis).toEqual({ refunded: 0, paidOut: reserved });
  });

  test('a merchant sees only its own', async () => {
    const { auth, wallet } = await server.merchant();
    const other = await server.merchant();
    await mintTestTokens(chain.chain, 'USDC', wallet, 5_000_000n);
    expect((await balance(auth)).body.balances[0].available).toBe(5);
    expect((await balance(other.auth)).body.balances[0].available).toBe(0);
  });

  test('the usage of a month that is over can be read, by those who may read the balance', async () => {
    const { auth } = await server.merchant();
    const usage = (month: string, headers: Record<string, string> = auth) =>
      graphql('query ($month: String!) { billingUsage(month: $month) { monthUsd orders feesUsd } }', headers, {
        month,
      });
    await server.call('POST', '/api/receipts', {
      headers: auth,
      body: { id: 'free', lineItems: [{ label: 'Tea', priceUsd: 2 }] },
    });
    const now = new Date(server.deps.clock()).toISOString().slice(0, 7);
    expect((await usage(now)).body.data.billingUsage).toEqual({ monthUsd: 0, orders: 1, feesUsd: 0 });
    expect((await usage('2026-01')).body.data.billingUsage).toEqual({ monthUsd: 0, orders: 0, feesUsd: 0 });
    for (const month of ['2026-13', '2026-1', 'now', '1969-12']) {
      const [error] = (await usage(month)).body.errors;
      expect([month, error.extensions.code, error.extensions.field]).toEqual([month, 'invalid_input', 'month']);
    }
    const reader = await server.merchant({ scopes: ['receipts:read', 'graphql:read'] });
    expect((await usage(now, reader.auth)).body.errors[0].extensions.code).toBe('forbidden');
    expect((await usage(now, {})).body.errors[0].extensions.code).toBe('unauthorized');
  });

  test('it needs shop:read', async () => {
    const { auth } = await server.merchant({ scopes: ['receipts:read', 'graphql:read'] });
    expect(await balance(auth)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    expect((await graphql(READ, auth)).body.errors[0].extensions.code).toBe('forbidden');
    expect(await balance({})).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
  });
});
