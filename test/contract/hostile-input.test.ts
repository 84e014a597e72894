import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { stock } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);
});
afterAll(() => server.stop());

const send = (path: string, raw: string, headers: Record<string, string> = merchant.auth) =>
  server.call('POST', path, { headers, raw });
const coded = {
  status: expect.toSatisfy((status) => status >= 400 && status < 500, 'a 4xx'),
  body: { error: expect.stringMatching(/^[a-z_]+$/) },
};

const order = (fields: string) => `{"items":[{"sku":"TEA","qty":1}]${fields}}`;
const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const deepList = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('hostile bodies are a coded 4xx', () => {
  test.each([
    ['1e400 as a quantity', '{"items":[{"sku":"TEA","qty":1e400}]}'],
    ['-0 as a quantity', '{"items":[{"sku":"TEA","qty":-0}]}'],
    ['1e-7 as a quantity', '{"items":[{"sku":"TEA","qty":1e-7}]}'],
    ['1e400 as a tax rate', order(',"taxRate":1e400')],
    ['1e-7 as a tax rate', order(',"taxRate":1e-7')],
    ['NUL in a sku', '{"items":[{"sku":"\\u0000","qty":1}]}'],
    ['a lone surrogate in a sku', '{"items":[{"sku":"\\ud800","qty":1}]}'],
    ['NUL in metadata', order(',"metadata":{"a":"\\u0000"}')],
    ['NUL in a key of metadata', order(',"metadata":{"\\u0000":1}')],
    ['a lone surrogate in metadata', order(',"metadata":{"a":["\\udfff"]}')],
    ['1e400 in metadata', order(',"metadata":{"a":1e400}')],
    ['__proto__ in metadata', order(',"metadata":{"__proto__":{"admin":true}}')],
    ['__proto__ in the body', order(',"__proto__":{"wallet":"x"}')],
    ['__proto__ in disguise', order(',"\\u005f_proto__":{"wallet":"x"}')],
    ['metadata nested 100,000 deep', order(`,"metadata":${deep(100_000)}`)],
    ['lists nested 100,000 deep', order(`,"metadata":${deepList(100_000)}`)],
    ['items nested 100,000 deep', `{"items":${deepList(100_000)}}`],
    ['an object nested 100,000 deep alone', deep(100_000)],
    ['NUL in a name', order(',"firstName":"a\\u0000"')],
    ['a lone surrogate in a name', order(',"firstName":"\\ud800"')],
  ])('%s', async (_, raw) => {
    expect(await send('/api/orders', raw)).toMatchObject(coded);
  });

  test.each(['1e400', '-1e400', '1.005', '1e-7', '0.001', '1e16', '"1"', 'null', '[]', '{}'])(
    'a price of %s',
    async (price) => {
      expect(await send('/api/inventory', `{"sku":"P","name":"P","priceUsd":${price}}`)).toMatchObject(coded);
      expect(await send('/api/receipts', `{"id":"P","lineItems":[{"label":"P","amount":${price}}]}`)).toMatchObject(
        coded,
      );
      expect(await send('/api/receipts', `{"id":"P","lineItems":[{"label":"P","priceUsd":${price}}]}`)).toMatchObject(
        coded,
      );
    },
  );

  test('unknown deep fields do no harm', async () => {
    const answer = await send('/api/orders', order(`,"whatever":${deep(100_000)}`));
    expect(answer.status).toBeLessThan(500);
  });

  test('-0 as a price is 0', async () => {
    const answer = await send('/api/inventory', '{"sku":"ZERO","name":"Z","priceUsd":-0}');
    expect([answer.status, Object.is(answer.body.item.priceUsd, 0)]).toEqual([200, true]);
  });

  test.each(['/api/inventory', '/api/receipts', '/api/receipts/status', '/api/auth/nonce', '/api/auth/login'])(
    'POST %s with 100,000 deep, NUL, and __proto__',
    async (path) => {
      for (const raw of [
        deep(100_000),
        deepList(100_000),
        '{"sku":"\\u0000","id":"\\u0000","receiptId":"\\u0000","wallet":"\\u0000","query":"\\u0000"}',
        '{"__proto__":{}}',
      ]) {
        const answer = await send(path, raw);
        expect(answer.status, raw.slice(0, 40)).toBeGreaterThanOrEqual(400);
        expect(answer.status, raw.slice(0, 40)).toBeLessThan(500);
      }
    },
  );
});

