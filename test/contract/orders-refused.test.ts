import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { refusal, stock } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 4 }]);
});
afterAll(() => server.stop());

const order = (body: unknown, headers: Record<string, string> = merchant.auth) =>
  server.call('POST', '/api/orders', { headers, body });
const receipts = async () => (await server.call('GET', '/api/receipts', { headers: merchant.auth })).body.receipts;

describe('POST /api/orders refuses', () => {
  // Contract: orders.items-required, orders.items, errors.items-required, errors.form
  test.each([{ items: [] }, {}, { items: null }])(
    'empty or missing items (%j) with 400 items_required',
    async (body) => {
      const answer = await order(body);
      expect(answer.status).toBe(400);
      expect(answer.body).toStrictEqual({
        error: 'items_required',
        message: 'At least one item is required',
        field: 'items',
      });
    },
  );

  // Contract: orders.invalid, errors.invalid-input
  test.each([{ items: {} }, { items: 'TEA' }, { items: 7 }])('items of a wrong type (%j)', async (body) => {
    const answer = await order(body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_input', field: 'items' } });
  });

  // Contract: orders.item-not-found, errors.item-not-found
  test.each([
    { sku: 'nothing', qty: 1 },
    { id: 'item_nothing', qty: 1 },
  ])('an unknown product (%j) with 400 inventory_item_not_found', async (item) => {
    const { qty: _, ...named } = item;
    const answer = await order({ items: [{ sku: 'TEA', qty: 1 }, item] });
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual({
      error: 'inventory_item_not_found',
      message: 'Product not found in inventory',
      ...named,
    });
  });

  // Contract: orders.item-qty, limits.qty
  test.each([0, -1, 1.5, '2', 1e9, null, undefined, true, [], 100_001])(
    'a quantity of %j with 400 invalid_input naming items[0].qty',
    async (qty) => {
      const answer = await order({ items: [{ sku: 'TEA', qty }] });
      expect(answer.status).toBe(400);
      expect(answer.body).toStrictEqual(refusal('invalid_input', { field: 'items[0].qty' }));
      expect(answer.body.message).toContain('items[0].qty');
    },
  );

  test('the quantity of the very item that is wrong', async () => {
    const answer = await order({
      items: [
        { sku: 'TEA', qty: 1 },
        { sku: 'TEA', qty: 0 },
      ],
    });
    expect(answer.body.field).toBe('items[1].qty');
  });

  const item = { sku: 'TEA', qty: 1 };
  // Contract: orders.invalid, orders.item-sku, orders.tax-rate, limits.tax-rate, orders.currency, orders.tax-components
  // Contract: errors.invalid-input
  test.each([
    ['an item without id and sku', { items: [{ qty: 1 }] }, 'items[0]'],
    ['an item that is no object', { items: ['TEA'] }, 'items[0]'],
    ['501 items', { items: Array.from({ length: 501 }, () => item) }, 'items'],
    ['a line above 10,000,000.00', { items: [{ sku: 'DEAR', qty: 100_000 }] }, 'items[0].qty'],
    ['a tax rate above 1', { items: [item], taxRate: 1.01 }, 'taxRate'],
    ['a negative tax rate', { items: [item], taxRate: -0.1 }, 'taxRate'],
    ['a tax rate in quotes', { items: [item], taxRate: '0.1' }, 'taxRate'],
    ['an unknown jurisdiction', { items: [item], jurisdictionCode: 'XX-YY' }, 'jurisdictionCode'],
    [
      'an unknown tax component',
      { items: [item], jurisdictionCode: 'US-CA', taxComponents: ['moon'] },
      'taxComponents',
    ],
    ['tax components in one text', { items: [item], taxComponents: 'state' }, 'taxComponents'],
    ['an unknown currency', { items: [item], currency: 'GBP' }, 'currency'],
    ['metadata that is a list', { items: [item], metadata: [] }, 'metadata'],
    [
      'metadata of 51 keys',
      { items: [item], metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) },
      'metadata',
    ],
    ['metadata above 8 KiB', { items: [item], metadata: { big: 'x'.repeat(8_192) } }, 'metadata'],
    ['a reference that is too long', { items: [item], transactionId: 'x'.repeat(129) }, 'transactionId'],
    ['a redirect that is no URL', { items: [item], redirectUrl: 'javascript:alert(1)' }, 'redirectUrl'],
    ['an invalid e-mail address', { items: [item], buyerEmail: 'no-address' }, 'buyerEmail'],
  ])('%s with 400 invalid_input naming the field', async (_, body, field) => {
    await stock(server, merchant, [{ sku: 'DEAR', priceUsd: 9_999_999 }]);
    const answer = await order(body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(400);
    expect(answer.body.error).toBe('invalid_input');
    expect(answer.body.field).toContain(field);
    expect(answer.body.message).toContain(field.split('[')[0]);
  });

  // Contract: orders.split-required, service.split-first, errors.split-required
  test('an order of a merchant without split with 403 split_required', async () => {
    const bare = await server.merchant({ split: false });
    await stock(server, bare, [{ sku: 'TEA', priceUsd: 4 }]);
    const answer = await order({ items: [item] }, bare.auth);
    expect(answer.status).toBe(403);
    expect(answer.body).toStrictEqual({
      error: 'split_required',
      message: 'Split contract not configured for this merchant',
    });
    // Form and look-up come before the split.
    expect((await order({ items: [{ sku: 'TEA', qty: 0 }] }, bare.auth)).body.error).toBe('invalid_input');
    expect((await order({ items: [{ sku: 'nothing', qty: 1 }] }, bare.auth)).body.error).toBe(
      'inventory_item_not_found',
    );
  });

  // Contract: orders.refused, errors.forbidden
  test('a key without the scope with 403 forbidden, before the body is validated', async () => {
    const reader = await server.merchant({ scopes: ['receipts:read', 'receipts:write', 'inventory:write'] });
    const answer = await order({ items: [{ sku: 'TEA', qty: 0 }] }, reader.auth);
    expect(answer.status).toBe(403);
    expect(answer.body).toStrictEqual(refusal('forbidden', { reason: 'scope_missing', scope: 'orders:create' }));
  });

  // Contract: orders.refused, errors.unauthorized
  test('a caller without credentials with 401 unauthorized, whatever is sent', async () => {
    const answer = await server.call('POST', '/api/orders', { raw: '{"items":' });
    expect(answer.status).toBe(401);
    expect(answer.body).toStrictEqual({ error: 'unauthorized', message: 'Missing or invalid subscription key' });
  });

  test('a session without its CSRF token with 403 forbidden', async () => {
    const { cookie } = await server.signIn(merchant.account);
    const answer = await order({ items: [item] }, { cookie: cookie as string });
    expect([answer.status, answer.body.error]).toEqual([403, 'forbidden']);
  });

  test('all of it without writing anything', async () => {
    expect(await receipts()).toEqual([]);
  });
});
