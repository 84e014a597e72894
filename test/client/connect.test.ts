import { expect, test } from 'vitest';
import { renewEpoch } from '../../src/base/platform/stream-epoch.ts';
import { createConnect, type ShopOrder } from '../../src/client/connect/index.ts';
import { expireReceipts } from '../../src/domain/sales/receipts/end.ts';
import { failPayment, NO_CHECKOUT } from '../../src/domain/sales/receipts/fail.ts';
import { lockReceiptOrRefuse } from '../../src/domain/sales/receipts/record-change.ts';
import { openPaidShop } from '../contract/paid-shop.ts';
import { ask } from '../graphql/ask.ts';
import { payOnChain, readRequest } from '../support/checkout.ts';
import { openEventReceiver } from '../support/event-receiver.ts';

const { chain, server, merchant, session, mineUntil } = await openPaidShop();
const options = { url: server.url, key: merchant.key, shop: 'tea' };
const connect = createConnect(options);

let made = 0;
const newOrder = (fields: Partial<ShopOrder> = {}): ShopOrder => ({
  order: `order-${made++}`,
  ...{ cents: 1_999, currency: 'USD', ...fields },
});

async function pay(receiptId: string): Promise<void> {
  await payOnChain(chain.rpcUrl, await readRequest(server, receiptId));
  await mineUntil(async () => (await connect.read(receiptId)) === 'paid');
}

/** Waits until a payment is settled: no further event of it follows. */
const settle = (receiptId: string) =>
  mineUntil(async () => {
    const { body } = await server.call('GET', `/api/receipts/status?receiptId=${receiptId}`, {
      headers: merchant.auth,
    });
    return body.status === 'completed';
  });

/** Ends what has expired when so many minutes have passed. */
const expireAfter = (minutes: number) => expireReceipts({ ...server.deps, clock: () => Date.now() + minutes * 60_000 });

test('any number of calls at once make one payment of an order; another amount, attempt or shop is another one', async () => {
  const order = newOrder();
  const all = await Promise.all(Array.from({ length: 20 }, () => connect.find(order)));
  expect(new Set(all.map(({ receiptId, paymentUrl }) => `${receiptId} ${paymentUrl}`)).size).toBe(1);
  expect(await createConnect(options).find(order)).toEqual(all[0]);
  const others = [
    await connect.find({ ...order, cents: 2_000 }),
    await connect.find({ ...order, attempt: 2 }),
    await connect.find({ ...order, currency: 'EUR' }),
    await createConnect({ ...options, shop: 'tea-2' }).find(order),
  ];
  expect(new Set([all[0]!, ...others].map(({ receiptId }) => receiptId)).size).toBe(5);
  const { body } = await server.call('GET', `/api/receipts/${all[0]!.receiptId}`, { headers: merchant.auth });
  expect(body).toMatchObject({ totalUsd: 19.99, transactionId: order.order, metadata: { shop: 'tea', cents: 1_999 } });
});

test('an amount, attempt or shop that cannot be is refused before anything is sent', async () => {
  for (const cents of [0, -1, 0.5, Number.NaN, 2 ** 53])
    await expect(connect.find(newOrder({ cents }))).rejects.toThrow(RangeError);
  await expect(connect.find(newOrder({ attempt: 0 }))).rejects.toThrow(RangeError);
  for (const shop of ['', 'Tea', 'a.b', 'x'.repeat(41)])
    expect(() => createConnect({ ...options, shop })).toThrow(RangeError);
});

test('a payment is open, then paid; after a failed attempt it is open until it ends, which the feed reports', async () => {
  const { cursor } = await connect.reconcile(null);
  const paid = await connect.find(newOrder());
  expect(await connect.read(paid.receiptId)).toBe('open');
  await pay(paid.receiptId);

  const failed = await connect.find(newOrder({ expiresInMinutes: 5 }));
  await server.deps.db.transaction(async (uow) => {
    const receipt = await lockReceiptOrRefuse(uow, merchant.wallet, failed.receiptId);
    await failPayment(server.deps, uow, receipt, 'PORTAL_SESSION_EXPIRED', { actor: 'test', checkout: NO_CHECKOUT });
  });
  expect(await connect.read(failed.receiptId)).toBe('open');
  const before = await connect.reconcile(cursor);
  await expireAfter(6);
  expect(await connect.read(failed.receiptId)).toBe('ended');
  const after = await connect.reconcile(before.cursor);
  expect(after.changes).toMatchObject([{ receiptId: failed.receiptId, order: failed.order, state: 'ended' }]);
});

