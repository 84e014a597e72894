import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../../../test/support/server.ts';
import { issueKey } from '../../domain/access/keys/issue.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const make = (shop: TestMerchant, id: string) =>
  server.call('POST', '/api/receipts', {
    headers: shop.auth,
    body: { id, lineItems: [{ label: 'Tea', priceUsd: 3 }], totalUsd: 3 },
  });
const list = (headers: Record<string, string>, limit = 100) =>
  server.call('GET', `/api/receipts?limit=${limit}`, { headers });
const idsOf = ({ body }: { body: { receipts: { receiptId: string }[] } }) =>
  body.receipts.map(({ receiptId }) => receiptId);

test('a list contains a record created just before, even if the list was cached', async () => {
  const shop = await server.merchant();
  for (const count of [1, 2, 3]) {
    await make(shop, `tea-${count}`);
    for (let i = 0; i < 3; i++) expect(idsOf(await list(shop.auth))).toHaveLength(count);
  }
  expect(idsOf(await list(shop.auth, 1))).toEqual(['tea-3']);
});

test('a cached list is separate per merchant and is refused without the scope', async () => {
  const [shop, other] = [await server.merchant(), await server.merchant()];
  await make(shop, 'mine');
  await Promise.all(Array.from({ length: 5 }, () => list(shop.auth)));
  expect(idsOf(await list(other.auth))).toEqual([]);

  const { key } = await issueKey(server.deps, { merchant: shop.wallet, scopes: ['orders:create'] });
  expect(await list({ 'x-api-key': key })).toMatchObject({ status: 403, body: { error: 'forbidden' } });
  expect(idsOf(await list(shop.auth))).toEqual(['mine']);
});

test('a cached list has the headers of every response', async () => {
  const shop = await server.merchant();
  const [first, second] = [await list(shop.auth), await list({ ...shop.auth, 'x-correlation-id': 'again' })];
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(second.headers.get('cache-control')).toBe('no-store');
  expect(second.headers.get('x-correlation-id')).toBe('again');
});
