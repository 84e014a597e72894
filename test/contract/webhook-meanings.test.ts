import { encodeFunctionData, erc20Abi } from 'viem';
import { expect, test } from 'vitest';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import { localAccount } from '../../src/base/chain/local-accounts.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { openReceiver as openEndpoint } from '../../src/domain/webhooks/test/scene.ts';
import { until } from '../support/program.ts';
import { openReceiver } from '../support/receiver.ts';
import { newAccount } from '../support/server.ts';
import { stock } from './catalog.ts';
import { openPaidShop } from './paid-shop.ts';

const { chain, server, merchant, session, mineUntil } = await openPaidShop();
await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** An order with a webhook, and its page's way to speak to the server. */
async function checkout(receiver: Receiver) {
  const { body } = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: {
      items: [{ sku: 'TEA', qty: 1 }],
      webhookUrl: receiver.url,
      transactionId: 'order-7',
      metadata: { table: 'Größe 4' },
    },
  });
  const { receiptId } = body.receipt;
  const page = await server.call('GET', `/portal/${receiptId}`);
  const [, token] = /name="page-token" content="([^"]+)"/.exec(page.body) as unknown as [string, string];
  const ask = async (query: string, variables: object = {}) => {
    const answer = await server.call('POST', '/api/graphql', {
      headers: { authorization: `Bearer ${token}` },
      body: { query, variables: { id: receiptId, ...variables } },
    });
    expect(answer.body.errors).toBeUndefined();
    return answer.body.data;
  };
  const eventOf = async (status: string) => JSON.parse((await receiver.about(receiptId, status))[0]!.body);
  const report = (status: string) =>
    ask('mutation ($id: ID!, $status: String!) { reportTracking(receiptId: $id, status: $status) { seq } }', {
      status,
    });
  return { receiptId: receiptId as string, ask, eventOf, report };
}

const atOnce = async (moment: Promise<unknown>) => {
  let arrived = false;
  void moment.then(() => {
    arrived = true;
  });
  await mineUntil(() => arrived);
};

/** The fields of every event of these receipts, in the contract's order. */
const event = (receiptId: string, status: string, previousStatus: string, seq: number) => ({
  event: 'receipt.status_updated',
  receiptId,
  status,
  previousStatus,
  failureCode: null,
  failureCategory: null,
  failureReason: null,
  failureAction: null,
  transactionHash: null as string | null,
  buyerWallet: null as string | null,
  merchantWallet: merchant.wallet,
  totalUsd: 10.05,
  customerTotalUsd: 10.05,
  onrampSessionId: null,
  isOnrampSessionUnique: false,
  transactionId: 'order-7',
  metadata: { table: 'Größe 4' },
  brandKey: expect.stringMatching(/./),
  timestamp: expect.any(Number),
  seq,
});

