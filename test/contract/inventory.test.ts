import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { MILLIS, refusal, stock } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

const save = (body: unknown, headers: Record<string, string> = merchant.auth) =>
  server.call('POST', '/api/inventory', { headers, body });
const list = (query = '') => server.call('GET', `/api/inventory${query}`, { headers: merchant.auth });

describe('POST /api/inventory', () => {
  // Contract: inventory.save, inventory.sku, inventory.id, inventory.price-usd, inventory.stock-qty, inventory.taxable
  test('creates a product and answers its record', async () => {
    const { status, body } = await save({ sku: 'TEA-1', name: 'Tea', priceUsd: 4.5, stockQty: 12, taxable: true });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      ok: true,
      item: {
        id: expect.any(String),
        sku: 'TEA-1',
        name: 'Tea',
        priceUsd: 4.5,
        price: null,
        currency: null,
        stockQty: 12,
        taxable: true,
        category: null,
        description: null,
        tags: [],
        images: [],
        thumb: expect.stringMatching(/^data:image\//),
        attributes: null,
        costUsd: null,
        jurisdictionCode: null,
        createdAt: MILLIS,
        updatedAt: MILLIS,
        wallet: merchant.wallet,
      },
    });
  });

  // Contract: inventory.save-idempotent, inventory.sku
  test('is idempotent by SKU: a second call updates the item and keeps omitted fields', async () => {
    const first = await save({ sku: 'SAME', name: 'One', priceUsd: 1, stockQty: 3, taxable: true, tags: ['a'] });
    const second = await save({ sku: 'SAME', priceUsd: 2 });
    expect(second.body.item).toMatchObject({
      id: first.body.item.id,
      name: 'One',
      priceUsd: 2,
      stockQty: 3,
      tags: ['a'],
    });
    expect((await list('?q=SAME')).body.total).toBe(1);
  });

  // Contract: inventory.save-native, inventory.price, inventory.currency
  test('takes the native variant with price and currency', async () => {
    const { body } = await save({
      sku: 'EUR-1',
      name: 'Wein',
      price: 25.5,
      currency: 'eur',
      stockQty: -1,
      taxable: false,
    });
    expect(body.item).toMatchObject({ price: 25.5, currency: 'EUR', priceUsd: null, stockQty: -1, taxable: false });
    const dearer = await save({ sku: 'EUR-1', price: 27 });
    expect(dearer.body.item).toMatchObject({ price: 27, currency: 'EUR' });
  });

  // Contract: inventory.save-x-api-key, auth.x-api-key
  test('takes a merchant key in x-api-key', async () => {
    const { status } = await save({ sku: 'X-API', name: 'x', priceUsd: 1 }, { 'x-api-key': merchant.key });
    expect(status).toBe(200);
  });

  // Contract: inventory.save-invalid, inventory.name, inventory.price-usd, inventory.currency, inventory.stock-qty
  // Contract: limits.stock, inventory.taxable
  test.each([
    ['a new item without a name', { sku: 'N', priceUsd: 1 }, 'name'],
    ['a new item without a price', { sku: 'N', name: 'n' }, 'priceUsd'],
    ['no sku', { name: 'n', priceUsd: 1 }, 'sku'],
    ['a negative price', { sku: 'N', name: 'n', priceUsd: -1 }, 'priceUsd'],
    ['a price in quotes', { sku: 'N', name: 'n', priceUsd: '1' }, 'priceUsd'],
    ['a price with three decimals', { sku: 'N', name: 'n', priceUsd: 1.005 }, 'priceUsd'],
    ['a price above the bound', { sku: 'N', name: 'n', priceUsd: 10_000_000.01 }, 'priceUsd'],
    ['stock below -1', { sku: 'N', name: 'n', priceUsd: 1, stockQty: -2 }, 'stockQty'],
    ['half a piece', { sku: 'N', name: 'n', priceUsd: 1, stockQty: 1.5 }, 'stockQty'],
    ['a native price without its currency', { sku: 'N', name: 'n', price: 1 }, 'currency'],
    ['an unknown currency', { sku: 'N', name: 'n', price: 1, currency: 'XXX' }, 'currency'],
    ['taxable in words', { sku: 'N', name: 'n', priceUsd: 1, taxable: 'yes' }, 'taxable'],
    ['a sku that is too long', { sku: 'N'.repeat(129), name: 'n', priceUsd: 1 }, 'sku'],
    ['a name that is too long', { sku: 'N', name: 'n'.repeat(257), priceUsd: 1 }, 'name'],
  ])('refuses %s with 400 invalid_input naming the field', async (_, body, field) => {
    const answer = await save(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual(refusal('invalid_input', { field }));
    expect(answer.body.message).toContain(field);
    expect((await list('?q=N&limit=200')).body.items.filter((item: { sku: string }) => item.sku === 'N')).toEqual([]);
  });

  // Contract: auth.no-wallet-fields
  test('refuses the wallet of another merchant with 403 and a malformed one with 400', async () => {
    const foreign = await save({ sku: 'W', name: 'n', priceUsd: 1, wallet: `0x${'1'.repeat(40)}` });
    expect([foreign.status, foreign.body.error]).toEqual([403, 'forbidden']);
    const malformed = await save({ sku: 'W', name: 'n', priceUsd: 1, wallet: '0x12' });
    expect([malformed.status, malformed.body.error]).toEqual([400, 'invalid_wallet']);
  });
});

