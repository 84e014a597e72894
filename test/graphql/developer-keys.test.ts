import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../src/base/core/scopes.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { schema } from '../../src/doors/http/server/schema.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask, codeOf } from './ask.ts';

/** What a key with graphql:read may ask, by the one further scope that it needs; null: never, whatever its scopes. */
const QUERIES: Readonly<Record<string, readonly [query: string, scope: Scope | null]>> = {
  receipts: ['{ receipts { nodes { receiptId } } }', 'receipts:read'],
  receipt: ['{ receipt(receiptId: "x") { receiptId } }', 'receipts:read'],
  receiptStatusReport: ['{ receiptStatusReport(receiptId: "x") { status } }', 'receipts:read'],
  inventory: ['{ inventory { totalCount } }', 'inventory:read'],
  inventoryPage: ['{ inventoryPage { total } }', 'inventory:read'],
  inventoryItem: ['{ inventoryItem(by: { sku: "x" }) { name } }', 'inventory:read'],
  shopConfig: ['{ shopConfig { name } }', 'shop:read'],
  pricingConfig: ['{ pricingConfig { nativeCurrency } }', 'shop:read'],
  taxCatalog: ['{ taxCatalog { jurisdictions { code } } }', 'shop:read'],
  split: ['{ split { address } }', 'split:read'],
  splitTransactions: ['{ splitTransactions { nodes { id } } }', 'split:read'],
  searchUsers: ['{ searchUsers { total } }', 'users:read'],
  me: ['{ me { wallet } }', null],
  webhookDeliveries: ['{ webhookDeliveries { nodes { url } } }', null],
  webhookDelivery: ['{ webhookDelivery(deliveryId: "x") { url } }', null],
  mails: ['{ mails { nodes { kind } } }', null],
  mail: ['{ mail(mailId: "x") { kind } }', null],
  mailPreference: ['{ mailPreference { email } }', null],
  unmatchedTransfers: ['{ unmatchedTransfers { nodes { payTo } } }', null],
  refunds: ['{ receipts { nodes { refunds { usd } refundableUsd refundedUsd } } }', 'receipts:read'],
};

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

async function keyWith(...scopes: Scope[]): Promise<Record<string, string>> {
  const { key } = await issueKey(server.deps, { merchant: merchant.wallet, scopes });
  return { 'Ocp-Apim-Subscription-Key': key };
}

describe('a developer key', () => {
  // Contract: graphql.scope
  test.each(Object.entries(QUERIES))(
    'reads %s with graphql:read and that resource’s scope only',
    async (_, [query, needed]) => {
      const open = (code: string | null) => code === null || code === 'not_found';
      for (const scope of SCOPES.filter((name) => name !== 'graphql:read')) {
        const both = await ask(server, await keyWith('graphql:read', scope), query);
        expect(open(codeOf(both)), `${scope}: ${codeOf(both)}`).toBe(scope === needed);
        if (scope !== needed) expect(codeOf(both)).toBe('forbidden');
      }
      const without = SCOPES.filter((name) => name !== 'graphql:read');
      const answer = await ask(server, await keyWith(...without), query);
      expect([answer.status, answer.body.error, codeOf(answer)]).toEqual([403, 'forbidden', 'forbidden']);
    },
  );

  // Contract: graphql.queries
  test('reads users, follows, who is live and the leaderboard with graphql:read alone', async () => {
    const headers = await keyWith('graphql:read');
    const wallet = merchant.wallet;
    for (const query of [
      `{ user(wallet: "${wallet}") { wallet displayName xp live liveSince spaceUrl spacePublic bio followersCount followingCount lastHeartbeat } }`,
      `{ follows(wallet: "${wallet}", viewer: "${wallet}") { followersCount followingCount viewerFollows } }`,
      '{ liveUsers { wallet } }',
      '{ leaderboard { wallet xp } }',
    ]) {
      const answer = await ask(server, headers, query);
      expect([answer.status, codeOf(answer)], query).toEqual([200, null]);
    }
  });

  test('without graphql:read learns nothing from a wrong text either', async () => {
    const headers = await keyWith('receipts:read');
    for (const query of ['{', '{ receipt }', '{ __schema { types { name } } }']) {
      const answer = await ask(server, headers, query);
      expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden']);
      expect(answer.body.message).not.toContain('mean');
    }
  });

  // Contract: graphql.no-mutations
  test('never runs a mutation, whatever its scopes', async () => {
    const fields = Object.values(schema.getMutationType()!.getFields());
    expect(fields.length).toBeGreaterThan(10);
    const texts = [
      'mutation { saveInventoryItem(input: { sku: "M", name: "M", priceUsd: 1 }) { id } }',
      'mutation { reportTracking(receiptId: "x", status: "link_opened") { seq } }',
      'mutation { logout }',
      'mutation { __typename }',
      'fragment F on Mutation { logout } mutation { ...F }',
    ];
    for (const text of texts) {
      const answer = await ask(server, merchant.auth, text);
      expect([answer.status, codeOf(answer)], text).toEqual([403, 'forbidden']);
    }
    const chosen = await server.call('POST', '/api/graphql', {
      headers: merchant.auth,
      body: { query: 'query Q { __typename } mutation M { logout }', operationName: 'M' },
    });
    expect(codeOf(chosen)).toBe('forbidden');
    expect((await ask(server, merchant.auth, '{ inventory { totalCount } }')).body.data.inventory.totalCount).toBe(0);
  });
});

