import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { runStatement } from '../support/statement.ts';

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
const platform = newAccount();
let platformSession: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer({ env: { PLATFORM_ADMINS: platform.address } });
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
  platformSession = await server.signIn(platform);
});
afterAll(() => server?.stop());

const terminal = (body: unknown, headers: Record<string, string> = session) =>
  server.call('POST', '/api/receipts/terminal', { headers, body });
const graphql = (query: string, variables: unknown, headers: Record<string, string>) =>
  server.call('POST', '/api/graphql', { headers, body: { query, variables } });
const CREATE = `mutation ($input: TerminalReceiptInput!, $key: String) {
  createTerminalReceipt(input: $input, idempotencyKey: $key) { receiptId merchant status totalUsd lineItems { label priceUsd } } }`;
const create = (input: unknown, headers = session, key?: string) => graphql(CREATE, { input, key }, headers);
const receiptsOf = async () => (await server.call('GET', '/api/receipts', { headers: merchant.auth })).body.receipts;

describe('POST /api/receipts/terminal', () => {
  // Contract: terminal.success, terminal.generated, terminal.correlation
  test('an amount bears tax and fee by the rules of orders and is a receipt like any other', async () => {
    const { status, body, headers } = await terminal({ amountUsd: 100, label: 'Table 4', taxRate: 0.095 });
    expect(status).toBe(200);
    expect(headers.get('x-correlation-id')).toMatch(/./);
    expect(body).toEqual({
      ok: true,
      checkoutToken: expect.any(String),
      paymentUrl: expect.stringContaining(`/portal/${body.receipt.receiptId}?recipient=`),
      expiresAt: expect.any(Number),
      receipt: {
        receiptId: expect.stringMatching(/^R-/),
        totalUsd: 110.05,
        currency: 'USD',
        lineItems: [
          { label: 'Table 4', priceUsd: 100, qty: 1 },
          { label: 'Tax', priceUsd: 9.5 },
          { label: 'Processing Fee', priceUsd: 0.55 },
        ],
        createdAt: expect.any(Number),
        brandName: 'Test Shop',
        status: 'generated',
        taxRate: 0.095,
        taxComponents: [],
      },
    });
    const read = await server.call('GET', `/api/receipts/${body.receipt.receiptId}`, { headers: merchant.auth });
    expect(read.body).toMatchObject({ totalUsd: 110.05, status: 'generated', taxRate: 0.095 });
  });

  // Contract: terminal.success
  test("the merchant's add-on raises the fee, and a jurisdiction taxes it", async () => {
    const shop = await server.merchant();
    const headers = await server.signIn(shop.account);
    await server.call('POST', '/api/shop/config', { headers, body: { processingFeePct: 1.5 } });
    const { body } = await terminal({ amountUsd: 25, jurisdictionCode: 'US-CA' }, headers);
    expect(body.receipt).toMatchObject({ jurisdictionCode: 'US-CA', taxRate: 0.0725, taxComponents: ['state'] });
    expect(body.receipt.lineItems.map((line: { priceUsd: number }) => line.priceUsd)).toEqual([25, 1.81, 0.54]);
    expect(body.receipt.totalUsd).toBe(27.35);
  });

  // Contract: terminal.native
  test('the native form is taxed in its own currency, then converted, and adds up', async () => {
    const { status, body } = await terminal({ amount: 25.5, currency: 'eur', taxRate: 0.19 });
    expect(status).toBe(200);
    // 25.50 + 4.85 (4.845) + 0.15 (0.15175) = 30.50 EUR, at 1.0842 = 33.0681 USD.
    expect(body.receipt).toMatchObject({
      currency: 'EUR',
      totalUsd: 33.07,
      lineItems: [
        { label: 'Payment', priceUsd: 27.65 },
        { label: 'Tax', priceUsd: 5.26 },
        { label: 'Processing Fee', priceUsd: 0.16 },
      ],
      pricing: { version: 1, currency: 'EUR', usdPerUnit: 1.0842, provider: 'static', originalTotal: 30.5 },
    });
    expect(body.receipt.pricing.originalLineItems).toEqual([
      { label: 'Payment', amount: 25.5, qty: 1 },
      { label: 'Tax', amount: 4.85 },
      { label: 'Processing Fee', amount: 0.15 },
    ]);
  });

  test('a tip is a line of its own, in the currency of the amount and without tax', async () => {
    const { status, body } = await terminal({ amount: 10, currency: 'USD', tip: 1.5, taxRate: 0.1 });
    expect(status).toBe(200);
    const lines = body.receipt.lineItems.map(({ label, priceUsd }: { label: string; priceUsd: number }) => [
      label,
      priceUsd,
    ]);
    expect(lines).toEqual([
      ['Payment', 10],
      ['Tip', 1.5],
      ['Tax', 1],
      ['Processing Fee', 0.06],
    ]);
    const refused = await terminal({ amountUsd: 10, tip: -1 });
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_input', 'tip']);
  });

  test('a native amount without a currency is in the native currency of the merchant', async () => {
    const shop = await server.merchant();
    const headers = await server.signIn(shop.account);
    expect((await terminal({ amount: 10 }, headers)).body.receipt.currency).toBe('USD');
  });

  // Contract: terminal.invalid-amount, errors.form-codes
  test.each([
    ['no amount', {}, 'invalid_amount'],
    ['an amount of 0', { amountUsd: 0 }, 'invalid_amount'],
    ['a negative amount', { amount: -1, currency: 'EUR' }, 'invalid_amount'],
    ['three decimals', { amountUsd: 1.005 }, 'invalid_amount'],
    ['more than 10,000,000.00', { amountUsd: 10_000_000.01 }, 'invalid_amount'],
    ['both forms at once', { amountUsd: 10, amount: 10, currency: 'EUR' }, 'invalid_input'],
    ['euros in the dollar form', { amountUsd: 10, currency: 'EUR' }, 'invalid_input'],
    ['an unknown currency', { amount: 10, currency: 'GBP' }, 'invalid_input'],
    ['a tax rate above 1', { amountUsd: 10, taxRate: 1.5 }, 'invalid_input'],
    ['an unknown jurisdiction', { amountUsd: 10, jurisdictionCode: 'XX-YY' }, 'invalid_input'],
    ['an unknown component', { amountUsd: 10, jurisdictionCode: 'US-CA', taxComponents: ['moon'] }, 'invalid_input'],
    ['no object', [1], 'invalid_input'],
  ])('%s is refused and nothing is made, over REST and GraphQL', async (_, body, code) => {
    const before = await receiptsOf();
    expect(await terminal(body)).toMatchObject({ status: 400, body: { error: code } });
    expect((await create(body)).body.errors[0].extensions.code).toBe(code);
    expect(await receiptsOf()).toEqual(before);
  });

  // Contract: terminal.invalid-amount
  test.each(['1e400', '"10"', 'true', '1e-7', '[]'])('%s is not an amount', async (text) => {
    const raw = `{"amountUsd":${text}}`;
    const answer = await server.call('POST', '/api/receipts/terminal', { headers: session, raw });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_amount' } });
    // The bounds are named, so that a cashier knows what to type.
    expect(answer.body.message).toMatch(/0\.01 to 10000000\.00 with at most two decimals/);
  });

  // Contract: terminal.split-required, service.split-first
  test('without a split it is refused with split_required', async () => {
    const shop = await server.merchant({ split: false });
    const headers = await server.signIn(shop.account);
    expect(await terminal({ amountUsd: 5 }, headers)).toMatchObject({ status: 403, body: { error: 'split_required' } });
    expect((await create({ amountUsd: 5 }, headers)).body.errors[0].extensions.code).toBe('split_required');
  });

  // Contract: terminal.refused, service.admin-only
  test('a key, a session without CSRF token or another wallet cannot create one', async () => {
    const stranger = await server.signIn(newAccount());
    const { 'x-csrf-token': _, ...withoutCsrf } = session;
    for (const headers of [merchant.auth, withoutCsrf, stranger] as Record<string, string>[]) {
      expect(await terminal({ amountUsd: 5 }, headers)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
      expect((await create({ amountUsd: 5 }, headers)).body.errors[0].extensions.code).toBe('forbidden');
    }
    expect(await terminal({ amountUsd: 5 }, {})).toMatchObject({
      status: 401,
      body: { error: 'unauthorized', message: 'JWT authentication failed' },
    });
  });

  // Contract: terminal.wallet, terminal.wallet-required, errors.form-codes
  test('a platform admin must name the merchant, otherwise wallet_required', async () => {
    expect(await terminal({ amountUsd: 5 }, platformSession)).toMatchObject({
      status: 400,
      body: { error: 'wallet_required' },
    });
    expect((await create({ amountUsd: 5 }, platformSession)).body.errors[0].extensions.code).toBe('wallet_required');

    const byHeader = await terminal({ amountUsd: 5 }, { ...platformSession, 'x-wallet': merchant.wallet });
    expect(byHeader.status).toBe(200);
    expect((await receiptsOf())[0].receiptId).toBe(byHeader.body.receipt.receiptId);
    const byBody = await terminal({ amountUsd: 6, wallet: merchant.account.address }, platformSession);
    expect(byBody.status).toBe(200);
    expect((await create({ amountUsd: 7, wallet: merchant.wallet }, platformSession)).body).toMatchObject({
      data: { createTerminalReceipt: { merchant: merchant.wallet, status: 'generated', totalUsd: 7.04 } },
    });
  });

  test('no other caller can act for another merchant', async () => {
    const other = await server.merchant();
    const named = { ...session, 'x-wallet': other.wallet };
    expect(await terminal({ amountUsd: 5 }, named)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    const inBody = await terminal({ amountUsd: 5, wallet: other.wallet });
    expect(inBody).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    expect((await create({ amountUsd: 5, wallet: other.wallet })).body.errors[0].extensions.code).toBe('forbidden');
    expect(await terminal({ amountUsd: 5, wallet: 'me' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_wallet' },
    });
  });

  test('the same Idempotency-Key answers the same receipt, and refuses another body', async () => {
    const headers = { ...session, 'idempotency-key': 'till-1' };
    const [first, again] = await Promise.all([
      terminal({ amountUsd: 9 }, headers),
      terminal({ amountUsd: 9 }, headers),
    ]);
    expect(first.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await terminal({ amountUsd: 10 }, headers)).toMatchObject({ status: 400, body: { error: 'invalid_input' } });
    const one = await create({ amountUsd: 11 }, session, 'till-2');
    expect((await create({ amountUsd: 11 }, session, 'till-2')).body).toEqual(one.body);
  });
});

describe('GET /api/terminal/check-payment', () => {
  const check = (receiptId: string, headers: Record<string, string>) =>
    server.call('GET', `/api/terminal/check-payment?receiptId=${receiptId}`, { headers });
  const CHECK = 'query ($id: ID!) { checkPayment(receiptId: $id) { receiptId status paid transactionHash } }';

  // Contract: terminal.check
  test('reports whether a receipt is paid to a key with receipts:read, the admin and a platform admin', async () => {
    const { receiptId } = (await terminal({ amountUsd: 5 })).body.receipt;
    const expected = { receiptId, status: 'generated', paid: false, transactionHash: null };
    for (const headers of [merchant.auth, session, { ...platformSession, 'x-wallet': merchant.wallet }]) {
      expect(await check(receiptId, headers)).toMatchObject({ status: 200, body: { ok: true, ...expected } });
    }
    expect((await graphql(CHECK, { id: receiptId }, merchant.auth)).body).toEqual({ data: { checkPayment: expected } });

    const hash = `0x${'ab'.repeat(32)}`;
    for (const [status, shown, paid] of [
      ['tx_mined', 'pending', false],
      ['paid', 'paid', true],
      ['completed', 'completed', true],
      ['refunded', 'refunded', false],
    ] as const) {
      await runStatement(
        server.deps.db,
        {
          name: 'test-move',
          text: 'update receipts set status = $3, transaction_hash = $4 where merchant = $1 and id = $2',
        },
        [merchant.wallet, receiptId, status, hash],
      );
      const { body } = await check(receiptId, merchant.auth);
      expect(body).toEqual({ ok: true, receiptId, status: shown, paid, transactionHash: hash });
    }
  });

  test('an unknown receipt, another merchant’s and a missing id are refused', async () => {
    const { receiptId } = (await terminal({ amountUsd: 5 })).body.receipt;
    const other = await server.merchant();
    expect(await check('R-none', merchant.auth)).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect(await check(receiptId, other.auth)).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect((await graphql(CHECK, { id: receiptId }, other.auth)).body.errors[0].extensions.code).toBe('not_found');
    expect(await check('', merchant.auth)).toMatchObject({ status: 400, body: { error: 'invalid_input' } });
  });

  test('a key without receipts:read is refused', async () => {
    const { auth } = await server.merchant({ scopes: ['orders:create', 'graphql:read'] });
    expect(await check('R-1', auth)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    expect((await graphql(CHECK, { id: 'R-1' }, auth)).body.errors[0].extensions.code).toBe('forbidden');
    expect(await check('R-1', {})).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
  });
});
