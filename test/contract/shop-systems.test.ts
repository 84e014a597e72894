import { expect, test } from 'vitest';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import type { Scope } from '../../src/base/core/scopes.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { writeShop } from '../../src/domain/shop/merchants/test/requests.ts';
import { ask } from '../graphql/ask.ts';
import { openEventReceiver } from '../support/event-receiver.ts';
import { newMember } from '../support/members.ts';
import { until } from '../support/program.ts';
import { newAccount } from '../support/server.ts';
import { buyerOf, type Quote } from './buyer-money.ts';
import { stock } from './catalog.ts';
import { openPaidShop } from './paid-shop.ts';

// What a shop system does with its key: void, replace, ask for refunds.

const { chain, server, merchant, session, mineUntil } = await openPaidShop({ RATE_LIMITS: 'off' });
await stock(server, merchant, [
  { sku: 'BAG', priceUsd: 80 },
  { sku: 'LAST', priceUsd: 80, stockQty: 1 },
]);
await writeShop(server.deps, merchant.wallet, { holdStock: true });
const buyer = buyerOf(server, merchant.wallet, session);

const keyWith = async (...scopes: Scope[]) => {
  const { key } = await issueKey(server.deps, { merchant: merchant.wallet, scopes });
  return { 'x-api-key': key };
};
const shop = await keyWith('orders:create', 'receipts:read', 'receipts:void', 'refunds:request');

type Headers = Record<string, string>;
const post = (path: string, body: unknown, headers: Headers = shop) =>
  server.call('POST', `/api/receipts/${path}`, { headers, body });
const once = (key: string) => ({ ...shop, 'idempotency-key': key });

