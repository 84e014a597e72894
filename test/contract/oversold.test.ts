import { expect, test } from 'vitest';
import { openReceiver } from '../support/receiver.ts';
import { stock } from './catalog.ts';
import { openPaidShop } from './paid-shop.ts';

const { server, merchant, session, mineUntil } = await openPaidShop();
await stock(server, merchant, [
  { sku: 'LAST', priceUsd: 5, stockQty: 1 },
  { sku: 'TICKET', priceUsd: 0, stockQty: 1 },
]);

const order = (sku: string, body: object = {}) =>
  server.call('POST', '/api/orders', { headers: merchant.auth, body: { items: [{ sku, qty: 1 }], ...body } });

async function ask(query: string, variables: object) {
  const { body } = await server.call('POST', '/api/graphql', { headers: session, body: { query, variables } });
  expect(body.errors).toBeUndefined();
  return body.data;
}

const OVERSOLD =
  'query ($id: ID!) { receipt(receiptId: $id) { status oversold { sku qty } history { kind tracking } } }';

async function pay(id: string) {
  await ask('mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }', { id });
  await mineUntil(async () => ['paid', 'completed'].includes((await ask(OVERSOLD, { id })).receipt.status));
  return (await ask(OVERSOLD, { id })).receipt;
}

test('the last piece sold twice is recorded as oversold in the history, in GraphQL and in the webhook', async () => {
  const receiver = await openReceiver();
  const options = { webhookUrl: receiver.url };
  const ids: string[] = [];
  for (let i = 0; i < 2; i++) ids.push((await order('LAST', options)).body.receipt.receiptId);
  const first = await pay(ids[0]!);
  expect(first.oversold).toEqual([]);
  const second = await pay(ids[1]!);
  expect(second.oversold).toEqual([{ sku: 'LAST', qty: 1 }]);
  expect(second.history).toContainEqual({ kind: 'note', tracking: 'oversold' });
  const [enough, short] = await Promise.all(ids.map(async (id) => (await receiver.about(id, 'paid'))[0]!.event));
  expect(short).toMatchObject({ oversold: [{ sku: 'LAST', qty: 1 }] });
  expect(enough).not.toHaveProperty('oversold');
});

test('a free item with a stock of one is given away once', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => order('TICKET')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid_input', sku: 'TICKET' });
  }
  expect((await order('TICKET')).status).toBe(400);
});
