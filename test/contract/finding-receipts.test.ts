import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filterShape } from '../../src/domain/reports/receipt-search/filter.input.ts';
import { indexAll } from '../../src/domain/reports/receipt-search/indexer.ts';
import { root } from '../gates/sources.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import type { Answer } from '../support/http.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';

const platform = newAccount();
let server: TestServer;
let shop: TestMerchant;
beforeAll(async () => {
  server = await startTestServer({ env: { PLATFORM_ADMINS: platform.address } });
  shop = await server.merchant();
  for (let i = 1; i <= 7; i++) await make(shop, `inv-${i}`, i, { transactionId: `cart-${i % 2}` });
  await indexAll(server.deps.db);
});
afterAll(() => server.stop());

const make = async ({ auth }: TestMerchant, id: string, priceUsd: number, more: object = {}) => {
  const body = { id, lineItems: [{ label: 'Tea', priceUsd }], ...more };
  expect((await server.call('POST', '/api/receipts', { headers: auth, body })).status).toBe(201);
};
const list = (query: string, headers: Record<string, string> = shop.auth) =>
  server.call('GET', `/api/receipts${query}`, { headers });
const idsIn = (body: { receipts: { receiptId: string }[] }) => body.receipts.map(({ receiptId }) => receiptId);
const find = (filter: object, headers: Record<string, string> = shop.auth, more = '') =>
  ask(
    server,
    headers,
    `query ($filter: ReceiptFilter) { receipts(filter: $filter${more}) { nodes { receiptId } totalCount } }`,
    { filter },
  );

describe('GET /api/receipts', () => {
  test('without further parameters has the fields of the contract, and names the next page', async () => {
    const first = await list('?limit=3');
    expect(Object.keys(first.body)).toEqual(['receipts', 'nextCursor']);
    const link = first.headers.get('link') as string;
    const [, address] = /^<([^>]+)>; rel="next"$/.exec(link) as unknown as [string, string];
    expect(address).toBe(`${server.deps.settings.baseUrl}/api/receipts?limit=3&cursor=${first.body.nextCursor}`);
    const second = await list(new URL(address).search);
    expect([idsIn(first.body), idsIn(second.body)]).toEqual([
      ['inv-7', 'inv-6', 'inv-5'],
      ['inv-4', 'inv-3', 'inv-2'],
    ]);
    const last = await list('?limit=7');
    expect([Object.keys(last.body), last.headers.get('link')]).toEqual([['receipts'], null]);
  });

  test('is paged by nextCursor to the end, which is null, in any order', async () => {
    for (const [query, ids] of [
      ['cursor=', ['inv-7', 'inv-6', 'inv-5', 'inv-4', 'inv-3', 'inv-2', 'inv-1']],
      ['order=asc&transactionId=cart-1', ['inv-1', 'inv-3', 'inv-5', 'inv-7']],
      ['sort=totalUsd&q=inv&totalMin=2&totalMax=5', ['inv-5', 'inv-4', 'inv-3', 'inv-2']],
      ['statuses=pending,paid&q=cart-0', ['inv-6', 'inv-4', 'inv-2']],
      ['needsAttention=true', []],
      ['receiptIds=inv-2+none+inv-5', ['inv-5', 'inv-2']],
    ] as const) {
      const found: string[] = [];
      let page = await list(`?limit=2&${query}`);
      for (;;) {
        expect(page.status).toBe(200);
        found.push(...idsIn(page.body));
        const { nextCursor } = page.body;
        expect(page.headers.has('link')).toBe(nextCursor !== null);
        if (nextCursor === null) break;
        page = await list(`?limit=2&${query.replace('cursor=', '')}&cursor=${nextCursor}`);
      }
      expect([query, found]).toEqual([query, [...ids]]);
    }
  });

  test('finds as pending what it shows as pending', async () => {
    const own = await server.merchant();
    await make(own, 'mined', 5);
    const set = `update receipts set status = 'tx_mined' where merchant = '${own.wallet}'`;
    await server.deps.db.orm.em.fork().getConnection().execute(set);
    await indexAll(server.deps.db);
    expect((await list('?statuses=pending', own.auth)).body.receipts).toMatchObject([{ status: 'pending' }]);
    expect(idsIn((await list('?statuses=tx_mined', own.auth)).body)).toEqual(['mined']);
    expect(idsIn((await list('?statuses=generated', own.auth)).body)).toEqual([]);
  });

  test.each([
    ['statuses=gone', 'statuses[0]'],
    [`statuses=${'paid,'.repeat(200)}paid`, 'statuses'],
    ['origin=web', 'origin'],
    ['currency=GBP', 'currency'],
    ['createdFrom=yesterday', 'createdFrom'],
    ['createdTo=-1', 'createdTo'],
    ['createdFrom=2&createdTo=1', 'createdTo'],
    ['paidFrom=1e3', 'paidFrom'],
    ['paidFrom=2&paidTo=1', 'paidTo'],
    ['totalMin=1.234', 'totalMin'],
    ['totalMax=10000001', 'totalMax'],
    ['totalMin=2&totalMax=1', 'totalMax'],
    [`transactionId=${'x'.repeat(129)}`, 'transactionId'],
    ['transactionId=%00', 'transactionId'],
    ['buyerEmail=ada', 'buyerEmail'],
    ['buyerWallet=0x1', 'buyerWallet'],
    ['transactionHash=0x1', 'transactionHash'],
    [`sku=${'x'.repeat(1_000)}`, 'sku'],
    ['planId=%00', 'planId'],
    ['subscriptionId=%20', 'subscriptionId'],
    ['needsAttention=yes', 'needsAttention'],
    [`receiptIds=${'a+'.repeat(100)}a`, 'receiptIds'],
    [`receiptIds=${'x'.repeat(129)}`, 'receiptIds[0]'],
    ['q=%00', 'q'],
    [`q=${'x'.repeat(257)}`, 'q'],
    [`q=${'a+'.repeat(17).replaceAll('a', 'ab')}${[...'cdefghijklmnopqr'].join('+')}`, 'q'],
    [`q=${'x'.repeat(10_000)}`, 'q'],
    ['sort=name', 'sort'],
    ['order=up', 'order'],
    ['statuses=paid&statuses=paid', 'statuses'],
  ])('refuses %s with invalid_input that names the field', async (query, field) => {
    const { status, body } = await list(`?${query}`);
    expect([status, body.error, body.field]).toEqual([400, 'invalid_input', field]);
  });

  test('refuses a cursor of another order, another merchant or none at all with bad_cursor', async () => {
    const other = await server.merchant();
    const { nextCursor } = (await list('?limit=1&cursor=')).body;
    for (const [query, headers] of [
      ['cursor=x', shop.auth],
      [`cursor=${nextCursor}&order=asc`, shop.auth],
      [`cursor=${nextCursor}&sort=totalUsd`, shop.auth],
      [`cursor=${nextCursor}`, other.auth],
    ] as const) {
      const { status, body } = await list(`?${query}`, headers);
      expect([query, status, body.error, body.field]).toEqual([query, 400, 'bad_cursor', 'cursor']);
      expect(body.message).not.toContain('after');
    }
  });
});

