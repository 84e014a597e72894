import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask } from './ask.ts';

const NOW = 1_900_000_000_000;
let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer({ clock: () => NOW, env: { RATE_LIMITS: '{"reads":50,"others":20}' } });
  merchant = await server.merchant();
});
afterAll(() => server.stop());

const COST = { 'x-graphql-cost': '1' };
const SHOP = '{ shopConfig { name } }';

test('an answer names its cost and the caller’s window on request, as the headers of the rate limit do', async () => {
  const plain = await ask(server, merchant.auth, SHOP);
  expect(plain.body).toEqual({ data: { shopConfig: { name: null } } });
  const priced = await ask(server, { ...merchant.auth, ...COST }, SHOP);
  const { cost } = priced.body.extensions;
  expect(cost).toEqual({ requested: 1, limit: 50, remaining: 48, resetAt: NOW + 60_000 });
  expect(priced.headers.get('x-ratelimit-remaining')).toBe(String(cost.remaining));
  const heavy = await ask(
    server,
    { ...merchant.auth, ...COST },
    '{ receipts(first: 200) { nodes { receiptId status } } shopConfig { name } }',
  );
  const { requested, remaining } = heavy.body.extensions.cost;
  expect(requested).toBeGreaterThan(3);
  expect(remaining).toBe(48 - requested);
});

test('a mutation’s cost is that of its category, and a caller without limits has no window', async () => {
  const session = await server.signIn(merchant.account);
  const written = await ask(
    server,
    { ...session, ...COST },
    'mutation { updateShopConfig(input: { bio: "x" }) { bio } }',
  );
  expect(written.body.extensions.cost).toMatchObject({ requested: 1, limit: 20 });
  const { key } = await issueKey(server.deps, {
    merchant: merchant.wallet,
    scopes: ['graphql:read', 'shop:read'],
    unlimited: true,
  });
  const free = await ask(server, { 'x-api-key': key, ...COST }, SHOP);
  expect(free.body.extensions.cost).toEqual({ requested: 1, limit: null, remaining: null, resetAt: null });
});

test('any other value of the header adds nothing', async () => {
  for (const value of ['0', 'yes', ''])
    expect((await ask(server, { ...merchant.auth, 'x-graphql-cost': value }, SHOP)).body.extensions).toBeUndefined();
});
