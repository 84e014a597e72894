import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { MILLIS, refusal, stock } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  // No rate for the euro.
  server = await startTestServer({ env: { FX_SOURCE: 'static', FX_RATES: 'ETH=3100' } });
  merchant = await server.merchant({ name: 'Corner Shop' });
});
afterAll(() => server.stop());

const create = (body: unknown, headers: Record<string, string> = merchant.auth) =>
  server.call('POST', '/api/receipts', { headers, body });
const read = (id: string, headers: Record<string, string> = merchant.auth) =>
  server.call('GET', `/api/receipts/${encodeURIComponent(id)}`, { headers });

const lineItems = [
  { label: 'Repair', priceUsd: 80 },
  { label: 'Discount', priceUsd: -5.5 },
];

describe('POST /api/receipts', () => {
  // Contract: receipts.id, receipts.legacy-lines, receipts.total-usd, receipts.created, receipts.created-pending
  // Contract: receipts.payment-url, receipts.echo, receipts.redirect-url, receipts.webhook-url, states.receipt-pending
  // Contract: service.portal-address
  test('answers 201 with id, paymentUrl, status, redirectUrl and webhookUrl', async () => {
    const redirect_url = 'https://shop.example/back?a=1&b=2';
    const { status, body } = await create({
      id: 'inv-1',
      lineItems,
      totalUsd: 74.5,
      redirect_url,
      webhook_url: 'https://hooks.example.com/q',
    });
    expect(status).toBe(201);
    expect(body).toStrictEqual({
      id: 'inv-1',
      checkoutToken: expect.any(String),
      paymentUrl: expect.any(String),
      status: 'pending',
      redirectUrl: redirect_url,
      webhookUrl: 'https://hooks.example.com/q',
    });
    const url = new URL(body.paymentUrl);
    expect(`${url.origin}${url.pathname}`).toBe(`${server.url}/portal/inv-1`);
    expect(url.searchParams.get('recipient')).toBe(merchant.wallet);
    expect(url.searchParams.get('redirect_url')).toBe(redirect_url);
  });

  // Contract: receipts.payment-url, receipts.echo
  // Contract: receipts.redirect-url, orders.option-redirect
  test('a redirect to another machine is https, whatever the operator allows for webhooks', async () => {
    const answer = await create({ id: 'plain-http', lineItems, redirect_url: 'http://shop.example/back' });
    expect(answer).toMatchObject({ status: 400, body: refusal('invalid_input', { field: 'redirect_url' }) });
    expect((await read('plain-http')).status).toBe(404);
  });

  test('answers null for what was not given, and no redirect in the payment URL', async () => {
    const { body } = await create({ id: 'inv-2', lineItems });
    expect(body).toMatchObject({ redirectUrl: null, webhookUrl: null });
    expect(body.paymentUrl).not.toContain('redirect_url');
  });

  test('adds neither tax nor fee: the caller’s lines are the total', async () => {
    await create({ id: 'inv-3', lineItems });
    const { body } = await read('inv-3');
    expect(body).toMatchObject({ totalUsd: 74.5, lineItems });
  });

  // Contract: receipts.id
  test('the same id with the same content answers the same; with other content 400 invalid_input', async () => {
    const body = { id: 'inv-4', lineItems, buyerEmail: 'a@b.test' };
    const [first, second] = [await create(body), await create(body)];
    expect([second.status, second.body]).toEqual([201, first.body]);
    const other = await create({ ...body, lineItems: [{ label: 'Repair', priceUsd: 81 }] });
    expect(other.status).toBe(400);
    expect(other.body).toStrictEqual(refusal('invalid_input', { field: 'id' }));
    const foreign = await server.merchant();
    expect((await create({ id: 'inv-4', lineItems: [{ label: 'x', priceUsd: 1 }] }, foreign.auth)).status).toBe(201);
  });

  // Contract: receipts.options, receipts.redirect-url, receipts.record-billing
  test('takes the optional parameters of orders, each under any of its names', async () => {
    const made = await create({
      id: 'options',
      lineItems,
      redirectUrl: 'https://shop.example/onramp',
      success_redirect_url: 'https://shop.example/thanks',
      onSuccess: 'https://shop.example/next',
      customer_email: 'ann@lee.test',
      buyerFirstName: 'Ann',
      customer_last_name: 'Lee',
      billing_email: 'bill@lee.test',
      buyerPhone: '+1 555',
      billingAddressLine1: '1 Road',
      address_line_2: 'b',
      customerAddressCity: 'Town',
      region: 'CA',
      postal_code: '94110',
      country: 'us',
    });
    expect([made.status, made.body.redirectUrl]).toEqual([201, 'https://shop.example/onramp']);
    expect((await read('options')).body.billingAddress).toStrictEqual({
      firstName: 'Ann',
      lastName: 'Lee',
      phone: '+1 555',
      email: 'bill@lee.test',
      line1: '1 Road',
      line2: 'b',
      city: 'Town',
      state: 'CA',
      zip: '94110',
      country: 'US',
    });
    const wrong = await create({ id: 'options-2', lineItems, buyer_phone: 7 });
    expect([wrong.status, wrong.body]).toEqual([400, refusal('invalid_input', { field: 'buyer_phone' })]);
  });

  // Contract: receipts.native-lines, receipts.amount, receipts.total, receipts.currency
  test('the native format in dollars is taken: amount, total, qty that is not multiplied', async () => {
    const { status } = await create({
      id: 'nat-1',
      currency: 'usd',
      lineItems: [{ label: 'x', amount: 25.5, qty: 3 }],
      total: 25.5,
    });
    expect(status).toBe(201);
    expect((await read('nat-1')).body).toMatchObject({ totalUsd: 25.5, lineItems: [{ label: 'x', priceUsd: 25.5 }] });
  });

  test('a total of 0 is completed without payment', async () => {
    const made = await create({
      id: 'zero',
      lineItems: [
        { label: 'x', priceUsd: 5 },
        { label: 'gift', priceUsd: -5 },
      ],
    });
    expect(made.status).toBe(201);
    expect((await read('zero')).body).toMatchObject({ totalUsd: 0, status: 'completed' });
  });

  // Contract: receipts.id, receipts.total, receipts.total-usd, receipts.mixed-formats, receipts.create-invalid
  // Contract: receipts.one-currency, receipts.two-decimals
  test.each([
    ['no id', { lineItems }, 'id'],
    ['an id with a slash', { id: 'a/b', lineItems }, 'id'],
    ['an id of a route', { id: 'status', lineItems }, 'id'],
    ['no lines', { id: 'bad' }, 'lineItems'],
    ['empty lines', { id: 'bad', lineItems: [] }, 'lineItems'],
    ['a line without price', { id: 'bad', lineItems: [{ label: 'x' }] }, 'lineItems[0].priceUsd'],
    ['a line without label', { id: 'bad', lineItems: [{ priceUsd: 1 }] }, 'lineItems[0].label'],
    ['a price in quotes', { id: 'bad', lineItems: [{ label: 'x', priceUsd: '1' }] }, 'lineItems[0].priceUsd'],
    ['three decimals', { id: 'bad', lineItems: [{ label: 'x', amount: 1.005 }] }, 'lineItems[0].amount'],
    [
      'mixed formats',
      {
        id: 'bad',
        lineItems: [
          { label: 'x', amount: 1 },
          { label: 'y', priceUsd: 1 },
        ],
      },
      'lineItems[1].priceUsd',
    ],
    ['native lines with totalUsd', { id: 'bad', lineItems: [{ label: 'x', amount: 1 }], totalUsd: 1 }, 'totalUsd'],
    ['a total that is not the sum', { id: 'bad', lineItems, totalUsd: 74.51 }, 'totalUsd'],
    ['a native total that is not the sum', { id: 'bad', lineItems: [{ label: 'x', amount: 1 }], total: 2 }, 'total'],
    ['a sum below 0', { id: 'bad', lineItems: [{ label: 'x', priceUsd: -1 }] }, 'lineItems'],
    ['an unsupported currency', { id: 'bad', lineItems: [{ label: 'x', amount: 1 }], currency: 'GBP' }, 'currency'],
  ])('refuses %s with 400 invalid_input naming the field', async (_, body, field) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual(refusal('invalid_input', { field }));
    expect((await read('bad')).status).toBe(404);
  });

  // Contract: receipts.create-no-rate, native.rate-missing, errors.exchange-rate
  test('a currency without a rate is 503 exchange_rate_unavailable, and nothing is created', async () => {
    const answer = await create({ id: 'no-rate', currency: 'EUR', lineItems: [{ label: 'x', amount: 1 }] });
    expect([answer.status, answer.body.error]).toEqual([503, 'exchange_rate_unavailable']);
    expect((await read('no-rate')).status).toBe(404);
  });

  // Contract: service.split-first
  test('a merchant without split is refused with 403 split_required; form comes first', async () => {
    const bare = await server.merchant({ split: false });
    const answer = await create({ id: 'bare', lineItems }, bare.auth);
    expect(answer.status).toBe(403);
    expect(answer.body).toStrictEqual(refusal('split_required'));
    expect((await create({ id: 'bare' }, bare.auth)).body.error).toBe('invalid_input');
    expect((await read('bare', bare.auth)).status).toBe(404);
  });

  // Contract: webhooks.secret
  test('a webhook needs a key to be signed with: an admin’s session is refused', async () => {
    const session = await server.signIn(merchant.account);
    const answer = await create({ id: 'hook', lineItems, webhookUrl: 'https://hooks.example.com/' }, session);
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual(refusal('invalid_input', { field: 'webhookUrl' }));
  });
});

