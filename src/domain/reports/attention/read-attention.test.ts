import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ask, codeOf } from '../../../../test/graphql/ask.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../../../../test/support/server.ts';
import { listPauses, pausePayments, resumePayments } from '../../payments/quotes/pauses.ts';
import { saveItem } from '../../shop/catalog/test/requests.ts';
import { resumeMerchant, suspendMerchant } from '../../shop/merchants/suspend.ts';
import { indexAll } from '../receipt-search/indexer.ts';
import { LATEST_DELIVERIES, MOST_COUNTED } from './read-attention.ts';

let server: TestServer;
let shop: TestMerchant;
let session: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.merchant();
  session = await server.signIn(shop.account);
});
afterAll(() => server.stop());

const FIELDS = '{ attention { unmatchedTransfers receipts failedDeliveries pastDueSubscriptions lowStock } }';
const read = async () => (await ask(server, session, FIELDS)).body.data.attention;
const run = (text: string, values: readonly unknown[] = []) =>
  server.deps.db.orm.em.fork().getConnection().execute(text, values);

const insertDeliveries = (prefix: string, state: string, count: number, at: number) =>
  run(
    `insert into webhook_deliveries (id, merchant, receipt_id, seq, url, event, body, state, created_at)
     select ? || n, ?, ? || n, 1, 'https://shop.test/hook', 'paid', '{}', ?, ? from generate_series(1, ?) n`,
    [prefix, shop.wallet, prefix, state, at, count],
  );

test('a merchant without trouble has zeros', async () => {
  expect(await read()).toEqual({
    unmatchedTransfers: 0,
    receipts: 0,
    failedDeliveries: 0,
    pastDueSubscriptions: 0,
    lowStock: 0,
  });
});

test('counts what needs the merchant, and nothing of another one', async () => {
  const other = await server.merchant();
  for (const { wallet } of [shop, other]) {
    await saveItem(server.deps, wallet, { sku: 'LOW', name: 'Last pieces', priceUsd: 5, stockQty: 5 });
    await saveItem(server.deps, wallet, { sku: 'OUT', name: 'Gone', priceUsd: 5, stockQty: 0 });
  }
  await saveItem(server.deps, shop.wallet, { sku: 'MANY', name: 'Enough', priceUsd: 5, stockQty: 6 });
  await saveItem(server.deps, shop.wallet, { sku: 'ANY', name: 'Unlimited', priceUsd: 5, stockQty: -1 });
  for (const { auth } of [shop, other])
    await server.call('POST', '/api/receipts', {
      headers: auth,
      body: { id: 'short', lineItems: [{ label: 'Tea', priceUsd: 5 }] },
    });
  await run("update receipts set status = 'tx_mismatch' where id = 'short'");
  const { chainId } = server.deps.settings;
  // A payment, dust, and a payment that is marked for return.
  for (const [hash, amount, markedAt] of [
    ['a', 5_000_000, null],
    ['b', 5, null],
    ['c', 5_000_000, 1],
  ] as const)
    await run(
      `insert into transfers (chain_id, block_hash, transaction_hash, log_index, block_number, block_time_ms, token,
         sender, pay_to, amount, canonical, merchant, unmatched_reason, exact, seen_at, refund_marked_at)
       values (?, '0xb', ?, 0, 1, 1, 'USDC', '0xs', '0xp', ?, true, ?, 'late', false, 1, ?)`,
      [chainId, hash, amount, shop.wallet, markedAt],
    );
  await indexAll(server.deps.db);
  expect(await read()).toMatchObject({ unmatchedTransfers: 1, receipts: 1, lowStock: 2 });
});

test('failures count among the latest deliveries only, up to the most that is counted', async () => {
  await insertDeliveries('old', 'failed', 7, 1_000);
  expect(await read()).toMatchObject({ failedDeliveries: 7 });
  await insertDeliveries('new', 'failed', MOST_COUNTED + 20, 3_000);
  expect(await read()).toMatchObject({ failedDeliveries: MOST_COUNTED });
  await run("delete from webhook_deliveries where id like 'new%'");
  await insertDeliveries('fine', 'delivered', LATEST_DELIVERIES, 2_000);
  expect(await read()).toMatchObject({ failedDeliveries: 0 });
});

test('a merchant whose tokens are all gone or paused reads that buyers can pay in nothing', async () => {
  const takesNothing = async () =>
    (await ask(server, session, '{ attention { takesNothing } }')).body.data.attention.takesNothing;
  const { chainId } = server.deps.chain;
  const choose = (tokens: readonly string[] | null) =>
    run("update merchants set shop = shop || jsonb_build_object('paymentTokens', ?::jsonb) where wallet = ?", [
      JSON.stringify(tokens?.map((token) => ({ chainId, token })) ?? null),
      shop.wallet,
    ]);
  onTestFinished(async () => {
    await choose(null);
    for (const { token } of await listPauses(server.deps.db)) await resumePayments(server.deps, { chainId, token });
  });
  expect(await takesNothing()).toBe(false);
  await choose(['GONE']);
  expect(await takesNothing()).toBe(true);
  await choose(['GONE', 'USDC']);
  expect(await takesNothing()).toBe(false);
  await pausePayments(server.deps, { chainId, token: 'USDC' }, 'depeg');
  expect(await takesNothing()).toBe(true);
  await choose(null);
  expect(await takesNothing()).toBe(false);
  await pausePayments(server.deps, { chainId, token: null }, 'depeg');
  expect(await takesNothing()).toBe(true);
});

test('a suspended merchant reads since when, and another one nothing of it', async () => {
  const other = await server.signIn((await server.merchant()).account);
  const suspendedAt = async (headers: Record<string, string>) =>
    (await ask(server, headers, '{ attention { suspendedAt } }')).body.data.attention.suspendedAt;
  expect(await suspendedAt(session)).toBeNull();
  const { suspendedAt: since } = await suspendMerchant(server.deps, shop.wallet, 'report of fraud');
  onTestFinished(async () => void (await resumeMerchant(server.deps, shop.wallet)));
  expect(since).not.toBeNull();
  expect(await suspendedAt(session)).toBe(since);
  expect(await suspendedAt(other)).toBeNull();
});

test('a key does not read it', async () => {
  expect(codeOf(await ask(server, shop.auth, FIELDS))).toBe('forbidden');
});
