import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../src/domain/access/keys/change-keys.ts';
import { columnsOf, ROWS_NAMES } from '../../src/domain/reports/exports/export-receipts.ts';
import { indexAll } from '../../src/domain/reports/receipt-search/indexer.ts';
import { ask } from '../graphql/ask.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

let server: TestServer;
let shop: TestMerchant;
let database: pg.Client;
beforeAll(async () => {
  server = await startTestServer({ env: { PARTNER_HOSTS: 'partner.test=acme' } });
  shop = await server.merchant();
  database = new pg.Client({ connectionString: server.deps.settings.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await server.stop();
});

type Cells = Record<string, string>;
const path = (query = '') => `/api/exports/receipts${query}`;
const read = async (query: string, { auth }: TestMerchant = shop): Promise<Cells[]> => {
  const { status, body } = await server.call('GET', path(query), { headers: auth });
  expect([status, body.error]).toEqual([200, undefined]);
  return parse(body, { columns: true });
};

/** Many receipts of a new merchant, about 400 bytes each. */
async function largeShop(count: number): Promise<TestMerchant> {
  const merchant = await server.merchant();
  await database.query(
    `insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items,
       brand_name, transaction_id, created_at, updated_at)
     select $1, 'R-' || n, 'order', 'pending', 'pending', n, 'USD', '[]', 'Shop', repeat('reference ', 25), n, n
       from generate_series(1, $2::int) n`,
    [merchant.wallet, count],
  );
  return merchant;
}

/** An export that is not read yet. */
async function opened(query: string, { auth }: TestMerchant): Promise<IncomingMessage> {
  const request = get(server.url + path(query), { headers: auth, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.pause();
  return response;
}
const restOf = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
};

/** The condition for a connection whose last statement was one of an export. */
const EXPORTS = `datname = current_database() and query like '%jsonb_path_query_first%'`;

/** When the exports' connections began their last statement. */
const lastStatement = async (): Promise<string> => {
  const { rows } = await database.query(
    `select max(query_start)::text as at from pg_stat_activity where pid <> pg_backend_pid() and ${EXPORTS}`,
  );
  return rows[0].at;
};

/** Waits until a reader that takes nothing has stopped the server. */
async function stalled(): Promise<string> {
  let before = '';
  await expect
    .poll(
      async () => {
        const last = await lastStatement();
        const isSame = last === before;
        before = last;
        return isSame;
      },
      { interval: 400 },
    )
    .toBe(true);
  return before;
}

describe('an export', () => {
  test('has the values of GraphQL, to the cent, for orders with tax and fee and for the merchant’s own lines', async () => {
    const own = await server.merchant();
    const session = await server.signIn(own.account);
    const call = async (route: string, body: object, headers: Record<string, string> = own.auth) =>
      expect([200, 201]).toContain((await server.call('POST', route, { headers, body })).status);
    await call('/api/pricing/config', { processingFeePct: 1.5 }, session);
    for (const [sku, priceUsd] of [
      ['MUG', 23.99],
      ['=TEA', 0.07],
    ] as const)
      await call('/api/inventory', { sku, name: `${sku}, "nice"`, priceUsd, taxable: true });
    for (let i = 1; i <= 5; i++)
      await call('/api/orders', {
        items: [
          { sku: 'MUG', qty: i },
          { sku: '=TEA', qty: 3 },
        ],
        buyerEmail: `a${i}@shop.test`,
      });
    await call('/api/receipts', { id: 'mine', lineItems: [{ label: '=1+1', priceUsd: 12.34 }], transactionId: '-5' });
    const { body } = await ask(
      server,
      own.auth,
      `{ receipts(orderBy: { direction: asc }) { nodes { receiptId status recordStatus totalUsd currency createdAt paidAt
           transactionId lineItems { label sku qty priceUsd itemId } } } }`,
    );
    const { nodes } = body.data.receipts;
    expect(nodes).toHaveLength(6);
    const unescaped = (text: string) => text.replace(/^'([=-])/, '$1');
    const rows = await read('?order=asc', own);
    expect(
      rows.map((row) => [row.receiptId, row.status, row.recordStatus, row.totalUsd, row.total, row.currency]),
    ).toEqual(
      nodes.map((node: Cells) => [
        node.receiptId,
        node.status,
        node.recordStatus,
        ...Array(2).fill(Number(node.totalUsd).toFixed(2)),
        node.currency,
      ]),
    );
    expect(rows.map(({ createdAt }) => Date.parse(createdAt as string))).toEqual(nodes.map((n: Cells) => n.createdAt));
    expect(rows.map((row) => unescaped(row.transactionId as string) || null)).toEqual(
      nodes.map((n: Cells) => n.transactionId),
    );
    const lines = await read('?order=asc&rows=lines', own);
    expect(
      lines.map((line) =>
        [line.receiptId, line.label, line.sku, line.qty, line.amountUsd].map((c) => unescaped(c as string)),
      ),
    ).toEqual(
      nodes.flatMap(({ receiptId, lineItems }: { receiptId: string; lineItems: Cells[] }) =>
        lineItems.map(({ label, sku, qty, priceUsd }) => [
          receiptId,
          label,
          sku ?? '',
          String(qty ?? ''),
          Number(priceUsd).toFixed(2),
        ]),
      ),
    );
    const cents = (cell?: string) => Math.round(Number(cell) * 100);
    for (const row of rows.slice(0, 5)) {
      const sum = lines
        .filter(({ receiptId }) => receiptId === row.receiptId)
        .reduce((all, line) => all + cents(line.amountUsd), 0);
      expect([row.receiptId, sum, cents(row.feeUsd) > 0]).toEqual([row.receiptId, cents(row.totalUsd), true]);
    }
  });

  test('has the columns in the order of the documentation, in both formats, also without rows', async () => {
    const own = await server.merchant();
    for (const rows of ROWS_NAMES) {
      const names = columnsOf(rows).map(({ name }) => name);
      const { body } = await server.call('GET', path(`?rows=${rows}`), { headers: own.auth });
      expect(body).toBe(`${names.join(',')}\n`);
      expect((await server.call('GET', path(`?rows=${rows}&format=jsonl`), { headers: own.auth })).body).toBe('');
    }
  });

  test('is a file for browsers, and has the headers of every answer', async () => {
    const day = new Date(server.deps.clock()).toISOString().slice(0, 10);
    const [october, november] = [Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1)];
    const OCTOBER = 'receipts-2026-10-01-to-2026-10-31.csv';
    for (const [query, type, filename] of [
      ['', 'text/csv; charset=utf-8', `receipts-${day}.csv`],
      ['?rows=lines', 'text/csv; charset=utf-8', `receipt-lines-${day}.csv`],
      ['?rows=payouts&format=jsonl', 'application/jsonl; charset=utf-8', `payouts-${day}.jsonl`],
      ['?rows=payments', 'text/csv; charset=utf-8', `payments-${day}.csv`],
      ['?rows=refunds', 'text/csv; charset=utf-8', `refunds-${day}.csv`],
      // The period is in the name: files of two months do not look alike.
      [`?createdFrom=${october}&createdTo=${november - 1}`, 'text/csv; charset=utf-8', OCTOBER],
      [`?createdFrom=${october}`, 'text/csv; charset=utf-8', `receipts-2026-10-01-to-${day}.csv`],
      [`?createdTo=${october}`, 'text/csv; charset=utf-8', 'receipts-until-2026-10-01.csv'],
      [`?createdFrom=${october}&createdTo=${october + 1}`, 'text/csv; charset=utf-8', 'receipts-2026-10-01.csv'],
    ] as const) {
      const { headers } = await server.call('GET', path(query), { headers: shop.auth });
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('content-disposition')).toBe(`attachment; filename="${filename}"`);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.has('x-correlation-id')).toBe(true);
    }
    const head = await fetch(server.url + path(), { method: 'HEAD', headers: shop.auth });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET']);
  });

  test('writes its times in the chosen zone, and takes the filters of the list', async () => {
    const own = await server.merchant();
    const body = { id: 'one', lineItems: [{ label: 'Tea', priceUsd: 3 }], transactionId: 'cart-7' };
    await server.call('POST', '/api/receipts', { headers: own.auth, body });
    await server.call('POST', '/api/receipts', { headers: own.auth, body: { ...body, id: 'two', transactionId: 'x' } });
    await indexAll(server.deps.db);
    const [row, ...others] = await read('?timezone=Asia/Kathmandu&transactionId=cart-7', own);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ receiptId: 'one', createdAt: expect.stringMatching(/^\d{4}-.+T.+\+05:45$/) });
    for (const [query, ids] of [
      ['q=cart-7', ['one']],
      ['statuses=generated,pending', ['two', 'one']],
      ['statuses=paid', []],
      ['totalMin=4', []],
      ['needsAttention=true', []],
      ['needsAttention=false&origin=receipt', ['two', 'one']],
      ['createdFrom=1&order=asc', ['one', 'two']],
      ['createdTo=1', []],
    ] as const)
      expect([query, (await read(`?${query}`, own)).map(({ receiptId }) => receiptId)]).toEqual([query, ids]);
    const listed = await server.call('GET', '/api/receipts?statuses=pending', { headers: own.auth });
    const exported = await read('?statuses=pending', own);
    expect(exported.map(({ receiptId }) => receiptId)).toEqual(listed.body.receipts.map((one: Cells) => one.receiptId));
  });

  test('never has another merchant’s receipts, whatever the caller writes', async () => {
    const other = await server.merchant();
    const body = { id: 'secret', lineItems: [{ label: 'Tea', priceUsd: 3 }] };
    await server.call('POST', '/api/receipts', { headers: other.auth, body });
    await indexAll(server.deps.db);
    const session = await server.signIn(shop.account);
    for (const query of ['', '?q=secret', `?wallet=${other.wallet}`, `?merchant=${other.wallet}`, '?rows=lines'])
      for (const headers of [shop.auth, { ...shop.auth, 'x-wallet': other.wallet }, session])
        expect((await server.call('GET', path(query), { headers })).body).not.toContain('secret');
    expect((await read('', other)).map(({ receiptId }) => receiptId)).toEqual(['secret']);
  });

  test.each([
    ['timezone=Mars/Base', 'timezone'],
    ['timezone=%2B02:00', 'timezone'],
    ['timezone=Europe/Berlin%00', 'timezone'],
    ['format=xlsx', 'format'],
    ['rows=fees', 'rows'],
    ['order=up', 'order'],
    ['statuses=gone', 'statuses[0]'],
    ['createdFrom=2&createdTo=1', 'createdTo'],
    ['buyerWallet=0x1', 'buyerWallet'],
    ['q=%00', 'q'],
    ['format=csv&format=csv', 'format'],
  ])('refuses %s with invalid_input that names the field', async (query, field) => {
    const { status, body } = await server.call('GET', path(`?${query}`), { headers: shop.auth });
    expect([status, body.error, body.field]).toEqual([400, 'invalid_input', field]);
  });

  test('needs receipts:read or the session of the merchant', async () => {
    const { auth } = await server.merchant({ scopes: ['orders:create', 'split:read', 'graphql:read'] });
    const stranger = await server.signIn(newAccount());
    for (const [headers, status] of [
      [{}, 401],
      [{ 'x-api-key': 'qk_wrong' }, 401],
      [auth, 403],
      [stranger, 403],
      [await server.signIn(shop.account), 200],
    ] as const)
      expect((await server.call('GET', path(), { headers })).status).toBe(status);
    const { headers } = await server.call('GET', path('?colour=red'), { headers: shop.auth });
    expect(headers.get('x-ignored-fields')).toBe('colour');
  });
});

