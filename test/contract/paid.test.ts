import { expect, test } from 'vitest';
import { openReceiver } from '../support/receiver.ts';
import { MILLIS, stock } from './catalog.ts';
import { openPaidShop } from './paid-shop.ts';

const { chain, server, merchant, session, mineUntil } = await openPaidShop();
await stock(server, merchant, [{ sku: 'TEA', priceUsd: 100 }]);

const get = async (path: string) => {
  const { status, body } = await server.call('GET', path, { headers: merchant.auth });
  expect(status).toBe(200);
  return body;
};
const statusOf = (receiptId: string) => get(`/api/receipts/status?receiptId=${receiptId}`);
const report = (receiptId: string, status: string) =>
  server.call('POST', '/api/receipts/status', {
    headers: merchant.auth,
    body: { receiptId, wallet: merchant.wallet, status },
  });

async function order(body: object = {}): Promise<string> {
  const answer = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: { items: [{ sku: 'TEA', qty: 1 }], ...body },
  });
  return answer.body.receipt.receiptId;
}

/** Pays from the test wallet and lets blocks pass until the receipt says so; the hash. */
async function pay(receiptId: string, status: string): Promise<string> {
  const query = 'mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';
  const body = { query, variables: { id: receiptId } };
  const { data } = (await server.call('POST', '/api/graphql', { headers: session, body })).body;
  await mineUntil(async () => (await statusOf(receiptId)).status === status);
  return data.payWithTestWallet.transactionHash;
}

// Contract: receipts.record-transaction, receipts.status-hash, receipts.status-amount, split.transactions
// Contract: split.transaction-fields, split.transactions-address, states.paid-completed, states.record, states.endpoint
test('a confirmed payment is in the record, the status and the split’s transactions', async () => {
  const receiptId = await order();
  expect(await get(`/api/receipts/${receiptId}`)).toMatchObject({
    status: 'generated',
    transactionHash: null,
    transactionTimestamp: null,
  });
  expect((await statusOf(receiptId)).transactionHash).toBeNull();
  const transactionHash = await pay(receiptId, 'completed');

  const record = await get(`/api/receipts/${receiptId}`);
  expect(record).toMatchObject({ status: 'completed', transactionHash, transactionTimestamp: MILLIS });
  const hash = transactionHash as `0x${string}`;
  const { blockNumber } = await chain.chain.client.getTransactionReceipt({ hash });
  const { timestamp } = await chain.chain.client.getBlock({ blockNumber });
  expect(record.transactionTimestamp).toBe(Number(timestamp) * 1000);

  const status = await statusOf(receiptId);
  expect(status).toStrictEqual({
    id: receiptId,
    status: 'completed',
    transactionHash,
    currency: 'USDC',
    amount: 100.5,
  });

  const one = {
    id: expect.any(String),
    receiptId,
    amount: status.amount,
    currency: 'USDC',
    status: 'completed',
    timestamp: new Date(record.transactionTimestamp).toISOString(),
    transactionHash,
    fees: expect.closeTo(status.amount * 0.005, 5),
  };
  const all = await get('/api/split/transactions');
  expect(all).toStrictEqual([one]);
  for (const address of [merchant.split, merchant.wallet, server.deps.settings.platformRecipient])
    expect(await get(`/api/split/transactions?address=${address}`)).toEqual(all);
  expect(await get(`/api/split/transactions?address=0x${'12'.repeat(20)}`)).toEqual([]);
});

// Contract: states.previous-of-paid, states.generated-pending, states.pending-paid, service.followed-by-webhook
test('the paid event of a checkout has checkout_initialized as its previousStatus', async () => {
  const receiver = await openReceiver();
  const receiptId = await order({ webhookUrl: receiver.url });
  await report(receiptId, 'checkout_initialized');
  expect((await statusOf(receiptId)).status).toBe('pending');
  await pay(receiptId, 'completed');
  const [paid] = await receiver.about(receiptId, 'paid');
  expect(paid!.event).toMatchObject({ status: 'paid', previousStatus: 'checkout_initialized' });
});