test('a shop that heard nothing for a week knows every payment after one reconciliation, also when its cursor has expired', async () => {
  const shop = createConnect({ ...options, shop: 'asleep' });
  const { cursor } = await shop.reconcile(null);
  const payments = await Promise.all(Array.from({ length: 5 }, () => shop.find(newOrder({ expiresInMinutes: 5 }))));
  await connect.find(newOrder());
  for (const { receiptId } of payments.slice(0, 2)) await pay(receiptId);
  for (const { receiptId } of payments.slice(0, 2)) await settle(receiptId);
  await expireAfter(6);
  const expected = payments.map((payment, i) => {
    const { paymentUrl: _page, ...known } = payment;
    return { ...known, state: i < 2 ? 'paid' : 'ended' };
  });
  const byId = (changes: readonly { receiptId: string }[]) =>
    changes.toSorted((a, b) => (a.receiptId < b.receiptId ? -1 : 1));
  const first = await shop.reconcile(cursor);
  expect(byId(first.changes)).toEqual(byId(expected));
  expect((await shop.reconcile(first.cursor)).changes).toEqual([]);

  await renewEpoch(server.deps.db);
  const restored = await shop.reconcile(first.cursor);
  expect(byId(restored.changes)).toEqual(byId(expected));
  expect((await shop.reconcile(restored.cursor)).changes).toEqual([]);
});

test('a webhook reports the payment as it stands now, however late it arrives; one of another shop or sender does not', async () => {
  const receiver = await openEventReceiver();
  const made = await server.call('POST', '/api/webhooks/endpoints', {
    headers: session,
    body: { url: receiver.url, kinds: ['receipt.*'] },
  });
  const shop = createConnect({ ...options, webhookSecret: made.body.secret });
  const payment = await shop.find(newOrder());
  const [created] = await receiver.of('receipt.created');
  expect(await shop.receive(created!)).toMatchObject({ receiptId: payment.receiptId, state: 'open', cents: 1_999 });
  await pay(payment.receiptId);
  await receiver.of('receipt.paid');
  const own = receiver.received.filter(({ event }) => event.data.receiptId === payment.receiptId);
  for (const late of own.toReversed()) expect(await shop.receive(late)).toMatchObject({ state: 'paid' });
  expect(
    await createConnect({ ...options, shop: 'mugs', webhookSecret: made.body.secret }).receive(created!),
  ).toBeNull();
  const forged = { ...created!, body: created!.body.replace('created', 'paid') };
  await expect(shop.receive(forged)).rejects.toMatchObject({ code: 'webhook_invalid' });
});

test('a payment is voided and replaced while nothing has come, again with the same answer, and never once money came', async () => {
  const order = newOrder();
  const first = await connect.find(order);
  const changed = { ...order, attempt: 2, cents: 2_500 };
  const second = await connect.replace(first.receiptId, changed);
  expect(second).toMatchObject({ cents: 2_500, attempt: 2 });
  expect(await connect.replace(first.receiptId, changed)).toEqual(second);
  expect(await connect.read(first.receiptId)).toBe('ended');
  await pay(second!.receiptId);
  expect(await connect.cancel(second!.receiptId)).toBe(false);
  expect(await connect.replace(second!.receiptId, { ...order, attempt: 3 })).toBeNull();
  expect(await connect.read(second!.receiptId)).toBe('paid');
  await expect(connect.cancel('tea.unknown')).rejects.toMatchObject({ code: 'not_found' });
});

test('a payment that was seen in a block can be neither voided nor replaced', async () => {
  const payment = await connect.find(newOrder());
  await payOnChain(chain.rpcUrl, await readRequest(server, payment.receiptId));
  await expect.poll(() => connect.read(payment.receiptId)).toBe('seen');
  expect(await connect.cancel(payment.receiptId)).toBe(false);
  expect(await connect.replace(payment.receiptId, newOrder())).toBeNull();
});

test('a refund is asked for once in the currency of the payment, moves nothing, and never more than was paid', async () => {
  const payment = await connect.find(newOrder({ currency: 'EUR', cents: 1_000 }));
  await pay(payment.receiptId);
  const request = { cents: 500, reason: 'returned', idempotencyKey: 'refund-1' } as const;
  await connect.askRefund(payment, request);
  await connect.askRefund(payment, request);
  const query = 'query ($id: ID!) { receipt(receiptId: $id) { totalUsd refunds { state usd } } }';
  const { receipt } = (await ask(server, session, query, { id: payment.receiptId })).body.data;
  expect(receipt.refunds).toEqual([{ state: 'requested', usd: Math.round(receipt.totalUsd * 50) / 100 }]);
  expect(await connect.read(payment.receiptId)).toBe('paid');
  for (const cents of [0, 0.5, 1_001])
    await expect(connect.askRefund(payment, { ...request, cents })).rejects.toThrow(RangeError);
});