describe('receipts in GraphQL', () => {
  test('has pages in both directions, and counts only what matches', async () => {
    const query = `query ($first: Int, $last: Int, $before: String) {
      receipts(first: $first, last: $last, before: $before, filter: { q: "cart-1" }, orderBy: { direction: asc }) {
        totalCount edges { cursor node { receiptId } } pageInfo { hasNextPage hasPreviousPage startCursor } } }`;
    const { receipts } = (await ask(server, shop.auth, query, { last: 2 })).body.data;
    expect(receipts).toMatchObject({
      totalCount: 4,
      edges: [{ node: { receiptId: 'inv-5' } }, { node: { receiptId: 'inv-7' } }],
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
    });
    const before = receipts.pageInfo.startCursor;
    const rest = (await ask(server, shop.auth, query, { last: 2, before })).body.data.receipts;
    expect(rest.edges.map(({ node }: { node: { receiptId: string } }) => node.receiptId)).toEqual(['inv-1', 'inv-3']);
  });

  test('a walk returns each receipt that stays once, while others are created and changed', async () => {
    const own = await server.merchant();
    for (let i = 0; i < 12; i++) await make(own, `stay-${i}`, 1 + (i % 3));
    await indexAll(server.deps.db);
    const query = `query ($after: String) { receipts(first: 3, after: $after, filter: { q: "stay" }) {
      nodes { receiptId } pageInfo { endCursor hasNextPage } } }`;
    const seen: string[] = [];
    let after: string | null = null;
    for (let i = 0; ; i++) {
      const answer: Answer = await ask(server, own.auth, query, { after });
      const { nodes, pageInfo } = answer.body.data.receipts;
      seen.push(...nodes.map(({ receiptId }: { receiptId: string }) => receiptId));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
      await make(own, `stay-new-${i}`, 2);
      const track = { headers: own.auth, body: { receiptId: seen.at(-1), status: 'link_opened' } };
      expect((await server.call('POST', '/api/receipts/status', track)).status).toBe(200);
      await indexAll(server.deps.db);
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, i) => `stay-${11 - i}`));
  });

  test('a merchant finds only its own receipts; only platform admins name another one', async () => {
    const other = await server.merchant();
    expect((await find({ q: 'inv-1' }, other.auth)).body.data.receipts).toEqual({ nodes: [], totalCount: 0 });
    const named = `, wallet: "${shop.wallet}"`;
    expect(codeOf(await find({}, other.auth, named))).toBe('forbidden');
    expect(codeOf(await find({}, await server.signIn(other.account), named))).toBe('forbidden');
    const admin = await server.signIn(platform);
    expect(codeOf(await find({}, admin))).toBe('wallet_required');
    const found = await find({ q: 'inv-1' }, admin, named);
    expect(found.body.data.receipts).toEqual({ nodes: [{ receiptId: 'inv-1' }], totalCount: 1 });
  });

  test('needs receipts:read or the merchant’s session', async () => {
    const { auth } = await server.merchant({ scopes: ['graphql:read'] });
    expect(codeOf(await find({}, auth))).toBe('forbidden');
    expect(codeOf(await find({}, {}))).toBe('unauthorized');
    expect(codeOf(await find({}, await server.signIn(newAccount())))).toBe('forbidden');
    expect((await find({ q: 'inv' }, await server.signIn(shop.account))).body.data.receipts.totalCount).toBe(7);
  });

  test.each([
    [{ statuses: [] }, 'filter.statuses'],
    [{ statuses: Array.from({ length: 1_000 }, () => 'paid') }, 'filter.statuses'],
    [{ statuses: ['x'.repeat(10_000)] }, 'statuses[0]'],
    [{ origin: '\0' }, 'origin'],
    [{ createdFrom: -1 }, 'filter.createdFrom'],
    [{ paidFrom: 2, paidTo: 1 }, 'filter.paidTo'],
    [{ totalMin: -1 }, 'filter.totalMin'],
    [{ transactionId: 'x'.repeat(10_000) }, 'filter.transactionId'],
    [{ buyerEmail: 'a\0@b' }, 'filter.buyerEmail'],
    [{ transactionHash: '0x12' }, 'filter.transactionHash'],
    [{ sku: '\ud800' }, 'filter.sku'],
    [{ q: 'x'.repeat(10_000) }, 'filter.q'],
    [{ q: 'a\0b' }, 'filter.q'],
    [{ q: ' ' }, 'filter.q'],
  ])('refuses %j with invalid_input', async (filter, field) => {
    const answer = await find(filter);
    expect([codeOf(answer), answer.body.errors[0].extensions.field]).toEqual(['invalid_input', field]);
  });
});