// Contract: states.webhooks, states.meanings, states.pending-paid, states.paid-completed, states.completed-refunded
// Contract: service.followed-by-webhook, webhooks.event, webhooks.hash, webhooks.wallets, webhooks.total-usd
// Contract: webhooks.token, webhooks.session, webhooks.reference, webhooks.brand, webhooks.timestamp, webhooks.paid
test('from the opened portal to the refund, each status is sent as a webhook under its name with the complete payload', async () => {
  const receiver = await openReceiver();
  const { receiptId, ask, eventOf, report } = await checkout(receiver);
  const buyer = localAccount('buyer').address;

  await report('link_opened');
  expect(await eventOf('link_opened'), 'buyer opened the portal').toStrictEqual(
    event(receiptId, 'link_opened', 'generated', 2),
  );
  await report('buyer_logged_in');
  expect(await eventOf('buyer_logged_in'), 'buyer connected a wallet').toStrictEqual(
    event(receiptId, 'buyer_logged_in', 'link_opened', 3),
  );
  await report('checkout_initialized');
  expect(await eventOf('pending')).toStrictEqual(event(receiptId, 'pending', 'buyer_logged_in', 4));
  expect(await eventOf('checkout_initialized'), 'buyer started the checkout').toStrictEqual(
    event(receiptId, 'checkout_initialized', 'pending', 5),
  );
  const submitted = await server.call('POST', '/api/receipts/status', {
    headers: session,
    body: { receiptId, wallet: merchant.wallet, status: 'checkout_success' },
  });
  expect(submitted.status).toBe(200);
  expect(await eventOf('checkout_success'), 'payment submitted through the widget').toStrictEqual(
    event(receiptId, 'checkout_success', 'checkout_initialized', 6),
  );

  const { payWithTestWallet } = await ask(
    'mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }',
  );
  const paid = { transactionHash: payWithTestWallet.transactionHash, buyerWallet: buyer, token: 'USDC' };
  await atOnce(receiver.about(receiptId, 'paid'));
  expect(await eventOf('paid'), 'payment confirmed on the chain').toStrictEqual({
    ...event(receiptId, 'paid', 'checkout_success', 8),
    ...paid,
  });
  await atOnce(receiver.about(receiptId, 'reconciled'));
  expect(await eventOf('reconciled'), 'funds verified and split').toStrictEqual({
    ...event(receiptId, 'reconciled', 'paid', 9),
    ...paid,
  });

  const to = newAccount().address.toLowerCase() as Wallet;
  const refund = (txHash?: string) =>
    server.call('POST', '/api/receipts/refund', {
      headers: session,
      body: { receiptId, wallet: merchant.wallet, buyer: to, usd: 10.05, txHash },
    });
  expect((await refund()).body).toEqual({ ok: true });
  expect(await eventOf('refund_requested'), 'refund requested').toStrictEqual({
    ...event(receiptId, 'refund_requested', 'reconciled', 10),
    ...paid,
  });
  const back = await payFromTestWallet(chain.chain, { token: 'USDC', to, amount: 10_050_000n });
  await chain.chain.client.waitForTransactionReceipt({ hash: back, pollingInterval: 20 });
  await chain.control.mine({ blocks: 2 });
  expect((await refund(back)).body).toEqual({ ok: true });
  expect(await eventOf('refunded'), 'refund processed').toStrictEqual({
    ...event(receiptId, 'refunded', 'refund_requested', 11),
    ...paid,
  });
  expect(receiver.received).toHaveLength(9);
}, 240_000);

// Contract: webhooks.failed, webhooks.failure, states.previous-of-failed
test('a failed payment carries the four failure fields and none of a transaction; what is reported later carries no failure', async () => {
  const receiver = await openReceiver();
  const { receiptId, ask, eventOf, report } = await checkout(receiver);
  const { quotePayment } = await ask(
    'mutation ($id: ID!) { quotePayment(receiptId: $id, token: "USDC") { payTo amount } }',
  );
  const token = chain.chain.tokens[0]!.address as `0x${string}`;
  const poor = localAccount('buyer', 4).address as `0x${string}`;
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [quotePayment.payTo, BigInt(quotePayment.amount)],
  });
  const hash = await chain.chain.client.request({
    method: 'eth_sendTransaction' as never,
    params: [{ from: poor, to: token, data, gas: '0x30d40' }] as never,
  });
  await ask(
    'mutation ($id: ID!, $hash: Hex!) { submitTransaction(receiptId: $id, transactionHash: $hash) { status } }',
    {
      hash,
    },
  );
  await atOnce(receiver.about(receiptId, 'failed'));
  const { transactionHash: _, ...common } = event(receiptId, 'failed', 'pending', 3);
  expect(await eventOf('failed')).toStrictEqual({
    ...common,
    failureCode: 'PORTAL_CHAIN_TX_REVERTED',
    failureCategory: 'blockchain',
    failureReason: expect.stringMatching(/./),
    failureAction: expect.stringMatching(/./),
  });
  await report('link_opened');
  expect(await eventOf('link_opened')).toStrictEqual(event(receiptId, 'link_opened', 'failed', 4));
}, 240_000);

