import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

const RATE = 1.0842;

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer({ env: { FX_RATES: `EUR=${RATE}` } });
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
  for (const item of [
    { sku: 'ESPRESSO', name: 'Espresso', price: 2.5, currency: 'EUR', taxable: true },
    { sku: 'BOOK', name: 'Book', price: 19.99, currency: 'eur', taxable: false },
    { sku: 'MUG', name: 'Mug', priceUsd: 12, taxable: true },
    { sku: 'BEANS', name: 'Beans', price: 10, currency: 'USD', taxable: true },
  ]) {
    const { status } = await server.call('POST', '/api/inventory', {
      headers: merchant.auth,
      body: { ...item, stockQty: -1 },
    });
    expect(status).toBe(200);
  }
});
afterAll(() => server?.stop());

const order = (body: object) => server.call('POST', '/api/orders', { headers: merchant.auth, body });
const receipt = (body: object) => server.call('POST', '/api/receipts', { headers: merchant.auth, body });
const read = (id: string) => server.call('GET', `/api/receipts/${id}`, { headers: merchant.auth });
const graphql = (query: string, variables: unknown, headers: Record<string, string> = session) =>
  server.call('POST', '/api/graphql', { headers, body: { query, variables } });
/** The input of `createOrder` for the body of an order by SKUs. */
const orderInput = ({ items, ...rest }: { items: { sku: string; qty: number }[] }) => ({
  ...rest,
  items: items.map(({ sku, qty }) => ({ item: { sku }, qty })),
});
const list = async () => (await server.call('GET', '/api/receipts', { headers: merchant.auth })).body.receipts;

type Priced = { lineItems: { priceUsd: number }[]; totalUsd: number };
const cents = (usd: number) => Math.round(usd * 100);
const sumOf = ({ lineItems }: Priced) => lineItems.reduce((sum, line) => sum + cents(line.priceUsd), 0);

let count = 0;
const newId = () => `native-${++count}`;

const ORDER = `mutation ($input: CreateOrderInput!) { createOrder(input: $input) {
  currency totalUsd lineItems { label priceUsd } pricing { currency usdPerUnit originalTotal originalLineItems { label amount } } } }`;
const RECEIPT = `mutation ($input: CreateReceiptInput!) { createReceipt(input: $input) {
  currency totalUsd lineItems { label priceUsd } pricing { currency usdPerUnit originalTotal originalLineItems { label amount } } } }`;

