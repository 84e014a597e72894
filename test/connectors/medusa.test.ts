import { expect, test } from 'vitest';
import { createPayments } from '../../connectors/medusa/src/payments.ts';
import { createConnect } from '../../src/client/connect/index.ts';
import { expireReceipts } from '../../src/domain/sales/receipts/end.ts';
import { openPaidShop } from '../contract/paid-shop.ts';
import { payOnChain, readRequest } from '../support/checkout.ts';
import { openEventReceiver } from '../support/event-receiver.ts';

const { chain, server, merchant, session, mineUntil } = await openPaidShop();
const receiver = { url: '', of: (async () => []) as Awaited<ReturnType<typeof openEventReceiver>>['of'] };
let connect: ReturnType<typeof createConnect>;
let payments: ReturnType<typeof createPayments>;

/** The functions of the provider, with the endpoint that Medusa would have. */
async function openPayments() {
  Object.assign(receiver, await openEventReceiver());
  const body = { url: receiver.url, kinds: ['receipt.*'] };
  const { body: made } = await server.call('POST', '/api/webhooks/endpoints', { headers: session, body });
  connect = createConnect({ url: server.url, key: merchant.key, webhookSecret: made.secret, shop: 'medusa' });
  payments = createPayments(connect);
  return payments;
}

let made = 0;
const begin = (amount: unknown = '19.99') =>
  payments.initiatePayment({
    ...{ amount: amount as string, currency_code: 'usd', data: { session_id: `payses_${made++}`, lang: 'de' } },
  });

async function pay(receiptId: string): Promise<void> {
  await payOnChain(chain.rpcUrl, await readRequest(server, receiptId));
  await mineUntil(async () => (await connect.read(receiptId)) === 'paid');
}

test('a session waits until its money is confirmed, and is captured then, also by a webhook', async () => {
  await openPayments();
  const { data } = await begin();
  expect(data).toMatchObject({ cents: 1_999, currency: 'USD', state: 'open', attempt: 1 });
  const page = await fetch(data.payment_url, { headers: { 'accept-language': 'fr' } });
  expect(page.headers.get('content-language')).toBe('de');
  expect((await payments.authorizePayment({ data })).status).toBe('pending_authorization');
  await expect(payments.capturePayment({ data })).rejects.toMatchObject({ type: 'not_allowed' });
  await pay(data.receipt_id);
  expect((await payments.getPaymentStatus({ data })).status).toBe('captured');
  const [paid] = await receiver.of('receipt.paid');
  const event = { rawData: Buffer.from(paid!.body), headers: paid!.headers };
  const captured = { action: 'captured', data: { session_id: data.session_id, amount: '19.99' } };
  for (const _again of [1, 2]) expect(await payments.getWebhookActionAndData(event)).toEqual(captured);
  await expect(payments.getWebhookActionAndData({ ...event, rawData: '{}' })).rejects.toThrow();
});

test('a changed cart has another payment, and the one before takes no money any more; a paid cart cannot change', async () => {
  await openPayments();
  const first = await begin({ value: '10.005', precision: 20 });
  expect(first.data.cents).toBe(1_001);
  const change = { data: first.data, amount: { raw: { value: '25' } }, currency_code: 'USD' };
  const { data } = await payments.updatePayment(change);
  expect(data).toMatchObject({ cents: 2_500, attempt: 2, session_id: first.data.session_id });
  expect((await payments.updatePayment(change)).data).toEqual(data);
  expect((await payments.updatePayment({ ...change, data })).data).toEqual(data);
  expect((await payments.authorizePayment({ data: first.data })).status).toBe('canceled');
  // The page that is still open leads to the payment of the changed cart.
  expect(await (await fetch(first.data.payment_url)).text()).toContain(`/portal/${data.receipt_id}`);
  await pay(data.receipt_id);
  const refused = { type: 'not_allowed' };
  await expect(payments.updatePayment({ ...change, data, amount: 7 })).rejects.toMatchObject(refused);
  await expect(payments.deletePayment({ data })).rejects.toMatchObject(refused);
  expect((await payments.cancelPayment({ data })).data.state).toBe('paid');
});

test('a cart that changes again before the shop knows of its payment has one that can be paid', async () => {
  await openPayments();
  const { data: first } = await begin();
  const changed = (amount: string) => payments.updatePayment({ data: first, amount, currency_code: 'usd' });
  const [lost, last] = [await changed('5'), await changed('6')];
  for (const { data } of [{ data: first }, lost])
    expect((await payments.getPaymentStatus({ data })).status).toBe('canceled');
  expect((await payments.getPaymentStatus(last)).status).toBe('pending_authorization');
  const carts = await Promise.all(['7', '8', '9'].map(changed));
  const open = await Promise.all(carts.map(async ({ data }) => (await payments.getPaymentStatus({ data })).status));
  expect(open.sort()).toEqual(['canceled', 'canceled', 'pending_authorization']);
});

test('a buyer who takes a card leaves a page that takes no money, and a currency without receipts is refused', async () => {
  await openPayments();
  const { data } = await begin();
  await payments.deletePayment({ data });
  expect((await payments.getPaymentStatus({ data })).status).toBe('canceled');
  await payments.deletePayment({ data: {} });
  const yen = { amount: 100, currency_code: 'jpy', data: { session_id: 'payses_yen' } };
  await expect(payments.initiatePayment(yen)).rejects.toThrow('USD or EUR');
});

test('a refund of the shop is a request, made once', async () => {
  await openPayments();
  const { data } = await begin();
  await pay(data.receipt_id);
  const refund = { data, amount: { value: '5.5' }, context: { idempotency_key: 'ref_1' } };
  for (const _again of [1, 2]) expect((await payments.refundPayment(refund)).data.state).toBe('paid');
  const query = `{ receipt(receiptId: "${data.receipt_id}") { refunds { state usd } } }`;
  const { body } = await server.call('POST', '/api/graphql', { headers: session, body: { query } });
  expect(body.data.receipt.refunds).toEqual([{ state: 'requested', usd: 5.5 }]);
});

test('after a week without webhooks the status of each payment is right, and one reconciliation tells of each', async () => {
  await openPayments();
  const { cursor } = await connect.reconcile(null);
  // What the shop has stored before it goes down: each waits.
  const [left, paid, canceled, changed] = [await begin(), await begin(), await begin(), await begin()];
  await pay(paid.data.receipt_id);
  await connect.cancel(canceled.data.receipt_id);
  const { data: second } = await payments.updatePayment({ data: changed.data, amount: '7', currency_code: 'usd' });
  await pay(second.receipt_id);
  const inAWeek = Date.now() + 7 * 24 * 3_600_000 + 60_000;
  await expireReceipts({ ...server.deps, clock: () => inAWeek });

  const { changes } = await connect.reconcile(cursor);
  const reported = new Map(changes.map(({ receiptId, state }) => [receiptId, state]));
  const expected = [
    [left.data, 'canceled', 'ended'],
    [paid.data, 'captured', 'paid'],
    [canceled.data, 'canceled', 'ended'],
    [changed.data, 'canceled', 'ended'],
    [second, 'captured', 'paid'],
  ] as const;
  for (const [data, status, state] of expected) {
    expect(data.state).toBe('open');
    expect((await payments.getPaymentStatus({ data })).status).toBe(status);
    expect(reported.get(data.receipt_id)).toBe(state);
  }
});
