import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask } from './ask.ts';

let server: TestServer;
let shops: TestMerchant[];
beforeAll(async () => {
  server = await startTestServer();
  shops = [await server.merchant(), await server.merchant()];
  for (const { auth } of shops) {
    const body = { id: 'order-1', lineItems: [{ label: 'Cup', priceUsd: 4 }] };
    await server.call('POST', '/api/receipts', { headers: auth, body });
  }
});
afterAll(() => server.stop());

const EVERYTHING = `query { receipt(receiptId: "order-1") { id receiptId history { id } }
  receiptStatusReport(receiptId: "order-1") { id receiptId } checkPayment(receiptId: "order-1") { id receiptId }
  shopConfig { id } pricingConfig { id } split { id } taxCatalog { id jurisdictions { id } } }`;

/** Every `id` in an answer. */
const idsIn = (value: unknown): string[] =>
  Object.entries(value ?? {}).flatMap(([name, one]) => {
    if (name === 'id') return [one as string];
    return typeof one === 'object' ? idsIn(one) : [];
  });

test('receipts of two merchants with the same receiptId have different ids, and no two objects share one', async () => {
  const answers = await Promise.all(shops.map(({ auth }) => ask(server, auth, EVERYTHING)));
  for (const { body } of answers) {
    expect(body.errors).toBeUndefined();
    expect(body.data.receipt.receiptId).toBe('order-1');
    expect(body.data.receiptStatusReport.receiptId).toBe('order-1');
  }
  const ids = idsIn(answers.map(({ body }) => body.data));
  expect(ids.length).toBeGreaterThan(100);
  expect(new Set(ids).size).toBe(ids.length);
});

test('an object has the same id in every answer that contains it', async () => {
  const { auth } = shops[0] as TestMerchant;
  const [one, other] = await Promise.all([EVERYTHING, EVERYTHING].map((query) => ask(server, auth, query)));
  expect(one?.body.data).toEqual(other?.body.data);
  const { body } = await ask(server, auth, '{ receipts(first: 1) { nodes { id } } }');
  expect(body.data.receipts.nodes).toEqual([{ id: one?.body.data.receipt.id }]);
});
