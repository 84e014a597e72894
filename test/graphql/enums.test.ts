import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask, codeOf } from './ask.ts';

let server: TestServer;
let shop: TestMerchant;
let session: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.merchant();
  session = await server.signIn(shop.account);
});
afterAll(() => server.stop());

test('a scope is a name in GraphQL and the word of the contract in REST', async () => {
  const { body } = await ask(server, shop.auth, '{ statusPing { scopes dependencies { database redis } } }');
  expect(body.data.statusPing).toMatchObject({ dependencies: { database: 'up', redis: 'off' } });
  expect(body.data.statusPing.scopes).toContain('inventory_read');
  const ping = await server.call('GET', '/api/status/ping', { headers: shop.auth });
  expect(ping.body.scopes).toContain('inventory:read');
  expect(ping.body.scopes.map((scope: string) => scope.replace(':', '_'))).toEqual(body.data.statusPing.scopes);
});

const SAVE = `mutation ($input: InventoryItemInput!) { saveInventoryItem(input: $input) { currency } }`;

test('GraphQL takes a currency by its name only, REST in any letter case', async () => {
  const item = { sku: 'CUP', name: 'Cup', price: 4 };
  const saved = await ask(server, session, SAVE, { input: { ...item, currency: 'EUR' } });
  expect(saved.body.data.saveInventoryItem).toEqual({ currency: 'EUR' });
  for (let run = 0; run < 5; run++)
    expect(codeOf(await ask(server, session, SAVE, { input: { ...item, currency: 'eur' } }))).toBe('invalid_input');
  const rest = await server.call('POST', '/api/inventory', { headers: shop.auth, body: { ...item, currency: 'eur' } });
  expect(rest.body).toMatchObject({ item: { currency: 'EUR' } });
});

test('a report that the merchant invents is the text of an event, whose status is an enum', async () => {
  const body = { id: 'order-1', lineItems: [{ label: 'Cup', priceUsd: 4 }] };
  await server.call('POST', '/api/receipts', { headers: shop.auth, body });
  const REPORT = `mutation ($status: String!) { reportTracking(receiptId: "order-1", status: $status) {
    status recordStatus history { kind status tracking } } }`;
  const { data } = (await ask(server, session, REPORT, { status: 'refund_by_post' })).body;
  expect(data.reportTracking).toMatchObject({ status: 'pending', recordStatus: 'pending' });
  expect(data.reportTracking.history.at(-1)).toEqual({
    kind: 'tracking',
    status: 'pending',
    tracking: 'refund_by_post',
  });
});
