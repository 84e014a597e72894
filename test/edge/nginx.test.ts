import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { refuse } from '../../src/base/core/errors.ts';
import { follow } from '../graphql/ask.ts';
import { callerAt } from '../support/at-host.ts';
import { EDGE_SECRET, type Origin, PARTNER, startOrigin } from '../support/edge.ts';
import type { TestMerchant } from '../support/server.ts';

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS, PUT, DELETE',
  'access-control-allow-headers': '*',
};

let origin: Origin;
let edge: Awaited<ReturnType<Origin['edge']>>;
let merchant: TestMerchant;
let asset: string;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  origin = await startOrigin({ RATE_LIMITS: '{"others":1000}' });
  edge = await origin.edge({ atEnd: (clean) => ends.push(clean) });
  merchant = await origin.server.merchant();
  await edge.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id: 'edge', lineItems: [{ label: 'x', priceUsd: 1 }] },
  });
  const page = await edge.call('GET', `/portal/edge?recipient=${merchant.wallet}`);
  asset = /\/_next\/static\/[^"]+/.exec(page.body)![0];
});
afterAll(async () => {
  for (const end of ends) await end();
  await origin.stop();
});

const cors = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

describe('the edge of docs/run/edge/', () => {
  test('serves the partner’s host over TLS, and sends plain HTTP there', async () => {
    const site = await edge.call('GET', '/api/site/config');
    expect([site.status, site.body.brandKey]).toEqual([200, 'acme']);
    const plain = await callerAt(`http://${PARTNER}`, { port: edge.port })('GET', '/portal/edge?a=b');
    expect([plain.status, plain.headers.get('location')]).toEqual([301, `https://${PARTNER}/portal/edge?a=b`]);
  });

  // Contract: edge.cors
  test('carries the CORS headers once on every answer, errors and preflights too', async () => {
    const preflight = { origin: 'https://shop.example', 'access-control-request-method': 'PUT' };
    for (const [method, path, status, headers] of [
      ['GET', asset, 200, {}],
      ['GET', '/api/site/config', 200, {}],
      ['GET', '/api/receipts', 401, {}],
      ['GET', '/nothing', 404, {}],
      ['OPTIONS', '/api/orders', 204, preflight],
    ] as const) {
      const answer = await edge.call(method, path, { headers: { origin: 'https://shop.example', ...headers } });
      expect([method, path, answer.status, cors(answer.headers)]).toEqual([method, path, status, CORS]);
    }
  });

  // Contract: edge.rest-uncached, edge.firewall
  test('keeps nothing but built files: never a page, nor /api/, nor a file that is not there', async () => {
    for (const path of [
      '/api/site/config',
      '/api/terminal/check-payment?receiptId=edge',
      `/portal/edge?recipient=${merchant.wallet}`,
      '/_next/static/nothing.js',
      '/healthz',
    ])
      for (let turn = 0; turn < 3; turn++) {
        const { headers } = await edge.call('GET', path, { headers: merchant.auth });
        expect([path, headers.get('x-edge-cache')]).not.toEqual([path, 'HIT']);
        expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
      }
  });

  test('refuses what is too large as the server does, and lets the largest through', async () => {
    const send = (bytes: number) =>
      edge.call('POST', '/api/orders', {
        headers: { ...merchant.auth, 'content-type': 'application/json' },
        raw: `{"x":"${'x'.repeat(bytes - 8)}"}`,
      });
    const large = await send(1_048_577);
    expect([large.status, large.body]).toEqual([
      413,
      { error: 'payload_too_large', message: refuse('payload_too_large').message },
    ]);
    expect(cors(large.headers)).toEqual(CORS);
    expect((await send(1_048_576)).body.error).toBe('items_required');
  });

  test('replaces x-edge-secret, and drops every header that claims an identity', async () => {
    for (const secret of ['wrong', '', EDGE_SECRET])
      expect((await edge.call('GET', '/api/site/config', { headers: { 'x-edge-secret': secret } })).status).toBe(200);
    // The server answers 403 to such a header and 401 to none.
    for (const name of [
      'wallet',
      'x-wallet',
      'x-wallet-address',
      'x-merchant-wallet',
      'x-subscription-id',
      'x-user-id',
    ])
      expect([
        name,
        (await edge.call('GET', '/api/receipts', { headers: { [name]: merchant.wallet } })).status,
      ]).toEqual([name, 401]);
    const till = await edge.call('POST', '/api/receipts/terminal', {
      headers: { 'x-wallet': merchant.wallet },
      body: {},
    });
    expect(till.status).toBe(403);
  });

  test('says itself where a caller is: its own X-Forwarded-For changes nothing', async () => {
    const left: number[] = [];
    for (const forwarded of ['192.0.2.1', '192.0.2.2, 192.0.2.3', ''])
      left.push(
        Number(
          (await edge.call('GET', '/api/site/config', { headers: { 'x-forwarded-for': forwarded } })).headers.get(
            'x-ratelimit-remaining',
          ),
        ),
      );
    expect(left).toEqual([left[0], left[0]! - 1, left[0]! - 2]);
  });

  test('forwards websockets', async () => {
    class ThroughEdge extends WebSocket {
      constructor(address: string | URL, protocols?: string | string[]) {
        const tls = { servername: PARTNER, ca: origin.ca };
        super(address, protocols, { headers: { host: PARTNER }, ...tls });
      }
    }
    const client = createClient({
      url: `wss://127.0.0.1:${edge.tlsPort}/api/graphql`,
      webSocketImpl: ThroughEdge,
      connectionParams: { 'x-api-key': merchant.key },
      retryAttempts: 0,
    });
    const stream = follow<{ receiptStatus: { seq: number } }>(
      client,
      'subscription { receiptStatus(receiptId: "edge") { seq } }',
    );
    const { seq } = (await stream.next()).receiptStatus;
    await edge.call('POST', '/api/receipts/status', {
      headers: merchant.auth,
      body: { receiptId: 'edge', wallet: merchant.wallet, status: 'link_opened' },
    });
    expect((await stream.next()).receiptStatus.seq).toBe(seq + 1);
    await stream.end();
    await client.dispose();
  });

  // Contract: routes.origin, auth.edge-secret
  test('is the only way: past it the origin refuses everything but its health', async () => {
    for (const headers of [{}, merchant.auth, { 'x-edge-secret': 'wrong' }] as Record<string, string>[]) {
      const answer = await origin.direct('GET', '/api/receipts', { headers });
      expect([answer.status, answer.body.message]).toEqual([403, 'origin enforcement failed']);
    }
    expect((await origin.direct('GET', '/healthz')).status).toBe(200);
    await expect(callerAt(`http://${PARTNER}`, { port: origin.port })('GET', '/healthz')).rejects.toThrow();
  });

  // Contract: edge.tls
  test.each([
    ['of an authority that it does not trust', () => ({ ORIGIN_CA: origin.outside.certFile })],
    ['for another name', () => ({ ORIGIN_NAME: 'another.quittance.internal' })],
  ])('takes no origin with a certificate %s: 502, in the form of every error', async (_what, variables) => {
    const wary = await origin.edge({ variables: variables() });
    for (const path of ['/api/site/config', '/', asset]) {
      const answer = await wary.call('GET', path);
      expect([path, answer.status, answer.body.error, cors(answer.headers)]).toEqual([path, 502, 'failed', CORS]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect(wary.errors()).toMatch(/upstream SSL certificate/);
  });

  // Contract: edge.static-cached
  test('asks the origin for a built file once: after that it serves it by itself, whatever the query', async () => {
    const first = await edge.call('GET', asset);
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    await origin.down();
    for (const path of [asset, `${asset}?v=2`]) {
      const again = await edge.call('GET', path);
      expect([again.status, again.headers.get('x-edge-cache'), again.body]).toEqual([200, 'HIT', first.body]);
      expect(cors(again.headers)).toEqual(CORS);
    }
    expect((await edge.call('GET', '/api/site/config')).status).toBe(502);
    expect((await edge.call('GET', '/healthz')).status).toBe(502);
  });
});