describe('orders of a catalog in euros', () => {
  const items = [
    { sku: 'ESPRESSO', qty: 3 },
    { sku: 'BOOK', qty: 1 },
  ];
  // 7.50 + 19.99 = 27.49; tax 19 % of 7.50 = 1.43 (1.425); fee 0.5 % of 28.92 = 0.14 (0.1446); 29.06 EUR, at 1.0842 =
  // 31.506852 USD.
  const expected = {
    currency: 'EUR',
    totalUsd: 31.51,
    taxRate: 0.19,
    status: 'generated',
    lineItems: [
      { label: 'Espresso', priceUsd: 8.13, qty: 3, sku: 'ESPRESSO' },
      { label: 'Book', priceUsd: 21.68, qty: 1, sku: 'BOOK' },
      { label: 'Tax', priceUsd: 1.55 },
      { label: 'Processing Fee', priceUsd: 0.15 },
    ],
  };
  const pricing = {
    version: 1,
    currency: 'EUR',
    usdPerUnit: RATE,
    quotedAt: expect.any(Number),
    provider: 'static',
    originalTotal: 29.06,
    originalLineItems: [
      { label: 'Espresso', amount: 7.5, qty: 3 },
      { label: 'Book', amount: 19.99, qty: 1 },
      { label: 'Tax', amount: 1.43 },
      { label: 'Processing Fee', amount: 0.14 },
    ],
  };

  // Contract: native.order, native.converted, native.pricing, native.original, orders.currency, inventory.price
  test('are in euros by default: taxed in euros, converted once, and add up to the cent', async () => {
    const { status, body } = await order({ items, taxRate: 0.19 });
    expect(status).toBe(200);
    expect(body.receipt).toMatchObject(expected);
    expect(body.receipt.pricing).toEqual(pricing);
    expect(sumOf(body.receipt)).toBe(cents(body.receipt.totalUsd));
    expect(body.receipt.pricing.quotedAt).toBeLessThanOrEqual(body.receipt.createdAt);

    const kept = await read(body.receipt.receiptId);
    expect(kept.body).toMatchObject({ currency: 'EUR', totalUsd: 31.51, taxRate: 0.19, pricing });
    expect(kept.body.lineItems).toEqual(expected.lineItems.map(({ label, priceUsd }) => ({ label, priceUsd })));
    expect((await list())[0]).toMatchObject({ receiptId: body.receipt.receiptId, currency: 'EUR', totalUsd: 31.51 });
  });

  // Contract: orders.currency
  test.each(['EUR', 'eur', 'Eur'])('may say so: %s', async (currency) => {
    const { body } = await order({ items, taxRate: 0.19, currency });
    expect(body.receipt).toMatchObject(expected);
  });

  test('are the same over GraphQL', async () => {
    const { body } = await graphql(ORDER, { input: { ...orderInput({ items }), taxRate: 0.19, currency: 'EUR' } });
    expect(body.data.createOrder).toMatchObject({
      currency: 'EUR',
      totalUsd: 31.51,
      pricing: { originalTotal: 29.06, usdPerUnit: RATE },
    });
  });

  // Contract: native.fee-unchanged
  test('bear the same fee as orders in dollars: the add-on counts in euros too', async () => {
    const shop = await server.merchant();
    const headers = await server.signIn(shop.account);
    await server.call('POST', '/api/shop/config', { headers, body: { processingFeePct: 1.5 } });
    const body = { sku: 'E', name: 'E', price: 100, currency: 'EUR', stockQty: -1, taxable: true };
    await server.call('POST', '/api/inventory', { headers: shop.auth, body });
    const placed = await server.call('POST', '/api/orders', {
      headers: shop.auth,
      body: { items: [{ sku: 'E', qty: 1 }], taxRate: 0.095 },
    });
    expect(placed.body.receipt.pricing.originalLineItems.map(({ amount }: { amount: number }) => amount)).toEqual([
      100, 9.5, 2.19,
    ]);
    // 111.69 EUR are 121.094298 USD.
    expect(placed.body.receipt.totalUsd).toBe(121.09);
    expect(sumOf(placed.body.receipt)).toBe(12_109);
  });

  // Contract: orders.currency, receipts.one-currency
  test.each([
    ['euro items in dollars', { items: [{ sku: 'ESPRESSO', qty: 1 }], currency: 'USD' }, 'items[0]'],
    ['dollar items in euros', { items: [{ sku: 'MUG', qty: 1 }], currency: 'EUR' }, 'items[0]'],
    [
      'a cart of both',
      {
        items: [
          { sku: 'MUG', qty: 1 },
          { sku: 'BOOK', qty: 1 },
        ],
      },
      'items[1]',
    ],
    ['an unknown currency', { items: [{ sku: 'BOOK', qty: 1 }], currency: 'GBP' }, 'currency'],
    ['no currency code', { items: [{ sku: 'BOOK', qty: 1 }], currency: 'euro' }, 'currency'],
  ])('%s is refused, naming what is wrong, and nothing is made', async (_, body, field) => {
    const before = await list();
    expect(await order(body)).toMatchObject({ status: 400, body: { error: 'invalid_input', field } });
    expect((await graphql(ORDER, { input: orderInput(body) })).body.errors[0].extensions).toMatchObject({
      code: 'invalid_input',
    });
    expect(await list()).toEqual(before);
  });

  // Contract: orders.currency
  test.each([
    ['priceUsd', 'MUG', 12.06],
    ['price in USD', 'BEANS', 10.05],
  ])('a catalog in dollars (%s) stays as it was: no valuation on its orders', async (_, sku, totalUsd) => {
    for (const currency of [undefined, 'USD', 'usd']) {
      const { body } = await order({ items: [{ sku, qty: 1 }], currency });
      expect(body.receipt).toMatchObject({ currency: 'USD', totalUsd });
      expect(body.receipt).not.toHaveProperty('pricing');
    }
  });

  test('a merchant whose currency is euros still sells dollar items in dollars', async () => {
    const shop = await server.merchant();
    const headers = await server.signIn(shop.account);
    await server.call('POST', '/api/pricing/config', { headers, body: { nativeCurrency: 'EUR' } });
    const body = { sku: 'U', name: 'U', priceUsd: 10, stockQty: -1, taxable: false };
    await server.call('POST', '/api/inventory', { headers: shop.auth, body });
    const placed = await server.call('POST', '/api/orders', {
      headers: shop.auth,
      body: { items: [{ sku: 'U', qty: 1 }] },
    });
    expect(placed.body.receipt).toMatchObject({ currency: 'USD', totalUsd: 10.05 });
  });
});