describe('GET /api/receipts/{id}', () => {
  // Contract: receipts.record, receipts.record-tax, receipts.record-billing
  test('answers the receipt record, and no other field', async () => {
    await stock(server, merchant, [{ sku: 'TEA', name: 'Tea', priceUsd: 10 }]);
    const billingAddress = {
      firstName: 'Ann',
      lastName: 'Lee',
      phone: '1',
      email: 'ann@lee.test',
      line1: 'a',
      line2: 'b',
      city: 'c',
      state: 'CA',
      zip: '9',
      country: 'US',
    };
    const made = await server.call('POST', '/api/orders', {
      headers: merchant.auth,
      body: {
        items: [{ sku: 'TEA', qty: 2 }],
        jurisdictionCode: 'US-CA',
        ...billingAddress,
      },
    });
    const { receiptId } = made.body.receipt;
    const { status, body } = await read(receiptId);
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      receiptId,
      totalUsd: 21.56,
      expiresAt: expect.any(Number),
      currency: 'USD',
      lineItems: [
        { label: 'Tea', priceUsd: 20 },
        { label: 'Tax', priceUsd: 1.45 },
        { label: 'Processing Fee', priceUsd: 0.11 },
      ],
      createdAt: MILLIS,
      brandName: 'Corner Shop',
      status: 'generated',
      jurisdictionCode: 'US-CA',
      taxRate: 0.0725,
      taxComponents: made.body.receipt.taxComponents,
      transactionHash: null,
      transactionTimestamp: null,
      billingAddress,
    });
  });

  // Contract: receipts.record-unknown, errors.not-found
  test('an unknown or foreign receipt is 404 not_found', async () => {
    const other = await server.merchant();
    await create({ id: 'theirs', lineItems }, other.auth);
    for (const id of ['R-nothing', 'theirs']) {
      const answer = await read(id);
      expect(answer.status).toBe(404);
      expect(answer.body).toStrictEqual({ error: 'not_found', message: 'Receipt not found' });
    }
  });
});

