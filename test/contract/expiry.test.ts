import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireReceipts } from '../../src/domain/sales/receipts/end.ts';
import { RECEIPT } from '../../src/domain/sales/receipts/lifecycle.ts';
import { renewReceipt } from '../../src/domain/sales/receipts/renew.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { breakReceipt, mendReceipt } from '../support/broken-receipt.ts';
import { openReceiver } from '../support/receiver.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
let platformSession: Record<string, string>;
const platform = newAccount();
let shiftMs = 0;
beforeAll(async () => {
  server = await startTestServer({
    clock: () => Date.now() + shiftMs,
    env: { PLATFORM_ADMINS: platform.address },
    worker: true,
  });
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
  platformSession = await server.signIn(platform);
  await server.call('POST', '/api/inventory', {
    headers: merchant.auth,
    body: { sku: 'CUP', name: 'A cup', priceUsd: 3, stockQty: -1 },
  });
});
afterAll(() => server?.stop());

const FIELDS =
  'receiptId status expiresAt closedAt totalUsd failure { code } createdAt history { kind status tracking }';
let count = 0;

/** Creates a receipt of five dollars, with these further fields. */
async function create(body: object = {}): Promise<string> {
  const id = `ends-${count++}`;
  const answer = await server.call('POST', '/api/receipts', {
    headers: merchant.auth,
    body: { id, lineItems: [{ label: 'x', priceUsd: 5 }], ...body },
  });
  expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  return id;
}

const read = async (receiptId: string) => {
  const query = `query ($id: ID!) { receipt(receiptId: $id) { ${FIELDS} } }`;
  return (await ask(server, session, query, { id: receiptId })).body.data.receipt;
};
const quote = (id: string) =>
  ask(server, session, 'mutation ($id: ID!) { quotePayment(receiptId: $id, token: "USDC") { amount } }', { id });
const voidIt = (id: string, headers = session, wallet?: string) =>
  ask(
    server,
    headers,
    `mutation ($id: ID!, $wallet: Wallet) { voidReceipt(receiptId: $id, wallet: $wallet) { ${FIELDS} } }`,
    { id, wallet },
  );
const renew = (id: string, headers = session) =>
  ask(server, headers, `mutation ($id: ID!) { renewReceipt(receiptId: $id) { ${FIELDS} } }`, { id });

/** The headers of the receipt's page. */
async function pageHeaders(receiptId: string): Promise<Record<string, string>> {
  const { body: page } = await server.call('GET', `/portal/${receiptId}`);
  const [, token] = /name="page-token" content="([^"]+)"/.exec(page) ?? [];
  return { authorization: `Bearer ${token}` };
}

/** Moves the clock and ends what is due. */
async function pass(ms: number): Promise<void> {
  shiftMs += ms;
  await expireReceipts(server.deps);
}

const ended = (code: string) => ({
  status: 'failed',
  failure: { code },
  closedAt: expect.any(Number),
});