describe('beside a worker', () => {
  test('receipts, later e-mail addresses and submitted transactions are found soon', async () => {
    const working = await startTestServer({ worker: true });
    try {
      const own = await working.merchant();
      const headers = own.auth;
      const body = { id: 'soon', lineItems: [{ label: 'Tea', priceUsd: 3 }] };
      await working.call('POST', '/api/receipts', { headers, body });
      const found = async (filter: string) =>
        idsIn((await working.call('GET', `/api/receipts?${filter}`, { headers })).body);
      const soon = (filter: string) => expect.poll(() => found(filter)).toEqual(['soon']);
      await soon('q=soon');
      const session = await working.signIn(own.account);
      const write = (mutation: string) => ask(working, session, `mutation { ${mutation} { receiptId } }`);
      expect((await write('setBuyerEmail(receiptId: "soon", email: "Late@Shop.test")')).body.errors).toBeUndefined();
      await soon('buyerEmail=late@shop.test');
      const hash = `0x${'7f'.repeat(32)}`;
      const submitted = await write(`submitTransaction(receiptId: "soon", transactionHash: "${hash}")`);
      expect(submitted.body.errors).toBeUndefined();
      await soon(`transactionHash=${hash}`);
      await soon('q=0x7f7f+late');
    } finally {
      await working.stop();
    }
  });
});

test('the table of the documentation has every filter', () => {
  const text = readFileSync(join(root, 'docs/integrate/finding-receipts.md'), 'utf8');
  const [, table] = text.split('## Filters');
  const rows = (table as string)
    .split('## The search box')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const names = rows.flatMap((row) => [...(row.split('|')[1] as string).matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(names).toEqual(Object.keys(filterShape.shape));
});