describe('while an export is sent', () => {
  const COUNT = 40_000;
  let large: TestMerchant;
  beforeAll(async () => {
    large = await largeShop(COUNT);
  });

  test('a slow client stops the reading of receipts, and still gets all of them', async () => {
    const response = await opened('?order=asc', large);
    const at = await stalled();
    const rows = parse(await restOf(response), { columns: true }) as Cells[];
    expect(rows.map(({ receiptId }) => receiptId)).toEqual(Array.from({ length: COUNT }, (_, i) => `R-${i + 1}`));
    expect((await lastStatement()) > at).toBe(true);
  });

  test('a merchant has at most four at once; one that is left makes room', async () => {
    const open = await Promise.all([1, 2, 3, 4].map(() => opened('', large)));
    const { status, body } = await server.call('GET', path(), { headers: large.auth });
    expect([status, body.error]).toEqual([429, 'too_many_streams']);
    expect((await server.call('GET', path(), { headers: shop.auth })).status).toBe(200);
    open[0]?.destroy();
    await expect
      .poll(async () => (await fetch(server.url + path('?createdTo=5'), { headers: large.auth })).status)
      .toBe(200);
    for (const one of open) one.destroy();
  });

  test.each(['csv', 'jsonl'])('a lost database cuts the connection before the end of %s', async (format) => {
    const response = await opened(`?format=${format}`, large);
    await stalled();
    let text = '';
    // Its next statement waits for the lock, and then loses its connection.
    await database.query('begin; lock table receipts');
    const read = async () => {
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
    };
    const failed = expect(read()).rejects.toThrow('aborted');
    const end = `select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
      where wait_event_type = 'Lock' and ${EXPORTS}`;
    await expect.poll(async () => (await database.query(end)).rows[0].count).toBeGreaterThan(0);
    await database.query('rollback');
    await failed;
    const lines = text.split('\n');
    expect(lines.length).toBeLessThan(COUNT);
    if (format === 'jsonl')
      expect(JSON.parse(lines.at(-2) as string)).toMatchObject({ error: 'datastore_unavailable' });
  });

  test('a revoked key ends its exports', async () => {
    const session = await server.signIn(large.account);
    const open = await Promise.all([1, 2, 3, 4].map(() => opened('', large)));
    const another = async () => (await fetch(server.url + path('?createdTo=5'), { headers: session })).status;
    expect(await another()).toBe(429);
    await revokeKey(server.deps, { id: large.keyId });
    await expect.poll(another).toBe(200);
    await expect(restOf(open[0] as IncomingMessage)).rejects.toThrow('aborted');
    for (const one of open) one.destroy();
  });
});
