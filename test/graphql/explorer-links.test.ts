import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask } from './ask.ts';

const BASE = 8453;
const HASH = `0x${'ab'.repeat(32)}`;
const SENDER = `0x${'cd'.repeat(20)}`;

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

const run = (text: string, values: readonly unknown[]) =>
  server.deps.db.orm.em.fork().getConnection().execute(text, values);

test('unmatched money links to its transaction and its sender where the chain has an explorer', async () => {
  for (const chainId of [BASE, server.deps.settings.chainId])
    await run(
      `insert into transfers (chain_id, block_hash, transaction_hash, log_index, block_number, block_time_ms, token,
         sender, pay_to, amount, canonical, merchant, unmatched_reason, exact, seen_at)
       values (?, '0xb', ?, 0, 1, 1, 'USDC', ?, '0xp', 5000000, true, ?, 'late', false, 1) on conflict do nothing`,
      [chainId, HASH, SENDER, merchant.wallet],
    );
  const query = '{ unmatchedTransfers { nodes { chainId transactionUrl senderUrl } } }';
  const { body } = await ask(server, await server.signIn(merchant.account), query);
  const { nodes } = body.data.unmatchedTransfers;
  expect(nodes).toHaveLength(2);
  expect(nodes).toContainEqual({
    chainId: BASE,
    transactionUrl: `https://basescan.org/tx/${HASH}`,
    senderUrl: `https://basescan.org/address/${SENDER}`,
  });
  const { chainId } = server.deps.settings;
  expect(nodes).toContainEqual({ chainId, transactionUrl: null, senderUrl: null });
});

test('a receipt links to the transaction on the chain that it was paid on', async () => {
  const body = { lineItems: [{ label: 'Tea', priceUsd: 5 }] };
  for (const [id, chainId] of [
    ['on-base', BASE],
    ['local', null],
  ] as const) {
    await server.call('POST', '/api/receipts', { headers: merchant.auth, body: { id, ...body } });
    await run('update receipts set transaction_hash = ?, payment_chain_id = ? where id = ?', [HASH, chainId, id]);
  }
  const query =
    '{ base: receipt(receiptId: "on-base") { transactionUrl } local: receipt(receiptId: "local") { transactionUrl } }';
  expect((await ask(server, merchant.auth, query)).body.data).toEqual({
    base: { transactionUrl: `https://basescan.org/tx/${HASH}` },
    local: { transactionUrl: null },
  });
});