describe('GET /api/inventory', () => {
  // Contract: inventory.list
  test('answers items, total, page and pageSize', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['items', 'page', 'pageSize', 'total']);
    expect(body).toMatchObject({ page: 0, pageSize: 100 });
    expect(body.items).toHaveLength(body.total);
  });

  // Contract: inventory.list
  test('filters, sorts and pages', async () => {
    const own = await server.merchant();
    await stock(server, own, [
      { sku: 'a', priceUsd: 1, stockQty: 0, taxable: false },
      { sku: 'b', priceUsd: 2, stockQty: 5 },
      { sku: 'c', priceUsd: 3, stockQty: -1 },
    ]);
    const skus = async (query: string) => {
      const { body } = await server.call('GET', `/api/inventory?sort=sku&${query}`, { headers: own.auth });
      return body.items.map((item: { sku: string }) => item.sku).join('');
    };
    expect(await skus('order=asc')).toBe('abc');
    expect(await skus('order=desc')).toBe('cba');
    expect(await skus('taxable=false')).toBe('a');
    expect(await skus('taxable=any')).toBe('cba');
    expect(await skus('stock=in')).toBe('cb');
    expect(await skus('stock=out')).toBe('a');
    expect(await skus('priceMin=2&priceMax=2.00')).toBe('b');
    expect(await skus('limit=2&page=1')).toBe('a');
  });

  test('takes % and _ in a search literally', async () => {
    const own = await server.merchant();
    await stock(server, own, [
      { sku: '100%', priceUsd: 1 },
      { sku: '100x', priceUsd: 1 },
      { sku: 'a_b', priceUsd: 1 },
      { sku: 'axb', priceUsd: 1 },
    ]);
    const find = async (q: string) =>
      (await server.call('GET', `/api/inventory?q=${encodeURIComponent(q)}`, { headers: own.auth })).body.items.map(
        (item: { sku: string }) => item.sku,
      );
    expect(await find('%')).toEqual(['100%']);
    expect(await find('a_b')).toEqual(['a_b']);
    expect(await find('\\')).toEqual([]);
  });

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'page=-1',
    'sort=price',
    'order=up',
    'taxable=maybe',
    'stock=few',
    'priceMin=-1',
    'limit=1&limit=2',
  ])('refuses %s with 400 invalid_input', async (query) => {
    const answer = await list(`?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: 'invalid_input', field: query.split('=')[0] });
  });
});

describe('DELETE /api/inventory?id=<item_id>', () => {
  // Contract: inventory.delete
  test('deletes a product once; after that it is 404 not_found', async () => {
    const { BYE } = await stock(server, merchant, [{ sku: 'BYE', priceUsd: 1 }]);
    const remove = () => server.call('DELETE', `/api/inventory?id=${BYE}`, { headers: merchant.auth });
    const first = await remove();
    expect([first.status, first.body]).toEqual([200, { ok: true }]);
    const second = await remove();
    expect(second.status).toBe(404);
    expect(second.body).toStrictEqual(refusal('not_found'));
  });

  test('needs an id', async () => {
    const answer = await server.call('DELETE', '/api/inventory', { headers: merchant.auth });
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual(refusal('invalid_input', { field: 'id' }));
  });
});

test('an SKU with a space at its end is the same SKU: it makes no second product', async () => {
  const first = await save({ sku: 'SPACED', name: 'Spaced', priceUsd: 1 });
  const second = await save({ sku: ' SPACED\u00a0', priceUsd: 2 });
  expect(second.body.item).toMatchObject({ id: first.body.item.id, sku: 'SPACED', priceUsd: 2 });
  expect((await save({ sku: ' \t ', name: 'x', priceUsd: 1 })).status).toBe(400);
});