describe('codes', () => {
  test.each([
    ['a variable of the wrong type', 'query ($n: Int) { receipts(first: $n) { nodes { seq } } }', { n: 'x' }],
    ['a required variable that is missing', 'query ($id: ID!) { receipt(receiptId: $id) { seq } }', {}],
    ['a literal of the wrong type', '{ receipts(first: "x") { nodes { seq } } }', {}],
    ['an unknown enum value', '{ inventory(sort: price) { totalCount } }', {}],
    ['an unknown enum variable', 'query ($s: InventorySort) { inventory(sort: $s) { totalCount } }', { s: 'price' }],
    ['an amount that is none', 'query ($p: Usd) { inventory(priceMin: $p) { totalCount } }', { p: 'x' }],
    ['a limit out of range', '{ receipts(first: 201) { nodes { seq } } }', {}],
    ['an unknown field', '{ nope }', {}],
    ['a text that does not parse', '{ receipts', {}],
    ['an empty text', '', {}],
  ])('%s is invalid_input', async (_, query, variables) => {
    const answer = await ask(server, merchant.auth, query, variables);
    expect(answer.status).toBeLessThan(500);
    expect(codeOf(answer), JSON.stringify(answer.body)).toBe('invalid_input');
    for (const error of answer.body.errors) expect(error.extensions.code).toMatch(/^[a-z_]+$/);
  });

  // Contract: routes.graphql-same
  test('REST and GraphQL refuse the same with the same code', async () => {
    const session = await server.signIn(merchant.account);
    const order = (input: unknown) =>
      ask(server, session, 'mutation ($input: CreateOrderInput!) { createOrder(input: $input) { receiptId } }', {
        input,
      } as never);
    const cases: [unknown, string][] = [
      [{ items: [] }, 'items_required'],
      [{ items: [{ item: { sku: 'nothing' }, qty: 1 }] }, 'inventory_item_not_found'],
      [{ items: [{ item: { sku: 'x' }, qty: 0 }] }, 'invalid_input'],
      [{ items: [{ item: { sku: 'x' }, qty: 1.5 }] }, 'invalid_input'],
      [{ items: [{ item: { sku: 'x' }, qty: '2' }] }, 'invalid_input'],
      [{}, 'invalid_input'],
    ];
    for (const [input, code] of cases) expect(codeOf(await order(input)), JSON.stringify(input)).toBe(code);
    const half = await order({ items: [{ item: { sku: 'x' }, qty: 0 }] });
    expect(half.body.errors[0].extensions).toMatchObject({ code: 'invalid_input', field: 'items[0].qty' });
  });
});