// Contract: webhooks.post, webhooks.header-signature, webhooks.header-event, webhooks.header-delivery
// Contract: webhooks.header-timestamp, webhooks.header-agent, webhooks.same-delivery
test('every attempt carries the contract’s headers, and an admin finds it, reads it and sends it again over GraphQL', async () => {
  const receiver = await openReceiver();
  const { receiptId, report } = await checkout(receiver);
  await report('link_opened');
  const [sent] = await receiver.about(receiptId, 'link_opened');
  expect(sent!.headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    'x-service-event': 'receipt.status_updated',
    'x-service-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-service-timestamp': expect.stringMatching(/^\d{13}$/),
    'user-agent': 'Service-Webhook/1.0',
  });
  const id = sent!.headers['x-service-delivery'] as string;
  const ask = (query: string, variables: object, headers: Record<string, string> = session) =>
    server.call('POST', '/api/graphql', { headers, body: { query, variables } });
  const LIST = `query ($receiptId: ID, $state: WebhookDeliveryState, $after: String) {
    webhookDeliveries(receiptId: $receiptId, state: $state, after: $after) {
      nodes { id body state attempts { number statusCode } } pageInfo { endCursor } } }`;
  const ONE = 'query ($id: ID!) { webhookDelivery(deliveryId: $id) { id body url state attempts { number } } }';
  const AGAIN = 'mutation ($id: ID!) { redeliverWebhook(deliveryId: $id) { id state } }';
  const PING =
    'mutation ($url: String!, $keyId: ID) { pingWebhook(url: $url, keyId: $keyId) { ok statusCode keyId body } }';
  await until(
    async () => (await ask(LIST, { receiptId, state: 'delivered' })).body.data.webhookDeliveries.nodes.length === 1,
  );
  const { data } = (await ask(LIST, { receiptId })).body;
  expect(data.webhookDeliveries.nodes).toEqual([
    { id, body: sent!.body, state: 'delivered', attempts: [{ number: 1, statusCode: 204 }] },
  ]);
  expect((await ask(LIST, { receiptId, state: 'failed' })).body.data.webhookDeliveries.nodes).toEqual([]);
  const after = data.webhookDeliveries.pageInfo.endCursor;
  expect((await ask(LIST, { receiptId, after })).body.data.webhookDeliveries.nodes).toEqual([]);
  expect((await ask(LIST, { receiptId, after: id })).body.errors[0].extensions).toMatchObject({ code: 'bad_cursor' });
  expect((await ask(ONE, { id })).body.data.webhookDelivery).toMatchObject({ id, url: receiver.url });
  expect((await ask(AGAIN, { id })).body.data.redeliverWebhook).toMatchObject({ id });
  const [, again] = await receiver.about(receiptId, 'link_opened', 2);
  expect([again!.body, again!.headers['x-service-delivery']]).toEqual([sent!.body, id]);

  const other = await server.merchant();
  const otherSession = await server.signIn(other.account);
  const { 'x-csrf-token': _, ...withoutCsrf } = session;
  const codeOf = async (query: string, variables: object, headers: Record<string, string>) =>
    (await ask(query, variables, headers)).body.errors?.[0]?.extensions.code ?? null;
  for (const [query, variables] of [
    [LIST, { receiptId }],
    [ONE, { id }],
    [AGAIN, { id }],
    [PING, { url: receiver.url }],
  ] as const) {
    expect(await codeOf(query, variables, merchant.auth)).toBe('forbidden');
    expect(await codeOf(query, variables, {})).toBe('unauthorized');
    if (query.startsWith('mutation')) expect(await codeOf(query, variables, withoutCsrf)).toBe('forbidden');
  }
  expect((await ask(LIST, { receiptId }, otherSession)).body.data.webhookDeliveries.nodes).toEqual([]);
  expect(await codeOf(ONE, { id }, otherSession)).toBe('not_found');
  expect(await codeOf(AGAIN, { id }, otherSession)).toBe('not_found');
  expect(await codeOf(PING, { url: receiver.url, keyId: merchant.keyId }, otherSession)).toBe('not_found');
  expect(await codeOf(PING, { url: 'file:///etc/passwd' }, session)).toBe('invalid_input');
});

test('pingWebhook tries an endpoint from the admin’s session', async () => {
  const receiver = await openEndpoint();
  const { body } = await server.call('POST', '/api/graphql', {
    headers: session,
    body: {
      query: 'mutation ($url: String!) { pingWebhook(url: $url) { ok statusCode keyId deliveryId body } }',
      variables: { url: receiver.url },
    },
  });
  const [arrived] = receiver.received;
  expect(body.data.pingWebhook).toEqual({
    ok: true,
    statusCode: 204,
    keyId: merchant.keyId,
    deliveryId: arrived!.headers['x-service-delivery'],
    body: arrived!.body,
  });
  expect(arrived!.headers['x-service-event']).toBe('ping');
});
