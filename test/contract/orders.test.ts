import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pngOf } from '../support/picture.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { MILLIS, refusal, stock } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
let ids: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant({ name: 'Corner Shop' });
  ids = await stock(server, merchant, [
    { sku: 'HUNDRED', name: 'A hundred', priceUsd: 100 },
    { sku: 'QUARTER', priceUsd: 25 },
    { sku: 'BOOK', priceUsd: 10, taxable: false },
    { sku: 'FEW', priceUsd: 1, stockQty: 2 },
  ]);
});
afterAll(() => server.stop());

const order = (body: unknown, headers: Record<string, string> = {}) =>
  server.call('POST', '/api/orders', { headers: { ...merchant.auth, ...headers }, body });
const amounts = (receipt: { lineItems: { label: string; priceUsd: number }[]; totalUsd: number }) => [
  ...receipt.lineItems.map((line) => line.priceUsd),
  receipt.totalUsd,
];

describe('POST /api/orders', () => {
  // Contract: orders.items, orders.item-id, orders.item-sku, orders.item-qty, orders.jurisdiction, orders.success
  // Contract: orders.receipt-id, orders.total-usd, orders.receipt-currency, orders.line-items, orders.tax-line
  // Contract: orders.created-at, orders.brand-name, orders.status, orders.receipt-jurisdiction, orders.receipt-tax-rate
  // Contract: orders.receipt-components, orders.transaction-id, orders.metadata, orders.option-reference
  // Contract: orders.option-metadata, conventions.timestamps, conventions.usd, conventions.ids, states.order-generated
  // Contract: states.record
  test('answers the order response record, and no other field', async () => {
    const { status, body } = await order({
      items: [
        { sku: 'HUNDRED', qty: 1 },
        { id: ids.BOOK, qty: 2 },
      ],
      jurisdictionCode: 'US-CA',
      transactionId: 'ref-77',
      metadata: { table: 4, tags: ['a'] },
    });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      ok: true,
      checkoutToken: expect.any(String),
      paymentUrl: `${server.url}/portal/${body.receipt.receiptId}?recipient=${merchant.wallet}`,
      expiresAt: expect.any(Number),
      receipt: {
        receiptId: expect.stringMatching(/^R-[\w-]{20,}$/),
        totalUsd: 127.89,
        currency: 'USD',
        lineItems: [
          {
            label: 'A hundred',
            priceUsd: 100,
            qty: 1,
            thumb: expect.stringMatching(/^data:image\//),
            itemId: ids.HUNDRED,
            sku: 'HUNDRED',
          },
          {
            label: 'BOOK',
            priceUsd: 20,
            qty: 2,
            thumb: expect.stringMatching(/^data:image\//),
            itemId: ids.BOOK,
            sku: 'BOOK',
          },
          { label: 'Tax', priceUsd: 7.25 },
          { label: 'Processing Fee', priceUsd: 0.64 },
        ],
        createdAt: MILLIS,
        brandName: 'Corner Shop',
        status: 'generated',
        jurisdictionCode: 'US-CA',
        taxRate: 0.0725,
        taxComponents: expect.any(Array),
        transactionId: 'ref-77',
        metadata: { table: 4, tags: ['a'] },
      },
    });
  });

  // Contract: orders.line-items
  test('shows an item’s own picture where that is a data URI, and never an address', async () => {
    const own = pngOf('');
    for (const [sku, thumb, shown] of [
      ['OWN', own, own],
      ['ADDRESS', 'https://cdn.example/tea.png', expect.stringMatching(/^data:image\//)],
    ] as const) {
      const body = { sku, name: sku, priceUsd: 1, thumb };
      await server.call('POST', '/api/inventory', { headers: merchant.auth, body });
      const { receipt } = (await order({ items: [{ sku, qty: 1 }] })).body;
      expect(receipt.lineItems[0].thumb).toEqual(shown);
      const query = 'query ($id: ID!) { receipt(receiptId: $id) { lineItems { thumb } } }';
      const variables = { id: receipt.receiptId };
      const read = await server.call('POST', '/api/graphql', { headers: merchant.auth, body: { query, variables } });
      expect(read.body.data.receipt.lineItems[0].thumb).toEqual(shown);
    }
  });

  test('shows the tile in place of a picture of more than 4 KiB, and offers its address in GraphQL', async () => {
    const large = pngOf(Buffer.alloc(30_000, 7));
    const post = async (query: string, variables: object) =>
      (await server.call('POST', '/api/graphql', { headers: merchant.auth, body: { query, variables } })).body.data;
    for (const [sku, thumb, address] of [
      ['LARGE', large, expect.stringMatching(new RegExp(`^${server.url}/images/[0-9a-f]{64}$`))],
      ['ELSEWHERE', 'https://cdn.example/tea.png', 'https://cdn.example/tea.png'],
      ['NONE', null, null],
    ] as const) {
      await server.call('POST', '/api/inventory', {
        headers: merchant.auth,
        body: { sku, name: sku, priceUsd: 1, thumb },
      });
      const { receipt } = (await order({ items: [{ sku, qty: 1 }] })).body;
      expect(receipt.lineItems[0].thumb.length).toBeLessThan(300);
      expect(receipt.lineItems[0]).not.toHaveProperty('thumbUrl');
      const text =
        'query ($id: ID!, $item: ID!) { receipt(receiptId: $id) { lineItems { thumb thumbUrl } } inventoryItem(by: { id: $item }) { thumbUrl } }';
      const read = await post(text, { id: receipt.receiptId, item: receipt.lineItems[0].itemId });
      expect(read.receipt.lineItems[0]).toEqual({ thumb: receipt.lineItems[0].thumb, thumbUrl: address });
      expect(read.receipt.lineItems.at(-1).thumbUrl).toBe(null);
      expect(read.inventoryItem.thumbUrl).toEqual(address);
      if (sku !== 'LARGE') continue;
      const answer = await fetch(read.inventoryItem.thumbUrl);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(large.split(',')[1]!, 'base64'));
    }
  });

  // Contract: orders.transaction-id, orders.metadata
  test('omits reference, metadata and jurisdiction if they were not sent', async () => {
    const { body } = await order({ items: [{ sku: 'BOOK', qty: 1 }] });
    expect(body.receipt).toMatchObject({ taxRate: 0, taxComponents: [] });
    for (const name of ['transactionId', 'metadata', 'jurisdictionCode', 'pricing'])
      expect(body.receipt).not.toHaveProperty(name);
  });

  // Contract: money.fee, money.total, limits.fee, orders.tax-rate
  test('computes 110.05 for 100.00 at 9.5 %, and a tax of 2.38 for 25.00 at 9.5 %', async () => {
    const hundred = await order({ items: [{ sku: 'HUNDRED', qty: 1 }], taxRate: 0.095 });
    expect(amounts(hundred.body.receipt)).toEqual([100, 9.5, 0.55, 110.05]);
    expect(hundred.body.receipt).toMatchObject({ taxRate: 0.095, taxComponents: [] });
    const quarter = await order({ items: [{ sku: 'QUARTER', qty: 1 }], taxRate: 0.095 });
    expect(amounts(quarter.body.receipt)).toEqual([25, 2.38, 0.14, 27.52]);
  });

  // Contract: orders.tax-rate, limits.tax-rate, orders.receipt-tax-rate
  test.each([0, 8.2 / 100, 1 / 3, 1])('takes a manual rate of %d, with all its digits', async (taxRate) => {
    const { status, body } = await order({ items: [{ sku: 'HUNDRED', qty: 1 }], taxRate });
    expect([status, body.receipt?.taxRate]).toEqual([200, taxRate]);
    expect(body.receipt.lineItems[1]).toEqual({ label: 'Tax', priceUsd: Math.round(taxRate * 10_000) / 100 });
  });

  // Contract: money.fee-percentage, limits.fee, merchant.processing-fee
  test('a merchant add-on of 1.5 % makes the fee 2 %: 111.69', async () => {
    const own = await server.merchant();
    await stock(server, own, [{ sku: 'HUNDRED', priceUsd: 100 }]);
    const session = await server.signIn(own.account);
    await server.call('POST', '/api/shop/config', { headers: session, body: { processingFeePct: 1.5 } });
    const { body } = await server.call('POST', '/api/orders', {
      headers: own.auth,
      body: { items: [{ sku: 'HUNDRED', qty: 1 }], taxRate: 0.095 },
    });
    expect(amounts(body.receipt)).toEqual([100, 9.5, 2.19, 111.69]);
  });

  // Contract: money.taxable-only, money.rate-source, inventory.taxable
  test('a manual rate has priority over the jurisdiction’s, and tax-exempt items have no tax', async () => {
    const { body } = await order({
      items: [
        { sku: 'BOOK', qty: 3 },
        { sku: 'HUNDRED', qty: 1 },
      ],
      taxRate: 0.1,
      jurisdictionCode: 'US-CA',
    });
    expect(amounts(body.receipt)).toEqual([30, 100, 10, 0.7, 140.7]);
    expect(body.receipt).toMatchObject({ taxRate: 0.1, jurisdictionCode: 'US-CA' });
  });

  // Contract: orders.tax-components, orders.receipt-components, orders.jurisdiction, money.rate-components
  test('only the named components of a jurisdiction are applied', async () => {
    const session = await server.signIn(merchant.account);
    const components = [
      { code: 'state', rate: 0.0725 },
      { code: 'county', rate: 0.0025 },
      { code: 'district', rate: 0.02 },
    ];
    const query = 'mutation ($input: TaxJurisdictionInput!) { saveJurisdiction(input: $input) { code } }';
    const variables = { input: { code: 'US-CA-LA', components } };
    await server.call('POST', '/api/graphql', { headers: session, body: { query, variables } });
    for (const [taxComponents, taxRate, applied, tax] of [
      [undefined, 0.095, ['state', 'county', 'district'], 9.5],
      [['state', 'county'], 0.075, ['state', 'county'], 7.5],
      [['district'], 0.02, ['district'], 2],
    ] as const) {
      const items = [{ sku: 'HUNDRED', qty: 1 }];
      const { receipt } = (await order({ items, jurisdictionCode: 'US-CA-LA', taxComponents })).body;
      expect(receipt).toMatchObject({ jurisdictionCode: 'US-CA-LA', taxRate, taxComponents: applied });
      expect(receipt.lineItems[1]).toEqual({ label: 'Tax', priceUsd: tax });
    }
  });

  // Contract: orders.item-id, orders.item-sku, inventory.id
  test('the id has priority over the sku', async () => {
    const { body } = await order({ items: [{ id: ids.BOOK, sku: 'HUNDRED', qty: 1 }] });
    expect(body.receipt.lineItems[0]).toMatchObject({ itemId: ids.BOOK, sku: 'BOOK', priceUsd: 10 });
  });

  // Contract: auth.no-key-needed
  test('takes an admin’s session with its CSRF token', async () => {
    const session = await server.signIn(merchant.account);
    const answer = await server.call('POST', '/api/orders', {
      headers: session,
      body: { items: [{ sku: 'BOOK', qty: 1 }] },
    });
    expect(answer.status).toBe(200);
  });

  // Contract: orders.option-email, orders.option-names, orders.option-address, orders.option-reference
  // Contract: orders.option-aliases, receipts.record-billing
  test('takes every name of an optional parameter, in camelCase and snake_case; the first one wins', async () => {
    const billing = async (body: object) => {
      const made = await order({ items: [{ sku: 'BOOK', qty: 1 }], ...body });
      expect(made.status, JSON.stringify(made.body)).toBe(200);
      const { receiptId } = made.body.receipt;
      return (await server.call('GET', `/api/receipts/${receiptId}`, { headers: merchant.auth })).body.billingAddress;
    };
    expect(await billing({ buyerEmail: 'a@b.test' })).toEqual({ email: 'a@b.test' });
    expect(await billing({ customer_email: 'a@b.test', billing_email: 'c@d.test' })).toEqual({ email: 'c@d.test' });
    expect(await billing({ firstName: 'A', buyerFirstName: 'B', customerLastName: 'C' })).toEqual({
      firstName: 'A',
      lastName: 'C',
    });
    expect(await billing({ billing_address_line1: '1 Road', addressLine2: 'b', city: 'X', region: 'CA' })).toEqual({
      line1: '1 Road',
      line2: 'b',
      city: 'X',
      state: 'CA',
    });
    expect(await billing({ billingAddressPostalCode: '94110', country: 'us', buyer_phone: '+1 555' })).toEqual({
      zip: '94110',
      country: 'US',
      phone: '+1 555',
    });
    expect(await billing({ billingAddress: { firstName: 'Ann', zip: '1' } })).toEqual({ firstName: 'Ann', zip: '1' });
    expect(await billing({})).toBeUndefined();
    for (const name of ['transactionId', 'clientTransactionId', 'external_transaction_id', 'referenceId']) {
      const { body } = await order({ items: [{ sku: 'BOOK', qty: 1 }], [name]: 'T-1' });
      expect(body.receipt.transactionId).toBe('T-1');
    }
  });

  test('refuses an alias of the wrong type by its name', async () => {
    const answer = await order({ items: [{ sku: 'BOOK', qty: 1 }], customer_email: 7 });
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual(refusal('invalid_input', { field: 'customer_email' }));
  });

  test('an order above the stock is refused with the sku, and an order does not take stock', async () => {
    const tooMany = await order({
      items: [
        { sku: 'FEW', qty: 2 },
        { sku: 'FEW', qty: 1 },
      ],
    });
    expect(tooMany.status).toBe(400);
    expect(tooMany.body).toStrictEqual(
      refusal('invalid_input', { reason: 'out_of_stock', sku: 'FEW', most: expect.any(Number) }),
    );
    for (let i = 0; i < 2; i++) expect((await order({ items: [{ sku: 'FEW', qty: 2 }] })).status).toBe(200);
    const { body } = await server.call('GET', '/api/inventory?q=FEW', { headers: merchant.auth });
    expect(body.items[0].stockQty).toBe(2);
  });

  test('an order with a total of zero is completed without payment', async () => {
    await stock(server, merchant, [{ sku: 'FREE', priceUsd: 0 }]);
    const { body } = await order({ items: [{ sku: 'FREE', qty: 1 }] });
    expect(body.receipt).toMatchObject({ totalUsd: 0, status: 'completed' });
  });
});

describe('Idempotency-Key on POST /api/orders', () => {
  const body = { items: [{ sku: 'BOOK', qty: 1 }], metadata: { b: 1, a: 2 } };

  test('the same key and body answer the same receipt, also at the same time', async () => {
    const again = { metadata: { a: 2, b: 1 }, items: [{ qty: 1, sku: 'BOOK' }] };
    const answers = await Promise.all([body, again, body].map((sent) => order(sent, { 'idempotency-key': 'k-1' })));
    answers.push(await order(body, { 'idempotency-key': 'k-1' }));
    expect(new Set(answers.map((answer) => answer.body.receipt.receiptId)).size).toBe(1);
    for (const answer of answers) expect(answer.body).toEqual(answers[0]!.body);
  });

  test('the same key with another body is 400 invalid_input', async () => {
    await order(body, { 'idempotency-key': 'k-2' });
    const answer = await order({ items: [{ sku: 'BOOK', qty: 2 }] }, { 'idempotency-key': 'k-2' });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_input']);
  });

  test('a refused order does not use the key up, and keys of other merchants are independent', async () => {
    const refused = await order({ items: [{ sku: 'nothing', qty: 1 }] }, { 'idempotency-key': 'k-3' });
    expect(refused.status).toBe(400);
    expect((await order(body, { 'idempotency-key': 'k-3' })).status).toBe(200);
    const other = await server.merchant();
    await stock(server, other, [{ sku: 'BOOK', priceUsd: 1 }]);
    const answer = await server.call('POST', '/api/orders', {
      headers: { ...other.auth, 'idempotency-key': 'k-3' },
      body,
    });
    expect([answer.status, answer.body.receipt.lineItems[0].priceUsd]).toEqual([200, 1]);
  });
});