describe('GET /api/receipts', () => {
  // Contract: receipts.list, receipts.list-fields
  test('answers list items, newest first, and no other field', async () => {
    const own = await server.merchant({ name: 'List' });
    for (const id of ['first', 'second', 'third']) await create({ id, lineItems, totalUsd: 74.5 }, own.auth);
    const { status, body } = await server.call('GET', '/api/receipts?limit=2', { headers: own.auth });
    expect(status).toBe(200);
    const item = {
      totalUsd: 74.5,
      currency: 'USD',
      lineItems,
      createdAt: MILLIS,
      brandName: 'List',
      status: 'pending',
    };
    expect(body).toStrictEqual({
      receipts: [
        { receiptId: 'third', ...item },
        { receiptId: 'second', ...item },
      ],
      nextCursor: expect.any(String),
    });
    const all = await server.call('GET', '/api/receipts', { headers: own.auth });
    expect([Object.keys(all.body), all.body.receipts.length]).toEqual([['receipts'], 3]);
  });

  // Contract: receipts.list-limit, limits.receipts
  test('answers a hundred where no limit is given, and up to two hundred', async () => {
    const own = await server.merchant();
    const ids = Array.from({ length: 201 }, (_, i) => `many-${i}`);
    await Promise.all(ids.map((id) => create({ id, lineItems }, own.auth)));
    for (const [query, count] of [
      ['', 100],
      ['?limit=200', 200],
      ['?limit=1', 1],
    ] as const) {
      const { body } = await server.call('GET', `/api/receipts${query}`, { headers: own.auth });
      expect([query, body.receipts.length]).toEqual([query, count]);
    }
  });

  // Contract: receipts.list-limit, limits.receipts
  test.each(['0', '201', '-1', '1.5', 'x', '1e2', ''])('refuses limit=%s with 400 invalid_input', async (limit) => {
    const answer = await server.call('GET', `/api/receipts?limit=${limit}`, { headers: merchant.auth });
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual(refusal('invalid_input', { field: 'limit' }));
  });

  // Contract: receipts.list-limit, limits.receipts
  test.each(['1', '200'])('takes limit=%s', async (limit) => {
    expect((await server.call('GET', `/api/receipts?limit=${limit}`, { headers: merchant.auth })).status).toBe(200);
  });
});
