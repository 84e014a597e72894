import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { refusal } from './catalog.ts';

const EDGE_SECRET = 'edge-secret-edge-secret-edge-secret-0';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer({ env: { EDGE_SECRET, WEBHOOK_ALLOW_INSECURE: '0' } });
  merchant = await server.merchant();
});
afterAll(() => server.stop());

const edge = { 'x-edge-secret': EDGE_SECRET };

describe('EDGE_SECRET', () => {
  // Contract: routes.origin, auth.edge-secret
  test.each(['/api/receipts', '/api/site/config', '/portal/x', '/nothing', '/api/graphql?query={me{wallet}}'])(
    'without the header %s is 403 origin enforcement failed',
    async (path) => {
      for (const secret of [undefined, 'wrong', `${EDGE_SECRET} `.trim().slice(1)]) {
        const headers = { ...merchant.auth, ...(secret === undefined ? {} : { 'x-edge-secret': secret }) };
        const answer = await server.call('GET', path, { headers });
        expect(answer.status).toBe(403);
        expect(answer.body).toStrictEqual({ error: 'forbidden', message: 'origin enforcement failed' });
      }
    },
  );

  test('is checked before key, path, method and body', async () => {
    for (const [method, path, raw] of [
      ['POST', '/api/orders', '{'],
      ['PUT', '/api/orders', undefined],
      ['GET', '/nothing', undefined],
    ] as const) {
      const answer = await server.call(method, path, { raw });
      expect([answer.status, answer.body.message]).toEqual([403, 'origin enforcement failed']);
    }
  });

  // Contract: auth.edge-secret, routes.health
  test('leaves /healthz open, and requests with the header work as usual', async () => {
    expect((await server.call('GET', '/healthz')).status).toBe(200);
    expect((await server.call('GET', '/api/receipts', { headers: { ...merchant.auth, ...edge } })).status).toBe(200);
    expect((await server.call('GET', '/api/receipts', { headers: edge })).status).toBe(401);
  });
});

describe('identity headers', () => {
  // Contract: auth.stripped-headers, auth.wallet-from-key, auth.stamped-id
  test.each([
    'wallet',
    'x-wallet',
    'x-wallet-address',
    'x-merchant-wallet',
    'x-subscription-id',
    'x-user-id',
    'x-user-roles',
  ])('%s without any proof is 403 forbidden; with a key it changes nothing', async (name) => {
    const claim = { ...edge, [name]: merchant.wallet };
    const bare = await server.call('GET', '/api/receipts', { headers: claim });
    expect(bare.status).toBe(403);
    expect(bare.body).toStrictEqual(refusal('forbidden'));
    const keyed = await server.call('GET', '/api/status/ping', { headers: { ...claim, ...merchant.auth } });
    expect([keyed.status, keyed.body.merchant]).toEqual([200, merchant.wallet]);
  });
});

describe('WEBHOOK_ALLOW_INSECURE=0', () => {
  const addresses = [
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://10.0.0.1/',
    'https://192.168.1.1/x',
    'https://172.16.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fd00::1]/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://0/',
    'https://metadata.google.internal/',
    'https://user:secret@hooks.example.com/',
    'ftp://hooks.example.com/',
    'hooks.example.com',
  ];
  // Contract: webhooks.https, webhooks.no-localhost
  test.each(addresses)(
    'a webhook to %s is 400 invalid_input at creation, and nothing is written',
    async (webhook_url) => {
      const headers = { ...merchant.auth, ...edge };
      const receipt = await server.call('POST', '/api/receipts', {
        headers,
        body: { id: 'hook', lineItems: [{ label: 'x', priceUsd: 1 }], webhook_url },
      });
      expect(receipt.status).toBe(400);
      expect(receipt.body).toStrictEqual(refusal('invalid_input', { field: 'webhook_url' }));
      expect(receipt.body.message).not.toContain('secret');
      const order = await server.call('POST', '/api/orders', {
        headers,
        body: { items: [{ sku: 'x', qty: 1 }], webhookUrl: webhook_url },
      });
      expect([order.status, order.body.field]).toEqual([400, 'webhookUrl']);
      expect((await server.call('GET', '/api/receipts', { headers })).body.receipts).toEqual([]);
    },
  );

  // Contract: receipts.redirect-url, orders.option-redirect
  test('redirects must be https', async () => {
    const headers = { ...merchant.auth, ...edge };
    const answer = await server.call('POST', '/api/receipts', {
      headers,
      body: { id: 'r', lineItems: [{ label: 'x', priceUsd: 1 }], redirect_url: 'http://shop.example/' },
    });
    expect(answer.body).toStrictEqual(refusal('invalid_input', { field: 'redirect_url' }));
  });

  test('a public https address is accepted', async () => {
    const headers = { ...merchant.auth, ...edge };
    const answer = await server.call('POST', '/api/receipts', {
      headers,
      body: { id: 'public', lineItems: [{ label: 'x', priceUsd: 1 }], webhookUrl: 'https://hooks.example.com/q' },
    });
    expect(answer.status).toBe(201);
  });
});

describe('the caller’s address', () => {
  const others = async (headers: Record<string, string>, to = server) => {
    const answer = await to.call('GET', '/api/site/config', { headers });
    return Number(answer.headers.get('x-ratelimit-remaining'));
  };
  const limits = { RATE_LIMITS: JSON.stringify({ others: 50 }) };

  test('comes from X-Forwarded-For behind the edge: each caller has its own window and cannot claim another address', async () => {
    const behind = await startTestServer({ env: { EDGE_SECRET, ...limits } });
    const from = (forwarded: string) => others({ ...edge, 'x-forwarded-for': forwarded }, behind);
    expect(await from('192.0.2.1')).toBe(49);
    expect(await from('192.0.2.2')).toBe(49);
    // What the caller sent stands before what the edge saw.
    expect(await from('203.0.113.1, 192.0.2.1')).toBe(48);
    expect(await from('203.0.113.2, 192.0.2.1')).toBe(47);
    expect(await others({ ...edge, forwarded: 'for=203.0.113.3', 'x-real-ip': '203.0.113.3' }, behind)).toBe(49);
    expect(await others({ ...edge, 'x-forwarded-for': 'no-address' }, behind)).toBe(48);
    const preflight = await behind.call('GET', '/healthz', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    expect(preflight.status).toBe(200);
    await behind.stop();
  });

  test('is the connection’s own without the edge secret, whatever the headers say', async () => {
    const open = await startTestServer({ env: limits });
    for (const [name, left] of [
      ['x-forwarded-for', 49],
      ['x-real-ip', 48],
      ['forwarded', 47],
      ['cf-connecting-ip', 46],
      ['true-client-ip', 45],
    ] as const)
      expect(await others({ [name]: '192.0.2.1', ...edge }, open)).toBe(left);
    await open.stop();
  });
});
