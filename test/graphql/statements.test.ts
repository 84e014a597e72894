import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { indexAll } from '../../src/domain/reports/receipt-search/indexer.ts';
import { mergeQueries } from '../../src/doors/pages/console/client/merge-queries.ts';
import { ConsoleCursor, ConsoleShop } from '../../src/doors/pages/console/generated/client.ts';
import { Home } from '../../src/doors/pages/console/generated/home.ts';
import { DAYS } from '../../src/doors/pages/console/home/figures.ts';
import { PageSession } from '../../src/doors/pages/generated/session.ts';
import { stock } from '../contract/catalog.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask } from './ask.ts';

/** 100,000 with `npm run long -- console`. */
const MANY = Number(process.env.CONSOLE_RECEIPTS ?? 3_000);

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
  const skus = Array.from({ length: 12 }, (_, i) => ({ sku: `S${i}`, priceUsd: i + 1 }));
  await stock(server, merchant, skus);
  for (let i = 0; i < 12; i++) {
    const items = skus.slice(0, i + 1).map(({ sku }) => ({ sku, qty: 1 }));
    await server.call('POST', '/api/orders', { headers: merchant.auth, body: { items } });
  }
});
afterAll(() => server.stop());

/**
 * How many statements of any kind an operation takes: the minimum of three runs, because its key or session is
 * sometimes looked up again.
 */
async function statementsOf(
  query: string,
  headers: Record<string, string> = merchant.auth,
  variables?: Record<string, unknown>,
): Promise<number> {
  await ask(server, headers, query, variables);
  const counts: number[] = [];
  for (let time = 0; time < 3; time++) {
    const spy = vi.spyOn(pg.Client.prototype, 'query');
    const { status, body } = await ask(server, headers, query, variables);
    counts.push(spy.mock.calls.length);
    spy.mockRestore();
    expect([status, body.errors]).toEqual([200, undefined]);
  }
  return Math.min(...counts);
}

const RECEIPT_FIELDS: Readonly<Record<string, string>> = {
  lines: 'lineItems { label priceUsd qty sku thumb }',
  history: 'history { seq kind status }',
  settlement: 'settlement { recipient owed released }',
  'what is missing': 'missing { token }',
  'all of it':
    'lineItems { thumb } history { seq } settlement { owed } missing { token } failure { code } pricing { version }',
};

describe.each(['generated', 'tx_mismatch', 'completed', 'failed'])('receipts in %s', (status) => {
  // What a resolver reads depends on what was paid.
  beforeAll(() => server.deps.db.orm.em.fork().getConnection().execute('update receipts set status = ?', [status]));

  test.each(Object.entries(RECEIPT_FIELDS))('with %s take as many statements for ten as for two', async (_, fields) => {
    const two = await statementsOf(`{ receipts(first: 2) { nodes { receiptId ${fields} } } }`);
    const ten = await statementsOf(`{ receipts(first: 10) { nodes { receiptId ${fields} } } }`);
    expect(ten).toBe(two);
  });
});

test('the catalog takes as many statements for ten items as for two', async () => {
  for (const fields of ['id sku name thumb priceUsd attributes', 'id']) {
    const two = await statementsOf(`{ inventoryPage(limit: 2) { items { ${fields} } total } }`);
    expect(await statementsOf(`{ inventoryPage(limit: 10) { items { ${fields} } total } }`)).toBe(two);
    const short = await statementsOf(`{ inventory(first: 2) { edges { node { ${fields} } } } }`);
    expect(await statementsOf(`{ inventory(first: 10) { edges { node { ${fields} } } } }`)).toBe(short);
  }
});

test('several receipts by id in one operation are one read', async () => {
  const { body } = await ask(server, merchant.auth, '{ receipts(first: 6) { nodes { receiptId } } }');
  const ids: string[] = body.data.receipts.nodes.map((receipt: { receiptId: string }) => receipt.receiptId);
  const query = (n: number) =>
    `{ ${ids
      .slice(0, n)
      .map((id, i) => `r${i}: receipt(receiptId: "${id}") { status }`)
      .join(' ')} }`;
  expect(await statementsOf(query(6))).toBeLessThanOrEqual(await statementsOf(query(1)));
});

test('the first page of the console takes at most six statements, with its frame, at many receipts as at few', async () => {
  const session = await server.signIn(merchant.account);
  // The console sends what a page reads as one document.
  const page = mergeQueries([
    { query: ConsoleShop, variables: {} },
    { query: ConsoleCursor, variables: {} },
    { query: Home, variables: { ...DAYS, setUp: true } },
  ]);
  const statements = async () => [
    await statementsOf(PageSession, session),
    await statementsOf(page.query, session, page.variables),
  ];
  const few = await statements();
  expect(few.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(6);
  const now = Date.now();
  await server.deps.db.orm.em
    .fork()
    .getConnection()
    .execute(
      `insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items,
       brand_name, created_at, updated_at)
     select ?, 'many-' || n, 'order', 'tx_mismatch', 'tx_mismatch', n, 'USD', '[]', 'Shop', ?, ?
       from generate_series(1, ?) n`,
      [merchant.wallet, now, now, MANY],
    );
  await indexAll(server.deps.db);
  expect(await statements()).toEqual(few);
});