describe('expiry', () => {
  test('a receipt waits for seven days unless its request says otherwise', async () => {
    const usual = await read(await create());
    expect(usual.expiresAt - usual.createdAt).toBe(7 * DAY_MS);
    const short = await read(await create({ expiresInMinutes: 5 }));
    expect(short.expiresAt - short.createdAt).toBe(5 * MINUTE_MS);
    expect((await read(await create({ expiresInMinutes: 0 }))).expiresAt).toBeNull();
  });

  test('orders, terminal receipts and GraphQL take the same field', async () => {
    const body = { items: [{ sku: 'CUP', qty: 1 }], expiresInMinutes: 30 };
    const order = await server.call('POST', '/api/orders', { headers: merchant.auth, body });
    const till = await server.call('POST', '/api/receipts/terminal', {
      headers: session,
      body: { amountUsd: 5, expiresInMinutes: 30 },
    });
    const query = `mutation ($input: CreateOrderInput!) { createOrder(input: $input) { receiptId } }`;
    const input = { items: [{ item: { sku: 'CUP' }, qty: 1 }], expiresInMinutes: 30 };
    const asked = await ask(server, session, query, { input });
    for (const id of [
      order.body.receipt.receiptId,
      till.body.receipt.receiptId,
      asked.body.data.createOrder.receiptId,
    ]) {
      const { expiresAt, createdAt } = await read(id);
      expect(expiresAt - createdAt).toBe(30 * MINUTE_MS);
    }
  });

  test.each([4, -1, 1.5, 129_601, '30'])('%j minutes are refused, and nothing is created', async (expiresInMinutes) => {
    const id = `refused-${count++}`;
    const answer = await server.call('POST', '/api/receipts', {
      headers: merchant.auth,
      body: { id, lineItems: [{ label: 'x', priceUsd: 5 }], expiresInMinutes },
    });
    expect([answer.status, answer.body.error, answer.body.field]).toEqual([400, 'invalid_input', 'expiresInMinutes']);
    expect((await server.call('GET', `/api/receipts/${id}`, { headers: merchant.auth })).status).toBe(404);
  });

  test('an unpaid receipt that ends fails with history and webhook, and no amount can be quoted', async () => {
    const receiver = await openReceiver();
    const [pending, generated, failed] = [
      await create({ expiresInMinutes: 5, webhook_url: receiver.url }),
      (
        await server.call('POST', '/api/orders', {
          headers: merchant.auth,
          body: { items: [{ sku: 'CUP', qty: 1 }], expiresInMinutes: 5 },
        })
      ).body.receipt.receiptId,
      await create({ expiresInMinutes: 5 }),
    ];
    const report = 'mutation ($id: ID!) { reportFailure(receiptId: $id, code: PORTAL_CHAIN_USER_REJECTED) { status } }';
    await ask(server, session, report, { id: failed });
    const later = await create({ expiresInMinutes: 60 });
    // The clock also runs by itself: the margin is longer than a busy machine needs.
    await pass(2 * MINUTE_MS);
    expect((await read(generated)).status).toBe('generated');
    await pass(3 * MINUTE_MS);
    for (const id of [pending, generated, failed]) {
      expect(await read(id)).toMatchObject(ended('PORTAL_SESSION_EXPIRED'));
      expect(codeOf(await quote(id))).toBe('receipt_ended');
    }
    expect((await read(generated)).history.map(({ status }: { status: string }) => status)).toEqual([
      'generated',
      'failed',
    ]);
    expect((await read(failed)).history.at(-1)).toMatchObject({ kind: 'note', tracking: 'ended' });
    expect((await read(later)).status).toBe('pending');
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    const [{ body }] = receiver.received as unknown as [{ body: string }];
    expect(JSON.parse(body)).toMatchObject({ status: 'failed', failureCode: 'PORTAL_SESSION_EXPIRED' });
  });

  test('a receipt that cannot be ended does not hold up the others', async () => {
    const [broken, other] = [await create({ expiresInMinutes: 5 }), await create({ expiresInMinutes: 6 })];
    await breakReceipt(server, broken);
    await pass(6 * MINUTE_MS);
    expect((await read(broken)).status).toBe('pending');
    expect(await read(other)).toMatchObject(ended('PORTAL_SESSION_EXPIRED'));
    await mendReceipt(server, broken);
    await pass(0);
    expect(await read(broken)).toMatchObject(ended('PORTAL_SESSION_EXPIRED'));
  });

  test('no amount can be quoted after the end, also before the worker has ended the receipt', async () => {
    const id = await create({ expiresInMinutes: 5 });
    shiftMs += 5 * MINUTE_MS;
    expect(codeOf(await quote(id))).toBe('receipt_ended');
  });
});

