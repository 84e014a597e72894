import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement, statement } from '../support/statement.ts';
import { refusal } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

/** Sends bytes as they are; answers what comes back. */
function rawRequest(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('errors', () => {
  test.each([
    '/nothing',
    '/api',
    '/api/nothing',
    '/api/receipts/a/b',
    '/api/orders/',
    '/API/orders',
    '/_next/static/nothing.js',
  ])('the unknown path %s is 404 not_found', async (path) => {
    for (const headers of [{}, merchant.auth] as Record<string, string>[]) {
      const answer = await server.call('GET', path, { headers });
      expect(answer.status).toBe(404);
      expect(answer.body).toStrictEqual(refusal('not_found'));
    }
  });

  test.each([
    ['PUT', '/api/orders', 'POST'],
    ['GET', '/api/orders', 'POST'],
    ['PATCH', '/api/inventory', 'GET, POST, DELETE'],
    ['DELETE', '/api/receipts/R-1', 'GET'],
    ['POST', '/healthz', 'GET'],
    ['DELETE', '/api/graphql', 'GET, POST'],
    ['POST', '/portal/R-1', 'GET'],
    ['GET', '/api/split/withdraw', 'POST'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allowed) => {
    const answer = await server.call(method, path, { headers: merchant.auth });
    expect(answer.status).toBe(405);
    expect(answer.body).toStrictEqual(refusal('method_not_allowed'));
    const named = (answer.headers.get('allow') ?? '')
      .split(', ')
      .filter((name) => name !== 'HEAD' && name !== 'OPTIONS');
    expect(named).toEqual(allowed.split(', '));
  });

  // Contract: routes.json, errors.invalid-input
  test.each(['{', '{"items":', 'items', "{'items':[]}", '{"a":1}x', '[1,', '\u0000'])(
    'malformed JSON (%j) is 400 invalid_input',
    async (raw) => {
      const answer = await server.call('POST', '/api/orders', { headers: merchant.auth, raw });
      expect(answer.status).toBe(400);
      expect(answer.body).toStrictEqual(refusal('invalid_input'));
    },
  );

  test.each(['null', '[]', '"text"', '7', 'true', ''])(
    'a body that is not an object (%j) is 400 with a code',
    async (raw) => {
      for (const path of ['/api/orders', '/api/receipts', '/api/inventory', '/api/receipts/status']) {
        const answer = await server.call('POST', path, {
          headers: { ...merchant.auth, 'content-type': 'application/json' },
          raw,
        });
        expect(answer.status, `${path} ${raw}: ${JSON.stringify(answer.body)}`).toBe(400);
        expect(answer.body.error).toMatch(/^(invalid_input|items_required|missing_receipt_id)$/);
      }
    },
  );

  test('a missing body is 400 with a code', async () => {
    const answer = await server.call('POST', '/api/orders', { headers: merchant.auth });
    expect([answer.status, answer.body.error]).toEqual([400, 'items_required']);
  });

  // Contract: routes.json
  test('a body above 1 MiB is 413, and one that is not JSON 415', async () => {
    const big = await server.call('POST', '/api/orders', {
      headers: merchant.auth,
      raw: `{"x":"${'a'.repeat(1_048_576)}"}`,
    });
    expect(big.status).toBe(413);
    expect(big.body).toStrictEqual(refusal('payload_too_large'));
    const form = await server.call('POST', '/api/orders', {
      headers: { ...merchant.auth, 'content-type': 'application/x-www-form-urlencoded' },
      raw: 'items=1',
    });
    expect(form.status).toBe(415);
    expect(form.body).toStrictEqual(refusal('unsupported_media_type'));
  });

  // Contract: routes.correlation
  test('every response has x-correlation-id, including pages and errors', async () => {
    const answers: [string, string, Record<string, string>?][] = [
      ['GET', '/healthz'],
      ['GET', '/readyz'],
      ['GET', '/api/receipts'],
      ['GET', '/api/receipts', merchant.auth],
      ['GET', '/nothing'],
      ['PUT', '/api/orders'],
      ['GET', '/portal/nothing'],
      ['GET', '/api/%zz'],
      ['POST', '/api/graphql'],
      ['GET', '/api/graphql?query={me{wallet}}'],
      ['POST', '/api/split/withdraw', merchant.auth],
      ['OPTIONS', '/api/orders'],
    ];
    for (const [method, path, headers] of answers) {
      const answer = await server.call(method, path, { headers });
      expect(answer.headers.get('x-correlation-id'), `${method} ${path}`).toMatch(/^[\w.:-]{1,128}$/);
      expect(answer.headers.get('x-powered-by')).toBeNull();
    }
  });

  test('a caller’s valid correlation id is returned', async () => {
    const ask = async (id: string) =>
      (await server.call('GET', '/healthz', { headers: { 'x-correlation-id': id } })).headers.get('x-correlation-id');
    expect(await ask('trace-1.2:3')).toBe('trace-1.2:3');
    for (const id of ['a b', 'x'.repeat(129), '<script>']) expect(await ask(id)).not.toBe(id);
  });

  test('an unreadable path or request is 400 with a code', async () => {
    for (const path of ['/api/%zz', '/api/receipts/%E0%A4%A', '/api/receipts/%ff']) {
      const answer = await server.call('GET', path, { headers: merchant.auth });
      expect(answer.status).toBe(400);
      expect(answer.body).toStrictEqual(refusal('invalid_input'));
    }
    for (const text of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`]) {
      const answer = await rawRequest(text);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer).toContain('"error":"invalid_input"');
      expect(answer).toContain('x-correlation-id: ');
    }
  });

  test('a request without a Host is 400 with a code, and an unknown expectation is ignored', async () => {
    for (const path of ['/healthz', '/api/orders', '/portal/nothing']) {
      const answer = await rawRequest(`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"error":"invalid_input","message":"The request has no Host header"');
      expect(answer).toContain('x-correlation-id: ');
    }
    expect(await rawRequest('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    const expecting = 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: the-best\r\nConnection: close\r\n\r\n';
    expect(await rawRequest(expecting)).toMatch(/^HTTP\/1\.1 200 /);
  });

  // Contract: errors.failed, errors.form, split.failed, receipts.create-refused, refund.refused, terminal.refused
  test('an unexpected error is 500 failed, without internal details', async () => {
    const broken = await startTestServer();
    const own = await broken.merchant();
    const headers = await broken.signIn(own.account);
    for (const table of ['receipts', 'splits'])
      await runStatement(
        broken.deps.db,
        statement(`lose-${table}`, `alter table ${table} rename to lost_${table}`),
        [],
      );
    const lines = [{ label: 'x', priceUsd: 1 }];
    const wallet = own.wallet;
    for (const [method, path, body] of [
      ['GET', '/api/receipts/R-1', undefined],
      ['GET', '/api/receipts/status?receiptId=R-1', undefined],
      ['POST', '/api/receipts', { id: 'R-1', lineItems: lines }],
      ['POST', '/api/receipts/status', { receiptId: 'R-1', wallet, status: 'link_opened' }],
      ['POST', '/api/receipts/refund', { receiptId: 'R-1', wallet, buyer: `0x${'12'.repeat(20)}`, usd: 1 }],
      ['POST', '/api/receipts/terminal', { amountUsd: 1 }],
      ['GET', '/api/split/deploy', undefined],
      ['GET', '/api/split/transactions', undefined],
      ['POST', '/api/split/deploy', {}],
    ] as const) {
      const answer = await broken.call(method, path, { headers, body });
      expect([path, answer.status, answer.body]).toEqual([path, 500, refusal('failed')]);
      expect(JSON.stringify(answer.body)).not.toMatch(/relation|splits|select/);
    }
    await broken.stop();
  });

  // Contract: routes.json
  test('responses are JSON in UTF-8 and must not be cached', async () => {
    for (const path of ['/api/receipts', '/nothing', '/api/site/config', '/healthz']) {
      const { headers } = await server.call('GET', path, { headers: merchant.auth });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});
