import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { stock } from '../../contract/catalog.ts';
import { openPaidShop } from '../../contract/paid-shop.ts';
import { openEvents } from '../../live/sse.ts';
import { createDatabase } from '../../support/database.ts';
import { openReceiver } from '../../support/receiver.ts';
import { startPgbouncer } from '../../support/services/pgbouncer.ts';

const SESSIONS = 4;
const { databaseUrl: sessionUrl, drop } = await createDatabase();
afterAll(drop);
const pooler = await startPgbouncer(sessionUrl, SESSIONS);
afterAll(pooler.stop);
const { server, merchant, session, mineUntil } = await openPaidShop(
  { DATABASE_POOLER: 'transaction', DATABASE_SESSION_URL: sessionUrl },
  pooler.databaseUrl,
);
await stock(server, merchant, [{ sku: 'TEA', priceUsd: 100 }]);

const order = async (body: object = {}): Promise<string> => {
  const answer = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: { items: [{ sku: 'TEA', qty: 1 }], ...body },
  });
  expect(answer.status).toBe(200);
  return answer.body.receipt.receiptId;
};
const statusOf = async (receiptId: string): Promise<string> => {
  const answer = await server.call('GET', `/api/receipts/status?receiptId=${receiptId}`, { headers: merchant.auth });
  expect(answer.status).toBe(200);
  return answer.body.status;
};

/** The database's sessions of this server, by their name. */
async function sessionsByName(): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: sessionUrl, application_name: 'a test' });
  await client.connect();
  const { rows } = await client.query<{ name: string; count: number }>(
    `select application_name as name, count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name like 'quittance%' group by 1`,
  );
  await client.end();
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

test('orders, status reads and edits of many callers share a few sessions of the pooler', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, () => order()));
  expect(new Set(ids).size).toBe(60);
  expect(await Promise.all(ids.map(statusOf))).toEqual(ids.map(() => 'generated'));
  const edits = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      server.call('POST', '/api/inventory', {
        headers: merchant.auth,
        body: { sku: `CUP-${n}`, name: 'Cup', priceUsd: 1 + n, stockQty: -1 },
      }),
    ),
  );
  expect(edits.map(({ status }) => status)).toEqual(edits.map(() => 200));
  const list = await server.call('GET', '/api/receipts?limit=100', { headers: merchant.auth });
  expect(list.body.receipts.map((receipt: { receiptId: string }) => receipt.receiptId).sort()).toEqual(ids.sort());

  const named = await sessionsByName();
  expect(named.quittance).toBeLessThanOrEqual(SESSIONS);
  expect((await pooler.show('servers')).length).toBeGreaterThan(0);
  expect(Object.keys(named)).toEqual(expect.arrayContaining(['quittance listener', 'quittance statistics']));
});

test('a stream through the pooler hears each step of a payment, whose webhook arrives', async () => {
  const receiver = await openReceiver();
  const receiptId = await order({ webhookUrl: receiver.url });
  const stream = await openEvents<{ receiptStatus: { status: string } }>(
    server,
    merchant.auth,
    'subscription ($id: ID!) { receiptStatus(receiptId: $id, afterSeq: 1) { status } }',
    { id: receiptId },
  );
  const heard: string[] = [];
  const listening = (async () => {
    while (heard.at(-1) !== 'completed') heard.push((await stream.next()).receiptStatus.status);
  })();
  const query = 'mutation ($id: ID!) { payWithTestWallet(receiptId: $id, token: "USDC") { transactionHash } }';
  await server.call('POST', '/api/graphql', { headers: session, body: { query, variables: { id: receiptId } } });
  await mineUntil(async () => (await statusOf(receiptId)) === 'completed');
  await listening;
  stream.end();
  expect(heard).toEqual(expect.arrayContaining(['paid', 'completed']));
  await receiver.about(receiptId, 'paid');
});