describe('voidReceipt', () => {
  test.each(['pending', 'failed'] as const)(
    'a %s receipt ends, once, and cannot be quoted or renewed',
    async (from) => {
      const id = await create();
      if (from === 'failed') {
        const report =
          'mutation ($id: ID!) { reportFailure(receiptId: $id, code: PORTAL_CHAIN_USER_REJECTED) { status } }';
        await ask(server, session, report, { id });
      }
      const { body } = await voidIt(id);
      expect(body.data.voidReceipt).toMatchObject(ended('PORTAL_SESSION_CANCELLED'));
      expect((await voidIt(id)).body.data.voidReceipt).toEqual(body.data.voidReceipt);
      expect(codeOf(await quote(id))).toBe('receipt_ended');
      expect(codeOf(await renew(id))).toBe('receipt_ended');
    },
  );

  test('a platform admin names the merchant; a buyer, a key and another merchant are refused', async () => {
    const id = await create();
    // The first one was signed in before the clock was moved.
    platformSession = await server.signIn(platform);
    expect(codeOf(await voidIt(id, platformSession))).toBe('wallet_required');
    const other = await server.merchant();
    const theirs = await server.signIn(other.account);
    expect(codeOf(await voidIt(id, theirs))).toBe('not_found');
    expect(codeOf(await voidIt(id, theirs, merchant.wallet))).toBe('forbidden');
    expect(codeOf(await voidIt(id, merchant.auth))).toBe('forbidden');
    expect(codeOf(await voidIt(id, { cookie: session.cookie as string }))).toBe('forbidden');
    expect((await read(id)).status).toBe('pending');
    const query = 'mutation ($id: ID!, $wallet: Wallet) { voidReceipt(receiptId: $id, wallet: $wallet) { status } }';
    const { body } = await ask(server, platformSession, query, { id, wallet: merchant.wallet });
    expect(body.data.voidReceipt).toEqual({ status: 'failed' });
  });
});

describe('renewReceipt', () => {
  test('an expired receipt waits again, for as long as before', async () => {
    const id = await create({ expiresInMinutes: 15 });
    await pass(16 * MINUTE_MS);
    expect((await read(id)).status).toBe('failed');
    const { data } = (await renew(id)).body;
    expect(data.renewReceipt).toMatchObject({ status: 'pending', closedAt: null, failure: null });
    expect(Math.abs(data.renewReceipt.expiresAt - (Date.now() + shiftMs) - 15 * MINUTE_MS)).toBeLessThan(MINUTE_MS);
    expect(codeOf(await quote(id))).toBeNull();
    expect(codeOf(await renew(id))).toBe('receipt_ended');
  });

  test('a receipt in euros keeps its price in euros and takes the current rate', async () => {
    const lineItems = [
      { label: 'a', amount: 10 },
      { label: 'b', amount: 5.55 },
    ];
    const id = await create({ lineItems, currency: 'EUR', expiresInMinutes: 5 });
    await pass(6 * MINUTE_MS);
    const rates = () => new Map([['EUR', { usdPerUnit: '2', quotedAt: null, provider: 'static' as const }]]);
    const own = { merchant: merchant.wallet, receiptId: id, byMerchant: true };
    await renewReceipt({ ...server.deps, rates }, own, `wallet:${merchant.wallet}`);
    const query = `query ($id: ID!) { receipt(receiptId: $id) {
      totalUsd lineItems { priceUsd } pricing { usdPerUnit originalTotal } history { kind status } } }`;
    const { receipt } = (await ask(server, session, query, { id })).body.data;
    expect(receipt).toMatchObject({
      totalUsd: 31.1,
      lineItems: [{ priceUsd: 20 }, { priceUsd: 11.1 }],
      pricing: { usdPerUnit: 2, originalTotal: 15.55 },
    });
  });

  test('buyers renew only where the shop allows it', async () => {
    const { receiptId: id } = (
      await server.call('POST', '/api/orders', {
        headers: merchant.auth,
        body: { items: [{ sku: 'CUP', qty: 1 }], expiresInMinutes: 5 },
      })
    ).body.receipt;
    const buyer = await pageHeaders(id);
    expect(codeOf(await renew(id, buyer))).toBe('receipt_ended');
    await pass(6 * MINUTE_MS);
    expect(codeOf(await renew(id, buyer))).toBe('receipt_ended');
    const { status } = await server.call('POST', '/api/shop/config', {
      headers: session,
      body: { allowRenewal: true },
    });
    expect(status).toBe(200);
    const renewing = 'mutation ($id: ID!) { renewReceipt(receiptId: $id) { status expiresAt closedAt } }';
    const { data } = (await ask(server, buyer, renewing, { id })).body;
    expect(data.renewReceipt).toEqual({ status: 'pending', expiresAt: expect.any(Number), closedAt: null });
  });
});

test('every move of a receipt to failed is one that the lifecycle allows', () => {
  expect(RECEIPT.before('failed')).toEqual(['generated', 'pending', 'tx_mined', 'tx_mismatch']);
});
