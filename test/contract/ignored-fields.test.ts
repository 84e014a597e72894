import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { stock } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 4 }]);
});
afterAll(() => server.stop());

test('a misspelt field of an order is accepted and named, with the known name; a correct order names none', async () => {
  const items = [{ sku: 'TEA', qty: 1 }];
  const headers = merchant.auth;
  const bent = await server.call('POST', '/api/orders', { headers, body: { items, retunUrl: 'x', foo: 1 } });
  expect([bent.status, bent.headers.get('x-ignored-fields')]).toEqual([200, 'retunUrl;did-you-mean=returnUrl, foo']);
  const good = await server.call('POST', '/api/orders', { headers, body: { items, metadata: { foo: 1 } } });
  expect([good.status, good.headers.get('x-ignored-fields')]).toEqual([200, null]);
});

test('a refusal names the misspelt field too', async () => {
  const body = { itmes: [{ sku: 'TEA', qty: 1 }] };
  const answer = await server.call('POST', '/api/orders', { headers: merchant.auth, body });
  expect([answer.body.error, answer.headers.get('x-ignored-fields')]).toEqual([
    'items_required',
    'itmes;did-you-mean=items',
  ]);
});

test('an unknown parameter of a query is named', async () => {
  const answer = await server.call('GET', '/api/receipts?limits=5&page=2', { headers: merchant.auth });
  expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([200, 'limits;did-you-mean=limit, page']);
});

test('a field of the theme at the top level of the shop is named with its place', async () => {
  const headers = await server.signIn(merchant.account);
  const answer = await server.call('POST', '/api/shop/config', { headers, body: { primaryColor: '#ffffff' } });
  expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([
    200,
    'primaryColor;did-you-mean=theme.primaryColor',
  ]);
});

test('an item is deleted by id: the refusal says that sku is not accepted', async () => {
  const answer = await server.call('DELETE', '/api/inventory?sku=TEA', { headers: merchant.auth });
  expect([answer.status, answer.body]).toEqual([
    400,
    { error: 'invalid_input', message: 'id is required: sku is not accepted here', field: 'id' },
  ]);
});

test('broken JSON is refused with its line and column', async () => {
  const raw = '{\n  "items": [,]\n}';
  const answer = await server.call('POST', '/api/orders', { headers: merchant.auth, raw });
  expect(answer.body).toEqual({
    error: 'invalid_input',
    message: 'The request body is not valid JSON at line 2, column 13',
  });
});