describe('receipts in native amounts', () => {
  const lineItems = [
    { label: 'Dinner', amount: 59.9, qty: 2 },
    { label: 'Voucher', amount: -9.95 },
    { label: 'Tip', amount: 5 },
  ];

  // Contract: native.converted, native.pricing, native.original, receipts.native-lines, receipts.currency
  // Contract: receipts.amount, receipts.total
  test('convert once and add up to the cent, discounts too', async () => {
    const id = newId();
    // 54.95 EUR are 59.57679 USD.
    const { status, body } = await receipt({ id, currency: 'eur', total: 54.95, lineItems });
    expect(status).toBe(201);
    expect(body).toMatchObject({ id, status: 'pending' });
    const { body: kept } = await read(id);
    expect(kept).toMatchObject({
      currency: 'EUR',
      totalUsd: 59.58,
      lineItems: [
        { label: 'Dinner', priceUsd: 64.95 },
        { label: 'Voucher', priceUsd: -10.79 },
        { label: 'Tip', priceUsd: 5.42 },
      ],
      pricing: {
        version: 1,
        currency: 'EUR',
        usdPerUnit: RATE,
        provider: 'static',
        originalTotal: 54.95,
        originalLineItems: lineItems,
      },
    });
    expect(kept.pricing.originalLineItems).toEqual(lineItems);
    expect(sumOf(kept)).toBe(5_958);
  });

  test('are the same over GraphQL', async () => {
    const { body } = await graphql(RECEIPT, {
      input: { id: newId(), lines: { native: { currency: 'EUR', lineItems } } },
    });
    expect(body.data.createReceipt).toMatchObject({
      currency: 'EUR',
      totalUsd: 59.58,
      pricing: { originalTotal: 54.95 },
    });
  });

  // Contract: receipts.amount
  test('the amount includes the quantity, which is not multiplied again', async () => {
    const id = newId();
    await receipt({ id, currency: 'EUR', lineItems: [{ label: 'Five', amount: 10, qty: 5 }] });
    expect((await read(id)).body).toMatchObject({ totalUsd: 10.84, pricing: { originalTotal: 10 } });
  });

  // Contract: receipts.currency
  test('without a currency they are in dollars, and need no valuation', async () => {
    for (const currency of [undefined, 'USD', 'usd']) {
      const id = newId();
      expect((await receipt({ id, currency, lineItems: [{ label: 'x', amount: 25.5 }], total: 25.5 })).status).toBe(
        201,
      );
      const { body } = await read(id);
      expect(body).toMatchObject({ currency: 'USD', totalUsd: 25.5 });
      expect(body).not.toHaveProperty('pricing');
    }
  });

  // Contract: receipts.mixed-formats, receipts.total, receipts.total-usd, receipts.two-decimals, receipts.one-currency
  // Contract: receipts.create-invalid, limits.native
  test.each([
    [
      'dollars and native lines',
      {
        lineItems: [
          { label: 'a', amount: 1 },
          { label: 'b', priceUsd: 1 },
        ],
      },
    ],
    ['both on one line', { lineItems: [{ label: 'a', amount: 1, priceUsd: 1 }] }],
    ['native lines with totalUsd', { lineItems: [{ label: 'a', amount: 1 }], totalUsd: 1 }],
    ['dollar lines with a native total', { lineItems: [{ label: 'a', priceUsd: 1 }], total: 1 }],
    ['dollar lines in euros', { lineItems: [{ label: 'a', priceUsd: 1 }], currency: 'EUR' }],
    ['both totals', { lineItems: [{ label: 'a', amount: 1 }], total: 1, totalUsd: 1 }],
    ['a total that is not the sum', { currency: 'EUR', lineItems: [{ label: 'a', amount: 1.1 }], total: 1.11 }],
    ['three decimals', { currency: 'EUR', lineItems: [{ label: 'a', amount: 1.005 }] }],
    ['an amount in quotes', { currency: 'EUR', lineItems: [{ label: 'a', amount: '1' }] }],
    ['a total with three decimals', { currency: 'EUR', lineItems: [{ label: 'a', amount: 1 }], total: 1.001 }],
    [
      'discounts beyond the total',
      {
        currency: 'EUR',
        lineItems: [
          { label: 'a', amount: 1 },
          { label: 'b', amount: -2 },
        ],
      },
    ],
    ['an unknown currency', { currency: 'JPY', lineItems: [{ label: 'a', amount: 1 }] }],
    ['a currency that is no text', { currency: 1, lineItems: [{ label: 'a', amount: 1 }] }],
    ['no amount at all', { currency: 'EUR', lineItems: [{ label: 'a' }] }],
    ['too much in dollars', { currency: 'EUR', lineItems: [{ label: 'a', amount: 9_999_999 }] }],
  ])('%s: 400 invalid_input, and nothing is made', async (_, body) => {
    const before = await list();
    const id = newId();
    expect(await receipt({ id, ...body })).toMatchObject({ status: 400, body: { error: 'invalid_input' } });
    for (const lines of [{ native: body }, { legacy: body }]) {
      const refused = await graphql(RECEIPT, { input: { id, lines } });
      expect(refused.body.errors[0].extensions.code).toBe('invalid_input');
    }
    expect(await list()).toEqual(before);
  });

  test('a repeated request answers the same receipt at its original rate, also without a current rate', async () => {
    const other = await startTestServer({
      databaseUrl: server.deps.settings.databaseUrl,
      env: { FX_RATES: 'ETH=3100' },
    });
    try {
      const body = { id: newId(), currency: 'EUR', lineItems };
      const first = await receipt(body);
      const again = await other.call('POST', '/api/receipts', { headers: merchant.auth, body });
      expect(again.status).toBe(201);
      const unsigned = { paymentUrl: '', checkoutToken: '' };
      expect({ ...again.body, ...unsigned }).toEqual({ ...first.body, ...unsigned });
      const changed = { ...body, lineItems: [{ label: 'Dinner', amount: 1 }] };
      expect(await other.call('POST', '/api/receipts', { headers: merchant.auth, body: changed })).toMatchObject({
        status: 400,
        body: { error: 'invalid_input', field: 'id' },
      });
      expect(
        await other.call('POST', '/api/receipts', { headers: merchant.auth, body: { ...body, id: newId() } }),
      ).toMatchObject({
        status: 503,
        body: { error: 'exchange_rate_unavailable' },
      });
    } finally {
      await other.stop();
    }
  });
});

// Contract: receipts.status-amount
test('the status of a native receipt and its quote are in tokens, by the rate that was kept', async () => {
  const { body } = await order({ items: [{ sku: 'BOOK', qty: 1 }] });
  // 19.99 + 0.10 = 20.09 EUR are 21.781578 USD.
  expect(body.receipt.totalUsd).toBe(21.78);
  const id = body.receipt.receiptId;
  const status = await server.call('GET', `/api/receipts/status?receiptId=${id}`, { headers: merchant.auth });
  expect(status.body).toMatchObject({ currency: 'USDC', amount: 21.78 });
  const quote = await graphql('mutation ($id: ID!) { quotePayment(receiptId: $id, token: "USDC") { amount } }', { id });
  expect(quote.body.data.quotePayment.amount).toBe('21780000');
});
