import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/doors/rest/routes.ts';
import { callerAt } from '../support/at-host.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

const PARTNER = 'pay.acme.example';
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS, PUT, DELETE',
  'access-control-allow-headers': '*',
};
const FOREVER = 'public, max-age=31536000, immutable';

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
let page: string;
let asset: string;
beforeAll(async () => {
  server = await startTestServer({ env: { PARTNER_HOSTS: `${PARTNER}=acme,till.example:8443` } });
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
  await server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id: 'page', lineItems: [{ label: 'x', priceUsd: 1 }] },
  });
  page = `/portal/page?recipient=${merchant.wallet}`;
  asset = /\/_next\/static\/[^"]+/.exec((await server.call('GET', page)).body)![0];
});
afterAll(() => server.stop());

const cors = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
const call = (method: string, path: string, headers: Record<string, string> = {}, host = PARTNER) =>
  at(host)(method, path, { headers });
const at = (host: string) => callerAt(`http://${host}`, { port: Number(new URL(server.url).port) });

/** One of each kind of answer: pages, data, files, refusals of every way in, methods and paths that are not there. */
const everyKind = (): [string, string, Record<string, string>?][] => [
  ['GET', page],
  ['GET', '/portal/nothing'],
  ['GET', asset],
  ['HEAD', asset],
  ['GET', '/_next/static/nothing.js'],
  ['GET', '/api/site/config'],
  ['GET', '/api/receipts'],
  ['GET', '/api/receipts', merchant.auth],
  ['GET', '/api/receipts?limit=0', merchant.auth],
  ['GET', '/api/receipts/nothing', merchant.auth],
  ['GET', '/api/receipts', { 'x-wallet': merchant.wallet }],
  ['POST', '/api/split/withdraw', merchant.auth],
  ['POST', '/api/orders', { ...merchant.auth, 'content-type': 'text/plain' }],
  ['GET', '/api/orders', merchant.auth],
  ['GET', '/nothing'],
  ['GET', '/'],
  ['GET', '/%'],
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['GET', '/api/graphql?query={me{wallet}}'],
  ['POST', '/api/graphql', { 'content-type': 'application/json' }],
  ['GET', '/api/graphql?query=subscription{x}', { accept: 'text/event-stream' }],
  ['GET', '/api/graphql', { accept: 'text/html' }],
];

describe('a partner’s host', () => {
  // Contract: edge.cors
  test('allows any page to read every response, including errors, never with credentials', async () => {
    for (const [method, path, headers] of everyKind())
      for (const origin of [{}, { origin: 'https://elsewhere.example' }] as Record<string, string>[]) {
        const answer = await call(method, path, { ...headers, ...origin });
        expect([method, path, cors(answer.headers)]).toEqual([method, path, CORS]);
      }
  });

  test('is matched in any letter case, with a port, and with a trailing dot', async () => {
    for (const host of [
      PARTNER.toUpperCase(),
      `${PARTNER}:443`,
      `${PARTNER}:8080`,
      `${PARTNER}.`,
      'till.example:8443',
    ]) {
      const answer = await call('GET', '/api/site/config', { host });
      expect([host, cors(answer.headers)]).toEqual([host, CORS]);
    }
    expect((await call('GET', '/api/site/config', { host: PARTNER.toUpperCase() })).body.brandKey).toBe('acme');
  });

  test('answers a preflight for every path with 204, without a key, and does nothing else', async () => {
    for (const path of ['/api/orders', '/api/receipts/x', '/api/graphql', asset, page, '/nothing']) {
      const answer = await call('OPTIONS', path, {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,ocp-apim-subscription-key',
      });
      expect([path, answer.status, answer.body, cors(answer.headers)]).toEqual([path, 204, '', CORS]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('another site cannot write there, even with the cookie and the token', async () => {
    const theme = async () => (await server.call('GET', '/api/shop/config', { headers: merchant.auth })).body;
    const before = await theme();
    for (const origin of ['https://elsewhere.example', 'null', `https://${PARTNER}.elsewhere.example`])
      for (const headers of [session, { cookie: session.cookie! }]) {
        const attempt = { ...headers, origin };
        const rest = await at(PARTNER)('POST', '/api/shop/config', {
          headers: attempt,
          body: { processingFeePct: 19 },
        });
        expect([origin, rest.status, cors(rest.headers)]).toEqual([origin, 403, CORS]);
        const graphql = await at(PARTNER)('POST', '/api/graphql', {
          headers: attempt,
          body: { query: 'mutation { updateShop(input: { processingFeePct: 19 }) { processingFeePct } }' },
        });
        expect(graphql.body.data?.updateShop).toBeFalsy();
        expect(graphql.headers.get('access-control-allow-credentials')).toBeNull();
      }
    expect(await theme()).toEqual(before);
    const own = { ...session, origin: `https://${PARTNER}` };
    const allowed = await at(PARTNER)('POST', '/api/shop/config', { headers: own, body: { processingFeePct: 1 } });
    expect(allowed.status).toBe(200);
  });

  test('an invalid HTTP request is refused with the same headers', async () => {
    const { hostname, port } = new URL(server.url);
    const ask = async (host: string) => {
      const socket = connect(Number(port), hostname);
      socket.end(`GET / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: nonsense\r\n\r\n`);
      return await text(socket);
    };
    expect(await ask(PARTNER)).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\naccess-control-allow-origin: \*\r\n/);
    expect(await ask('elsewhere.example')).not.toContain('access-control');
  });
});

describe('any other host', () => {
  test.each(['localhost', `${PARTNER}.elsewhere.example`, `x.${PARTNER}`, 'till.example', 'till.example:1'])(
    '%s lets no other page read anything, and has no preflight',
    async (host) => {
      for (const [method, path, headers] of everyKind()) {
        const answer = await call(method, path, { ...headers, origin: 'https://elsewhere.example' }, host);
        expect([method, path, cors(answer.headers)]).toEqual([method, path, {}]);
      }
      const preflight = await call(
        'OPTIONS',
        '/api/orders',
        { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
        host,
      );
      expect([preflight.status, cors(preflight.headers)]).toEqual([405, {}]);
    },
  );
});

describe('caches', () => {
  // Contract: edge.static-cached, edge.rest-uncached
  test('may keep only the built files: no page, no response of /api/, no error, no health check', async () => {
    for (const host of [PARTNER, 'localhost'])
      for (const [method, path, headers] of everyKind()) {
        const answer = await call(method, path, headers, host);
        const kept = path === asset ? FOREVER : 'no-store';
        expect([method, path, answer.headers.get('cache-control')]).toEqual([method, path, kept]);
      }
  });

  // Contract: edge.rest-uncached
  test.each(routes.map(({ method, path }) => [method, path] as const))(
    '%s %s is never cached',
    async (method, path) => {
      const url = path.replaceAll(/:\w+/g, 'x');
      for (const headers of [{}, merchant.auth] as Record<string, string>[]) {
        const answer = await call(method, url, headers);
        expect(answer.headers.get('cache-control')).toBe('no-store');
      }
    },
  );

  test('an event stream is never cached', async () => {
    const query = encodeURIComponent('subscription { receiptStatus(receiptId: "page") { status } }');
    const leave = new AbortController();
    const response = await fetch(`${server.url}/api/graphql?query=${query}`, {
      headers: { ...merchant.auth, accept: 'text/event-stream' },
      signal: leave.signal,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(response.headers.get('cache-control')).toMatch(/\bno-store\b/);
    leave.abort();
  });
});
