import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listEmptyChoices, warnOfEmptyChoices } from '../../src/domain/shop/merchants/empty-choices.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { refusal, stock } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);
});
afterAll(() => server.stop());

async function newOrder(): Promise<string> {
  const body = { items: [{ sku: 'TEA', qty: 1 }] };
  return (await server.call('POST', '/api/orders', { headers: merchant.auth, body })).body.receipt.receiptId;
}
const statusOf = (receiptId: string, headers: Record<string, string> = merchant.auth) =>
  server.call('GET', `/api/receipts/status?receiptId=${encodeURIComponent(receiptId)}`, { headers });
const report = (body: unknown, headers: Record<string, string> = merchant.auth) =>
  server.call('POST', '/api/receipts/status', { headers, body });

describe('GET /api/receipts/status', () => {
  // Contract: receipts.status, receipts.status-hash, receipts.status-amount, service.followed-by-polling
  test('answers id, status, transactionHash, currency and amount; failure fields only when failed', async () => {
    const receiptId = await newOrder();
    const { status, body } = await statusOf(receiptId);
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      id: receiptId,
      status: 'generated',
      transactionHash: null,
      currency: 'USDC',
      amount: 10.05,
    });
  });

  test('before a quote names what the default token would take: a coin at its price, else the dollars', async () => {
    const coinsOnly = { TOKENS: '{"ETH":{"address":null,"decimals":18}}' };
    const ask = async (env: Record<string, string>) => {
      const shop = await startTestServer({ env: { ...coinsOnly, ...env } });
      onTestFinished(() => shop.stop());
      const { auth: headers } = await shop.merchant();
      const body = { id: 'one', lineItems: [{ label: 'Tea', priceUsd: 10 }], totalUsd: 10 };
      await shop.call('POST', '/api/receipts', { headers, body });
      const { currency, amount } = (await shop.call('GET', '/api/receipts/status?receiptId=one', { headers })).body;
      return { currency, amount };
    };
    // 10 / 3000, rounded up as a quote is.
    expect(await ask({ FX_RATES: 'ETH=3000' })).toEqual({ currency: 'ETH', amount: 0.003334 });
    expect(await ask({ FX_RATES: 'EUR=1.1' })).toEqual({ currency: 'USD', amount: 10 });
  });

  test('before a quote names the token that the merchant prefers; dollars, with a warning, if it chose none that is left', async () => {
    const shop = await server.merchant();
    const session = await server.signIn(shop.account);
    const { chainId } = server.deps.chain;
    const choose = async (...tokens: string[]) => {
      const body = { paymentTokens: tokens.map((token) => ({ chainId, token })) };
      expect((await server.call('POST', '/api/shop/config', { headers: session, body })).status).toBe(200);
    };
    const id = `preferred-${shop.wallet}`;
    const body = { id, lineItems: [{ label: 'Tea', priceUsd: 10 }], totalUsd: 10 };
    await server.call('POST', '/api/receipts', { headers: shop.auth, body });
    await choose('USDT', 'USDC');
    expect((await statusOf(id, shop.auth)).body).toMatchObject({ currency: 'USDT', amount: 10 });
    await choose('USDT');

    const { databaseUrl } = server.deps.settings;
    const coinsOnly = { TOKENS: '{"ETH":{"address":null,"decimals":18}}', FX_RATES: 'ETH=3000' };
    const left = await startTestServer({ databaseUrl, env: coinsOnly });
    onTestFinished(() => left.stop());
    const path = `/api/receipts/status?receiptId=${id}`;
    expect((await left.call('GET', path, { headers: shop.auth })).body).toMatchObject({ currency: 'USD', amount: 10 });
    const { warnings } = (await left.call('GET', '/healthz')).body;
    expect(warnings).toContainEqual(expect.stringMatching(/ chosen only tokens that this server does not accept$/));
    const warned = new Promise((resolve) => {
      const log = Object.assign(Object.create(left.deps.log), { warn: resolve });
      warnOfEmptyChoices({ ...left.deps, log });
    });
    expect(await warned).toMatchObject({
      alert: 'shop_takes_nothing',
      wallets: expect.arrayContaining([shop.wallet]),
    });
    expect(await listEmptyChoices(server.deps)).toEqual([]);
  });

  // Contract: receipts.status-failed, failures.reported
  test('a failed receipt is 200 with code, category, reason and action', async () => {
    const receiptId = await newOrder();
    await server.deps.db.orm.em
      .fork()
      .getConnection()
      .execute(
        `update receipts set status = 'failed', failure_code = 'PORTAL_CHAIN_TX_REVERTED' where id = '${receiptId}'`,
      );
    const { status, body } = await statusOf(receiptId);
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      id: receiptId,
      status: 'failed',
      transactionHash: null,
      currency: 'USDC',
      amount: 10.05,
      failureCode: 'PORTAL_CHAIN_TX_REVERTED',
      failureCategory: 'blockchain',
      failureReason: expect.stringMatching(/./),
      failureAction: expect.stringMatching(/./),
    });
  });

  // Contract: states.record, states.endpoint
  test('each payment status has its names in the status endpoint and in the record', async () => {
    const receiptId = await newOrder();
    const words = {
      pending: ['pending', 'pending'],
      tx_mined: ['tx_mined', 'pending'],
      tx_mismatch: ['tx_mismatch', 'pending'],
      paid: ['recipient_validated', 'paid'],
      completed: ['completed', 'completed'],
      refunded: ['refunded', 'refunded'],
      failed: ['failed', 'failed'],
    };
    for (const [status, expected] of Object.entries(words)) {
      await server.deps.db.orm.em
        .fork()
        .getConnection()
        .execute(`update receipts set status = '${status}' where id = '${receiptId}'`);
      const record = await server.call('GET', `/api/receipts/${receiptId}`, { headers: merchant.auth });
      expect([(await statusOf(receiptId)).body.status, record.body.status]).toEqual(expected);
    }
  });

  // Contract: receipts.status-required, receipts.status-unknown
  test('refuses a missing receiptId with 400, and an unknown or foreign one with 404', async () => {
    const missing = await server.call('GET', '/api/receipts/status', { headers: merchant.auth });
    expect(missing.status).toBe(400);
    expect(missing.body).toStrictEqual(refusal('invalid_input', { field: 'receiptId' }));
    const twice = await server.call('GET', '/api/receipts/status?receiptId=a&receiptId=b', { headers: merchant.auth });
    expect([twice.status, twice.body.message]).toEqual([400, 'receiptId must be given once']);
    const other = await server.merchant();
    for (const answer of [await statusOf('R-nothing'), await statusOf(await newOrder(), other.auth)]) {
      expect(answer.status).toBe(404);
      expect(answer.body).toStrictEqual({ error: 'not_found', message: 'Receipt not found' });
    }
  });
});