async function ordered(sku = 'BAG', more: object = {}): Promise<string> {
  const body = { items: [{ sku, qty: 1 }], ...more };
  const answer = await server.call('POST', '/api/orders', { headers: shop, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.receipt.receiptId;
}

const RECEIPT = `query ($id: ID!) { receipt(receiptId: $id) { status refundableUsd buyerWallet
  failure { code } refunds { id state usd provenUsd buyer reason note actor } history { kind tracking } } }`;
const read = async (id: string) => (await ask(server, session, RECEIPT, { id })).body.data.receipt;
const reaches = (id: string, ...statuses: string[]) =>
  mineUntil(async () => statuses.includes((await read(id)).status));
const receiptIds = async (): Promise<string[]> =>
  (await server.call('GET', '/api/receipts?limit=200', { headers: shop })).body.receipts.map(
    ({ receiptId }: { receiptId: string }) => receiptId,
  );

async function paid(): Promise<string> {
  const id = await ordered();
  await send(await buyer.quote(id));
  await reaches(id, 'completed');
  return id;
}

/** Sends the amount of a quote, or another one; the transaction's hash. */
const send = (quote: Quote, amount = BigInt(quote.amount)) => buyer.send(chain.chain, quote, amount);

test('a void ends an unpaid receipt once, answers the same again, and money that comes later is listed at the receipt', async () => {
  const id = await ordered();
  const quote = await buyer.quote(id);
  const first = await post('void', { receiptId: id, reason: 'cart left' });
  expect(first).toMatchObject({ status: 200, body: { ok: true, receipt: { receiptId: id, status: 'failed' } } });
  expect((await post('void', { receiptId: id })).body).toEqual(first.body);
  expect(await read(id)).toMatchObject({ failure: { code: 'PORTAL_SESSION_CANCELLED' } });
  const { body } = await ask(
    server,
    session,
    `{ auditLog(filter: { actions: [receipt_voided] }) { nodes { objectId actor { kind } changes { field after } } } }`,
  );
  expect(body.data.auditLog.nodes).toEqual([
    {
      ...{ objectId: id, actor: { kind: 'key' } },
      changes: expect.arrayContaining([{ field: 'reason', after: 'cart left' }]),
    },
  ]);
  const hash = await send(quote);
  const LATE = '{ unmatchedTransfers { nodes { transactionHash reason candidates { receiptId } } } }';
  await mineUntil(async () => {
    const { nodes } = (await ask(server, session, LATE)).body.data.unmatchedTransfers;
    return nodes.some((one: { transactionHash: string }) => one.transactionHash === hash);
  });
  const { nodes } = (await ask(server, session, LATE)).body.data.unmatchedTransfers;
  expect(nodes).toContainEqual({ transactionHash: hash, reason: 'late', candidates: [{ receiptId: id }] });
  expect((await read(id)).history.at(-1)).toMatchObject({ tracking: 'transfer_unmatched' });
});

test('a receipt with any money is neither voided nor replaced by a key, with receipt_paid, and nothing changes', async () => {
  const whole = await paid();
  const part = await ordered();
  await send(await buyer.quote(part), 10_000_000n);
  await reaches(part, 'tx_mismatch');
  const known = await receiptIds();
  for (const receiptId of [whole, part]) {
    const before = await read(receiptId);
    for (const answer of [
      await post('void', { receiptId }),
      await post('replace', { receiptId, items: [{ sku: 'BAG', qty: 2 }] }),
    ])
      expect([answer.status, answer.body.error]).toEqual([409, 'receipt_paid']);
    expect(await read(receiptId)).toEqual(before);
  }
  expect(await receiptIds()).toEqual(known);
});

test('a payment on its way refuses the void and the replacement of its receipt', async () => {
  const receiptId = await ordered();
  await send(await buyer.quote(receiptId));
  await expect.poll(async () => (await read(receiptId)).status, { timeout: 20_000 }).toBe('tx_mined');
  for (const answer of [
    await post('void', { receiptId }),
    await post('replace', { receiptId, items: [{ sku: 'BAG', qty: 2 }] }),
  ])
    expect([answer.status, answer.body.error]).toEqual([409, 'payment_underway']);
});

test('a replacement voids and orders at once, once per key, and each receipt names the other', async () => {
  const receiptId = await ordered();
  const body = { receiptId, reason: 'cart changed', items: [{ sku: 'BAG', qty: 2 }], transactionId: 'cart-7' };
  const answers = await Promise.all([1, 2, 3].map(() => post('replace', body, once('cart-7'))));
  const [first] = answers;
  expect(first).toMatchObject({
    ...{ status: 200 },
    body: {
      ok: true,
      receipt: { status: 'generated', transactionId: 'cart-7' },
      paymentUrl: expect.any(String),
      checkoutToken: expect.any(String),
    },
  });
  for (const answer of answers) expect(answer.body).toEqual(first!.body);
  const made = first!.body.receipt.receiptId;
  expect(await read(receiptId)).toMatchObject({ status: 'failed', failure: { code: 'PORTAL_SESSION_CANCELLED' } });
  const LINKS = 'query ($id: ID!) { receipt(receiptId: $id) { replacedBy replaces } }';
  const links = async (id: string) => (await ask(server, session, LINKS, { id })).body.data.receipt;
  expect(await links(receiptId)).toEqual({ replacedBy: made, replaces: null });
  expect(await links(made)).toEqual({ replacedBy: null, replaces: receiptId });
  expect((await read(receiptId)).history.at(-1)).toMatchObject({ tracking: 'replaced' });
  expect((await read(made)).history.at(-1)).toMatchObject({ tracking: 'replaces' });
  const other = await post('replace', { ...body, items: [{ sku: 'BAG', qty: 3 }] }, once('cart-7'));
  expect([other.status, other.body.error]).toEqual([400, 'invalid_input']);
  const again = await post('replace', { receiptId, items: [{ sku: 'BAG', qty: 3 }] });
  expect(again).toMatchObject({ status: 409, body: { error: 'receipt_ended', replacedBy: made } });
});

test('an order that is refused leaves the receipt as it was, and what the receipt held is free for the order', async () => {
  const receiptId = await ordered('LAST');
  for (const [body, error] of [
    [{ items: [] }, 'items_required'],
    [{ items: [{ sku: 'NONE', qty: 1 }] }, 'inventory_item_not_found'],
    [{ items: [{ sku: 'LAST', qty: 2 }] }, 'invalid_input'],
    [{ items: [{ sku: 'BAG', qty: 1 }], taxRate: 2 }, 'invalid_input'],
  ] as const) {
    const answer = await post('replace', { receiptId, ...body });
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect(await read(receiptId)).toMatchObject({ status: 'generated' });
  }
  const answer = await post('replace', { receiptId, items: [{ sku: 'LAST', qty: 1 }] });
  expect(answer.status).toBe(200);
  expect(
    (await server.call('POST', '/api/orders', { headers: shop, body: { items: [{ sku: 'LAST', qty: 1 }] } })).status,
  ).toBe(400);
});

test('a receipt that two carts replace at once has one successor', async () => {
  const receiptId = await ordered();
  const carts = [1, 2, 3, 4].map((qty) => post('replace', { receiptId, items: [{ sku: 'BAG', qty }] }));
  const answers = await Promise.all(carts);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

/** A receipt of own lines that takes the place of another. */
const REPLACING = { lineItems: [{ label: 'Bag', amount: 30 }] };
const till = (await keyWith('receipts:write', 'receipts:void')) as Headers;

test('a receipt of own lines takes the place of an unpaid one: both or neither, once, however often it is asked for', async () => {
  const receiptId = await ordered();
  const body = { ...REPLACING, id: `cart-${receiptId}`, replaces: receiptId };
  const create = (sent: object = body) => server.call('POST', '/api/receipts', { headers: till, body: sent });
  // A refused receipt leaves the other one as it was.
  const refused = [
    [{ ...body, lineItems: [] }, 400, 'invalid_input'],
    [{ ...body, id: receiptId }, 400, 'invalid_input'],
    [{ ...body, replaces: body.id }, 400, 'invalid_input'],
    [{ ...body, replaces: 'none' }, 404, 'not_found'],
  ] as const;
  for (const [sent, status, error] of refused) {
    const answer = await create(sent);
    expect([sent, answer.status, answer.body.error]).toEqual([sent, status, error]);
  }
  expect(await read(receiptId)).toMatchObject({ status: 'generated' });
  const made = await Promise.all([1, 2, 3].map(() => create()));
  expect(made.map(({ status, body: { id } }) => [status, id])).toEqual([1, 2, 3].map(() => [201, body.id]));
  expect(await read(receiptId)).toMatchObject({ status: 'failed' });
  const LINKS = 'query ($id: ID!) { receipt(receiptId: $id) { replacedBy replaces } }';
  const links = async (id: string) => (await ask(server, session, LINKS, { id })).body.data.receipt;
  expect([await links(receiptId), await links(body.id)]).toEqual([
    { replacedBy: body.id, replaces: null },
    { replacedBy: null, replaces: receiptId },
  ]);
  // The same without the field finds it; another one comes too late.
  expect((await create({ ...body, replaces: undefined })).status).toBe(201);
  const late = await create({ ...body, id: `late-${receiptId}` });
  expect(late).toMatchObject({ status: 409, body: { error: 'receipt_ended', replacedBy: body.id } });
  expect((await server.call('GET', `/api/receipts/late-${receiptId}`, { headers: shop })).status).toBe(404);
});

test('a receipt that exists takes the place of another too, and one with money is not replaced', async () => {
  const receiptId = await ordered();
  const body = { ...REPLACING, id: `known-${receiptId}` };
  const create = (sent: object) => server.call('POST', '/api/receipts', { headers: till, body: sent });
  expect((await create(body)).status).toBe(201);
  expect((await create({ ...body, replaces: receiptId })).status).toBe(201);
  expect(await read(receiptId)).toMatchObject({ status: 'failed' });
  const id = await paid();
  const answer = await create({ ...REPLACING, id: `more-${id}`, replaces: id });
  expect([answer.status, answer.body.error]).toEqual([409, 'receipt_paid']);
  expect((await server.call('GET', `/api/receipts/more-${id}`, { headers: shop })).status).toBe(404);
});

test('only who may void replaces by a receipt of own lines', async () => {
  const receiptId = await ordered();
  const body = { ...REPLACING, id: `no-${receiptId}`, replaces: receiptId };
  const answer = await server.call('POST', '/api/receipts', {
    headers: (await keyWith('receipts:write')) as Headers,
    body,
  });
  expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden', scope: 'receipts:void' } });
  const CREATE = 'mutation ($input: CreateReceiptInput!) { createReceipt(input: $input) { receiptId } }';
  const input = { id: body.id, replaces: receiptId, lines: { native: { lineItems: REPLACING.lineItems } } };
  for (const [role, code] of [
    ['cashier', 'forbidden'],
    ['manager', undefined],
  ] as const) {
    const { session: headers } = await newMember(server, merchant.wallet, role);
    expect((await ask(server, headers, CREATE, { input })).body.errors?.[0].extensions.code).toBe(code);
    expect(await read(receiptId)).toMatchObject({ status: code ? 'generated' : 'failed' });
  }
});

/** `ROUNDS=1000` plays as many. */
const ROUNDS = Number(process.env.ROUNDS ?? 40);

test('while the money comes, a void or a replacement takes effect and leaves the money to be found, or the receipt is paid', async () => {
  const UNMATCHED =
    'query ($after: String) { unmatchedTransfers(first: 100, after: $after) { nodes { transactionHash } pageInfo { hasNextPage endCursor } } }';
  const unmatched = async () => {
    const found = new Map<string, number>();
    let page = { hasNextPage: true, endCursor: null };
    while (page.hasNextPage) {
      const { body } = await ask(server, session, UNMATCHED, { after: page.endCursor });
      for (const { transactionHash: hash } of body.data.unmatchedTransfers.nodes)
        found.set(hash, (found.get(hash) ?? 0) + 1);
      page = body.data.unmatchedTransfers.pageInfo;
    }
    return found;
  };
  const play = async (round: number) => {
    const receiptId = await ordered();
    const quote = await buyer.quote(receiptId);
    const [path, body] =
      round % 2 === 0
        ? ['void', { receiptId }]
        : ['replace', { receiptId, items: [{ sku: 'BAG', qty: 2 }], transactionId: receiptId }];
    const sent = send(quote);
    // The shop's request arrives before the block of the payment, later and later after it, and once it is booked.
    const place = round % 8;
    if (place > 1) await sent;
    const isBooked = async () => !['generated', 'pending'].includes((await read(receiptId)).status);
    for (let reads = 0; reads < (place - 1) * 12 && !(await isBooked()); ) reads++;
    if (place === 7) await until(isBooked);
    const [hash, answer] = await Promise.all([sent, post(path, body)]);
    return { receiptId, hash, answer };
  };
  const played: Awaited<ReturnType<typeof play>>[] = [];
  let next = 0;
  const player = async () => {
    for (let round = next++; round < ROUNDS; round = next++) played.push(await play(round));
  };
  await Promise.all([1, 2, 3, 4, 5].map(player));

  const ended = played.filter(({ answer }) => answer.status === 200);
  const refused = played.filter(({ answer }) => answer.status !== 200);
  for (const { answer } of refused)
    expect([answer.status, answer.body.error]).toEqual([
      409,
      expect.stringMatching(/^(?:payment_underway|receipt_paid)$/),
    ]);
  for (const { receiptId } of refused) await reaches(receiptId, 'completed');
  const lost = async () => {
    const found = await unmatched();
    return ended.filter(({ hash }) => found.get(hash) !== 1).map(({ receiptId }) => receiptId);
  };
  await mineUntil(async () => (await lost()).length === 0);
  const found = await unmatched();
  expect(refused.filter(({ hash }) => found.has(hash))).toEqual([]);
  const LINKS = 'query ($id: ID!) { receipt(receiptId: $id) { status replacedBy } }';
  for (const { receiptId, answer } of played) {
    const { data } = (await ask(server, session, LINKS, { id: receiptId })).body;
    const status = answer.status === 200 ? 'failed' : 'completed';
    const replacedBy = answer.body.receipt?.receiptId ?? receiptId;
    expect(data.receipt).toEqual({ status, replacedBy: replacedBy === receiptId ? null : replacedBy });
    if (replacedBy !== receiptId) expect((await read(replacedBy)).status).toBe('generated');
  }
  expect(Math.min(ended.length, refused.length)).toBeGreaterThan(0);
  if (ROUNDS > 100) process.stderr.write(`${ended.length} ended, ${refused.length} paid\n`);
}, 1_200_000);

test('a refund that a key asks for is sent by a person, and its events say so', async () => {
  const receiver = await openEventReceiver();
  const id = await paid();
  const wallet = newAccount().address.toLowerCase() as Wallet;
  const endpoint = { url: receiver.url, kinds: ['refund.*'] };
  expect((await server.call('POST', '/api/webhooks/endpoints', { headers: session, body: endpoint })).status).toBe(201);
  const body = {
    receiptId: id,
    buyer: wallet,
    amountUsd: 20,
    reason: 'The strap is torn',
    items: [{ label: 'Bag', priceUsd: 20 }],
  };
  const asked = await Promise.all([1, 2].map(() => post('refund-requests', body, once('torn'))));
  expect(asked[0]!.body).toEqual({
    ok: true,
    refundRequest: {
      ...{ id: expect.stringMatching(/^refund_/), receiptId: id, state: 'requested', usd: 20, buyer: wallet },
      ...{ items: [{ label: 'Bag', priceUsd: 20 }], reason: 'other', note: 'The strap is torn' },
      createdAt: expect.any(Number),
    },
  });
  expect(asked[1]!.body).toEqual(asked[0]!.body);
  expect((await ask(server, session, '{ attention { refunds } }')).body.data.attention).toEqual({ refunds: 1 });
  expect((await read(id)).refunds).toMatchObject([
    { state: 'requested', usd: 20, actor: expect.stringMatching(/^key:/) },
  ]);
  const txHash = await payFromTestWallet(chain.chain, { token: 'USDC', to: wallet, amount: 20_000_000n });
  await chain.control.mine({ blocks: 1 });
  const proof = { receiptId: id, wallet: merchant.wallet, buyer: wallet, usd: 20, txHash };
  expect((await post('refund', proof, session)).body).toEqual({ ok: true });
  const [requested] = await receiver.of('refund.requested');
  expect(requested!.event.data).toMatchObject({ receiptId: id, usd: 20, refundIds: [asked[0]!.body.refundRequest.id] });
  await receiver.of('refund.partial');
  expect((await ask(server, session, '{ attention { refunds } }')).body.data.attention).toEqual({ refunds: 0 });
});

test('a person declines a request, which frees its amount, and its event says so', async () => {
  const receiver = await openEventReceiver();
  const id = await paid();
  const endpoint = { url: receiver.url, kinds: ['refund.declined'] };
  await server.call('POST', '/api/webhooks/endpoints', { headers: session, body: endpoint });
  const whole = (await post('refund-requests', { receiptId: id })).body.refundRequest;
  expect(whole).toMatchObject({ usd: (await read(id)).refundableUsd, buyer: buyer.wallet });
  expect((await post('refund-requests', { receiptId: id, usd: 1 })).body.error).toBe('invalid_usd');
  expect((await post('refund-requests', { receiptId: id })).body.error).toBe('invalid_usd');
  const DECLINE = 'mutation ($id: ID!, $of: ID!) { declineRefund(receiptId: $of, refundId: $id) { state } }';
  const decline = async (headers: Headers) => (await ask(server, headers, DECLINE, { id: whole.id, of: id })).body;
  const all = (await keyWith('graphql:read', 'refunds:request')) as Headers;
  expect((await decline(all)).errors[0].extensions.code).toBe('forbidden');
  for (let time = 0; time < 2; time++)
    expect((await decline(session)).data.declineRefund).toEqual({ state: 'declined' });
  const [declined] = await receiver.of('refund.declined');
  expect(declined!.event.data).toMatchObject({ receiptId: id, usd: whole.usd, refundIds: [whole.id] });
  expect(receiver.types()).toEqual(['refund.declined']);
  expect(
    (await post('refund-requests', { receiptId: id, usd: 1, reason: 'goodwill' })).body.refundRequest,
  ).toMatchObject({
    ...{ state: 'requested', reason: 'goodwill', note: null },
  });
  expect((await ask(server, session, DECLINE, { id: 'refund_none', of: id })).body.errors[0].extensions.code).toBe(
    'not_found',
  );
});

test.each([
  ['void', {}, 400, 'missing_receipt_id'],
  ['void', { receiptId: 'none' }, 404, 'not_found'],
  ['void', { receiptId: 'none', reason: 'x'.repeat(257) }, 400, 'invalid_input'],
  ['replace', {}, 400, 'missing_receipt_id'],
  ['replace', { receiptId: 'none', items: [{ sku: 'BAG', qty: 1 }] }, 404, 'not_found'],
  ['refund-requests', {}, 400, 'missing_receipt_id'],
  ['refund-requests', { receiptId: 'none' }, 404, 'not_found'],
  ['refund-requests', { receiptId: 'none', usd: 0 }, 400, 'invalid_usd'],
  ['refund-requests', { receiptId: 'none', usd: 1, amountUsd: 2 }, 400, 'invalid_input'],
  ['refund-requests', { receiptId: 'none', buyer: 'x' }, 400, 'invalid_buyer'],
  ['refund-requests', { receiptId: 'none', reason: 'x'.repeat(501) }, 400, 'invalid_input'],
])('%s of %o is refused with %i %s', async (path, body, status, error) => {
  const answer = await post(path, body);
  expect([answer.status, answer.body.error]).toEqual([status, error]);
});

test('a request for a refund that cannot be is refused with its code, and nothing is asked for', async () => {
  const id = await paid();
  const { refundableUsd } = await read(id);
  const wrong: readonly (readonly [object, string])[] = [
    [{ items: [{ label: 'Bag', priceUsd: 0 }] }, 'invalid_input'],
    [{ items: [{ label: 'Bag', priceUsd: -20 }] }, 'invalid_input'],
    [{ items: [{ label: 'Bag', priceUsd: 20, qty: 0 }] }, 'invalid_input'],
    [{ items: [{ label: 'Bag', priceUsd: 0.001 }] }, 'invalid_input'],
    [{ usd: -1 }, 'invalid_usd'],
    [{ usd: refundableUsd + 0.01 }, 'invalid_usd'],
    [{ usd: '20' }, 'invalid_usd'],
    [{ usd: 1, reason: 7 }, 'invalid_input'],
    [{ usd: 1, reason: ['returned'] }, 'invalid_input'],
    [{ usd: 1, buyer: merchant.wallet }, 'invalid_buyer'],
    [{ usd: 1, buyer: `0x${'0'.repeat(40)}` }, 'invalid_buyer'],
    [{ usd: 1, currency: 'EUR' }, 'invalid_input'],
    [{ usd: 1, token: 'USDT' }, 'invalid_input'],
    [{ usd: 1, chainId: 1 }, 'invalid_input'],
    [{ usd: 1, txHash: `0x${'1'.repeat(64)}` }, 'invalid_input'],
    [{ usd: 1, wallet: merchant.wallet }, 'invalid_input'],
  ];
  for (const [body, error] of wrong) {
    const answer = await post('refund-requests', { receiptId: id, ...body });
    expect([body, answer.status, answer.body.error]).toEqual([body, 400, error]);
  }
  const further = await post('refund-requests', { receiptId: id, usd: 1, 'tok"en': 'USDT' });
  expect(further.body.message).toBe('["tok\\"en"] is not a field of this request');
  expect((await read(id)).refunds).toEqual([]);
  const half = { receiptId: id, usd: refundableUsd - 1 };
  expect((await post('refund-requests', half, once('half'))).status).toBe(200);
  const other = await post('refund-requests', { ...half, usd: 1 }, once('half'));
  expect([other.status, other.body.error]).toEqual([400, 'invalid_input']);
  const rest = await Promise.all([1, 2, 3].map(() => post('refund-requests', { receiptId: id, usd: 1 })));
  expect(rest.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect((await read(id)).refunds).toHaveLength(2);
});

test('of a receipt that is refunded, and with the key of a member who lost the role, nothing more is asked for', async () => {
  const id = await paid();
  const { refundableUsd: usd } = await read(id);
  const member = await newMember(server, merchant.wallet, 'owner');
  const scopes = ['refunds:request'] as const;
  const { key } = await issueKey(server.deps, { merchant: merchant.wallet, issuer: member.wallet, scopes });
  const own = { 'x-api-key': key };
  const asked = await post('refund-requests', { receiptId: id, usd: 1 }, own);
  expect(asked.status).toBe(200);
  const lower = 'mutation ($wallet: Wallet!) { changeMemberRole(wallet: $wallet, role: cashier) { role } }';
  expect((await ask(server, session, lower, { wallet: member.wallet })).body.errors).toBeUndefined();
  expect((await post('refund-requests', { receiptId: id, usd: 1 }, own)).status).toBe(401);
  expect((await read(id)).refunds).toHaveLength(1);

  const wallet = newAccount().address.toLowerCase() as Wallet;
  const txHash = await payFromTestWallet(chain.chain, {
    ...{ token: 'USDC', to: wallet, amount: BigInt(Math.round(usd * 100)) * 10_000n },
  });
  await chain.control.mine({ blocks: 1 });
  const proof = { receiptId: id, wallet: merchant.wallet, buyer: wallet, usd, txHash };
  expect((await post('refund', proof, session)).body).toEqual({ ok: true });
  await reaches(id, 'refunded');
  const late = await post('refund-requests', { receiptId: id, usd: 1 });
  expect([late.status, late.body.error]).toEqual([400, 'invalid_input']);
});

test('an unpaid receipt, and one of another merchant, has no refund to ask for', async () => {
  const receiptId = await ordered();
  const to = newAccount().address.toLowerCase();
  const unpaid = await post('refund-requests', { receiptId, buyer: to });
  expect([unpaid.status, unpaid.body.error]).toEqual([400, 'invalid_input']);
  expect((await post('refund-requests', { receiptId })).body.error).toBe('invalid_input');
  const { auth } = await server.merchant({ name: 'Other' });
  for (const path of ['void', 'refund-requests', 'replace']) {
    const answer = await post(
      path,
      { receiptId, buyer: to, ...(path === 'replace' ? { items: [{ sku: 'BAG', qty: 1 }] } : {}) },
      auth as unknown as Headers,
    );
    expect([path, answer.status]).toEqual([path, 404]);
  }
  expect(await read(receiptId)).toMatchObject({ status: 'generated', refunds: [] });
});

test('a replacement needs both scopes, and names the one that is missing before it reads the body', async () => {
  for (const [has, lacks] of [
    ['receipts:void', 'orders:create'],
    ['orders:create', 'receipts:void'],
  ] as const) {
    const answer = await post('replace', {}, await keyWith(has));
    expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden', reason: 'scope_missing', scope: lacks } });
  }
});