describe('hostile addresses and headers are a coded 4xx', () => {
  test.each([
    '/api/receipts/%00',
    '/api/receipts/a%00b',
    '/api/receipts/%ED%A0%80',
    '/api/receipts/status?receiptId=%00',
    '/api/receipts/status?receiptId=%ED%A0%80',
    '/api/receipts/status?receiptId=a&receiptId=b',
    '/api/receipts/status?receiptId[]=a',
    '/api/receipts/..%2f..%2fetc',
    `/api/receipts/${'x'.repeat(500)}`,
    `/api/receipts/${'x'.repeat(5_000)}`,
    '/api/receipts?limit=%00',
    '/api/inventory?q=%00',
    '/api/inventory?category=%00',
    '/api/inventory?tags=%00',
    `/api/inventory?q=${'x'.repeat(2_000)}`,
    '/api/split/transactions?address=%00',
    '/portal/%00',
    '/portal/%00?recipient=0x12',
    '/portal/x?recipient=%00',
    '/portal/x?token=%00',
  ])('GET %s', async (path) => {
    const answer = await server.call('GET', path, { headers: merchant.auth });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    if (!path.startsWith('/portal')) expect(answer.body.error).toMatch(/^(invalid_input|invalid_wallet|not_found)$/);
  });

  test('DELETE /api/inventory?id=%00', async () => {
    expect(await server.call('DELETE', '/api/inventory?id=%00', { headers: merchant.auth })).toMatchObject(coded);
  });

  test('an Idempotency-Key that is too long or empty', async () => {
    for (const key of ['x'.repeat(5_000), ' ']) {
      const answer = await send('/api/orders', order(''), { ...merchant.auth, 'idempotency-key': key });
      expect(answer.status, JSON.stringify(answer.body)).toBe(key === ' ' ? answer.status : 400);
      expect(answer.status).toBeLessThan(500);
    }
  });

  test('GraphQL bodies that are deep, poisoned or no query', async () => {
    for (const raw of [
      deep(100_000),
      deepList(100_000),
      '{"__proto__":{}}',
      '{"query":"\\u0000"}',
      '{"query":"\\ud800"}',
    ]) {
      const { status, body } = await send('/api/graphql', raw);
      expect(status).toBeLessThan(500);
      expect(body.errors?.[0].extensions.code ?? body.error, raw.slice(0, 40)).toBe('invalid_input');
    }
  });

  test('GraphQL variables with NUL, lone surrogates, huge and deep values', async () => {
    const ask = (query: string, variables: string) =>
      send('/api/graphql', `{"query":${JSON.stringify(query)},"variables":${variables}}`);
    for (const variables of [
      '{"id":"\\u0000"}',
      '{"id":"\\ud800"}',
      '{"id":1e400}',
      `{"id":${deep(50_000)}}`,
      '{"id":{}}',
      '{"id":null}',
    ]) {
      const { status, body } = await ask('query ($id: ID!) { receipt(receiptId: $id) { status } }', variables);
      expect(status).toBeLessThan(500);
      expect(body.errors[0].extensions.code, variables.slice(0, 40)).toMatch(/^(invalid_input|not_found)$/);
    }
    const many = await ask('query ($n: Int) { receipts(first: $n) { nodes { status } } }', '{"n":99999999999}');
    expect(many.body.errors[0].extensions.code).toBe('invalid_input');
    const search = await ask('query ($q: String) { inventory(q: $q) { totalCount } }', '{"q":"\\u0000"}');
    expect(search.body.errors[0].extensions.code).toBe('invalid_input');
  });
});

describe('stored markup', () => {
  test('shows as text on the portal', async () => {
    const evil = '<img src=x onerror=alert(1)>"\'';
    const own = await server.merchant({ name: evil });
    await stock(server, own, [{ sku: 'EVIL', name: evil, priceUsd: 1 }]);
    const { body } = await server.call('POST', '/api/orders', {
      headers: own.auth,
      body: { items: [{ sku: 'EVIL', qty: 1 }], metadata: { evil } },
    });
    expect(body.receipt.brandName).toBe(evil);
    const page = await server.call('GET', `/portal/${body.receipt.receiptId}`);
    expect(page.status).toBe(200);
    expect(page.body).not.toContain('<img src=x');
    expect(page.body).toContain('&lt;img src=x');
  });
});