describe('POST /api/receipts/status', () => {
  // Contract: receipts.report-open, receipts.report-correlation, states.tracking, states.generated-pending
  test.each(['link_opened', 'buyer_logged_in', 'checkout_initialized'])('a key may report %s', async (status) => {
    const receiptId = await newOrder();
    const answer = await report({ receiptId, wallet: merchant.wallet, status });
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({ ok: true });
    expect(answer.headers.get('x-correlation-id')).toMatch(/./);
    expect((await statusOf(receiptId)).body.status).toBe(status === 'checkout_initialized' ? 'pending' : 'generated');
  });

  test('takes the wallet in any letter case', async () => {
    const wallet = `0x${merchant.wallet.slice(2).toUpperCase()}`;
    expect((await report({ receiptId: await newOrder(), wallet, status: 'link_opened' })).status).toBe(200);
  });

  // Contract: receipts.report-sensitive, states.sensitive
  test.each(['checkout_success', 'refund_requested', 'refund_anything'])(
    '%s needs JWT and CSRF: a key is 403',
    async (status) => {
      const receiptId = await newOrder();
      const answer = await report({ receiptId, wallet: merchant.wallet, status });
      expect(answer.status).toBe(403);
      expect(answer.body).toStrictEqual(refusal('forbidden', { reason: 'session_required' }));
      const session = await server.signIn(merchant.account);
      const { cookie } = session;
      const unproven = await report({ receiptId, wallet: merchant.wallet, status }, { cookie: cookie as string });
      expect([unproven.status, unproven.body.error]).toEqual([403, 'forbidden']);
      expect((await report({ receiptId, wallet: merchant.wallet, status }, session)).status).toBe(200);
    },
  );

  // Contract: receipts.report-codes, errors.form-codes, conventions.wallets
  test('refuses, in this order: missing_receipt_id, invalid_wallet, missing_status', async () => {
    const receiptId = await newOrder();
    const cases: [unknown, string][] = [
      [{}, 'missing_receipt_id'],
      [{ wallet: 'x', status: 'link_opened' }, 'missing_receipt_id'],
      [{ receiptId: 7, wallet: merchant.wallet, status: 'link_opened' }, 'missing_receipt_id'],
      [{ receiptId, wallet: '0x12', status: 'link_opened' }, 'invalid_wallet'],
      [{ receiptId, wallet: '', status: 'link_opened' }, 'invalid_wallet'],
      [{ receiptId, wallet: 5 }, 'invalid_wallet'],
      [{ receiptId, wallet: merchant.wallet }, 'missing_status'],
      [{ receiptId, wallet: merchant.wallet, status: '' }, 'missing_status'],
      [{ receiptId, wallet: merchant.wallet, status: 7 }, 'missing_status'],
      [{ receiptId, wallet: merchant.wallet, status: 'paid' }, 'invalid_input'],
      [{ receiptId, wallet: merchant.wallet, status: 'completed' }, 'invalid_input'],
    ];
    for (const [body, error] of cases) {
      const answer = await report(body);
      expect([answer.status, answer.body.error], JSON.stringify(body)).toEqual([400, error]);
    }
    expect((await statusOf(receiptId)).body.status).toBe('generated');
  });

  test('refuses a foreign wallet with 403 and a foreign or unknown receipt with 404', async () => {
    const other = await server.merchant();
    const receiptId = await newOrder();
    const foreign = await report({ receiptId, wallet: other.wallet, status: 'link_opened' });
    expect([foreign.status, foreign.body.error]).toEqual([403, 'forbidden']);
    const theirs = await report({ receiptId, wallet: other.wallet, status: 'link_opened' }, other.auth);
    expect([theirs.status, theirs.body.error]).toEqual([404, 'not_found']);
    const unknown = await report({ receiptId: 'R-nothing', wallet: merchant.wallet, status: 'link_opened' });
    expect([unknown.status, unknown.body.error]).toEqual([404, 'not_found']);
  });
});
