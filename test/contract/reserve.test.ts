import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintTestTokens } from '../../src/base/chain/local.ts';
import { busyMs } from '../support/busy.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement, statement } from '../support/statement.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const DAY = 24 * 3_600_000;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock: () => NOW });
});
afterAll(() => server?.stop());

const get = (path: string, headers: Record<string, string>) => server.call('GET', `/api/reserve/${path}`, { headers });
const graphql = (query: string, headers: Record<string, string>) =>
  server.call('POST', '/api/graphql', { headers, body: { query } });
const BALANCES = '{ reserve { balances { currency reserved target } updatedAt } }';
const ADVICE =
  '{ reserveAdvice { recommendations { currency target basis { refunded paidOut } } windowDays updatedAt } }';

let count = 0;

/** A receipt as a payment leaves it. */
async function paidReceipt(merchant: TestMerchant, token: string, amount: string) {
  const id = `T-${++count}`;
  await runStatement(
    server.deps.db,
    statement(
      'test-paid-receipt',
      `insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items, brand_name, paid_token, paid_amount,
                             created_at, updated_at)
       values ($1, $2, 'order', 'completed', 'paid', 100, 'USD', '[]', 'x', $3, $4, $5, $5)`,
    ),
    [merchant.wallet, id, token, amount, NOW],
  );
  return id;
}

/** What a proven refund leaves: the transfer that the chain has shown. */
const refund = async (merchant: TestMerchant, token: string, amount: string, at: number) =>
  runStatement(
    server.deps.db,
    statement(
      'test-refund',
      `insert into refund_transfers (merchant, receipt_id, chain_id, transaction_hash, log_index, token, sender, buyer, amount, created_at)
       values ($1, $2, 31337, $2, 0, $3, $1, 'buyer', $4, $5)`,
    ),
    [merchant.wallet, await paidReceipt(merchant, token, amount), token, amount, at],
  );

const payOut = async (merchant: TestMerchant, token: string, owed: string, at: number, payee = merchant.wallet) =>
  runStatement(
    server.deps.db,
    statement(
      'test-payout',
      `insert into settlement_shares (merchant, receipt_id, split, token, payee, chain_id, shares_bps, owed, released_at_least, settled_at)
       values ($1, $2, $3, $4, $5, 31337, 9950, $6, $6, $7)`,
    ),
    [merchant.wallet, await paidReceipt(merchant, token, owed), merchant.split, token, payee, owed, at],
  );

describe('GET /api/reserve/recommend', () => {
  test('without history the recommended reserve is zero', async () => {
    const { auth } = await server.merchant();
    const none = { target: 0, basis: { refunded: 0, paidOut: 0 } };
    const recommendations = ['USDC', 'USDT', 'ETH'].map((currency) => ({ currency, ...none }));
    const expected = { recommendations, windowDays: 30, updatedAt: NOW };
    expect(await get('recommend', auth)).toMatchObject({ status: 200, body: expected });
    expect((await graphql(ADVICE, auth)).body).toEqual({ data: { reserveAdvice: expected } });
  });

  // Contract: merchant.reserve-recommend
  test('the target is the refunds of the last 30 days and 5 % of what was paid out, by token, rounded up', async () => {
    const merchant = await server.merchant();
    await refund(merchant, 'USDC', '20000000', NOW - DAY);
    await refund(merchant, 'USDC', '7000000', NOW - 31 * DAY);
    await refund(merchant, 'ETH', '500000000000000000', NOW - 30 * DAY);
    await payOut(merchant, 'USDC', '100000001', NOW - 2 * DAY);
    await payOut(merchant, 'USDC', '900000000', NOW - 31 * DAY);
    await payOut(merchant, 'USDC', '800000000', NOW, (await server.merchant()).wallet);
    const { body } = await get('recommend', merchant.auth);
    expect(body.recommendations).toEqual([
      { currency: 'USDC', target: 25.000001, basis: { refunded: 20, paidOut: 100.000001 } },
      { currency: 'USDT', target: 0, basis: { refunded: 0, paidOut: 0 } },
      { currency: 'ETH', target: 0.5, basis: { refunded: 0.5, paidOut: 0 } },
    ]);
    const other = await server.merchant();
    expect((await get('recommend', other.auth)).body.recommendations[0].target).toBe(0);
  });
});

describe('GET /api/reserve/balances', () => {
  // Contract: merchant.reserve-balances
  test('shows what the merchant has of each token beside the target', async () => {
    const merchant = await server.merchant();
    await mintTestTokens(server.deps.chain, 'USDC', merchant.wallet, 12_000_000n);
    await mintTestTokens(server.deps.chain, 'USDC', merchant.split!, 1_000_000n);
    await refund(merchant, 'USDC', '20000000', NOW - DAY);
    const expected = {
      balances: [
        { currency: 'USDC', reserved: 12.995, target: 20 },
        { currency: 'USDT', reserved: 0, target: 0 },
        { currency: 'ETH', reserved: 0, target: 0 },
      ],
      updatedAt: NOW,
    };
    expect(await get('balances', merchant.auth)).toMatchObject({ status: 200, body: expected });
    expect((await graphql(BALANCES, merchant.auth)).body).toEqual({ data: { reserve: expected } });
  });

  test.each(['balances', 'recommend'])('%s needs shop:read', async (path) => {
    const { auth } = await server.merchant({ scopes: ['receipts:read', 'graphql:read'] });
    expect(await get(path, auth)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    const query = path === 'balances' ? BALANCES : ADVICE;
    expect((await graphql(query, auth)).body.errors[0].extensions.code).toBe('forbidden');
    expect(await get(path, {})).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
  });
});

describe('with the chain away', () => {
  let silent: Server;
  let cut: TestServer;
  let merchant: TestMerchant;

  beforeAll(async () => {
    // A node that takes questions and never answers.
    silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((listening) => silent.once('listening', listening));
    const { port } = silent.address() as AddressInfo;
    cut = await startTestServer({ env: { RPC_URL: `http://127.0.0.1:${port}` } });
    merchant = await cut.merchant();
  });
  afterAll(async () => {
    await cut?.stop();
    silent?.closeAllConnections();
    silent?.close();
  });

  test.each(['/api/billing/balance', '/api/reserve/balances'])(
    '%s is refused with chain_unavailable within 2.5 s, never half an answer',
    async (path) => {
      const began = performance.now();
      const answer = await cut.call('GET', path, { headers: merchant.auth });
      expect(performance.now() - began).toBeLessThan(busyMs(2_500));
      expect(answer).toMatchObject({ status: 503, body: { error: 'chain_unavailable' } });
    },
  );

  test('a recommendation needs no chain', async () => {
    expect((await cut.call('GET', '/api/reserve/recommend', { headers: merchant.auth })).status).toBe(200);
  });
});
