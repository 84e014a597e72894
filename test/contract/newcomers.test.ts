import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/base/core/scopes.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { ALWAYS_OPEN } from '../../src/domain/access/gateway/storage-budget.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { openDayBudget } from '../../src/domain/shop/merchants/newcomer.ts';
import { schema } from '../../src/doors/http/server/schema.ts';
import { ask, codeOf, follow, socketClient } from '../graphql/ask.ts';
import { pngOf } from '../support/picture.ts';
import { newAccount, startTestServer, type TestServer } from '../support/server.ts';

const DAY_MS = 86_400_000;
const operator = newAccount();

let server: TestServer;
let now = Date.UTC(2027, 0, 10, 20);
beforeAll(async () => {
  const env = {
    ...{ SIGNUP: 'open', SIGNUPS_PER_DAY: '6', NEWCOMER_STORAGE_MB_PER_DAY: '3' },
    ...{ RATE_LIMITS: '{}', NEWCOMER_RATE_LIMITS: '{"orders":5}', PLATFORM_ADMINS: operator.address },
  };
  server = await startTestServer({ env, clock: () => now });
});
afterAll(() => server.stop());

const REGISTER = 'mutation { registerMerchant(input: { name: "Mill" }) { merchant } }';
const ADMIT = 'mutation ($wallet: Wallet!) { admitMerchant(wallet: $wallet) { wallet newcomer } }';

const SCOPES: Scope[] = ['inventory:write', 'orders:create', 'receipts:write', 'graphql:read'];

/** A merchant that a wallet has registered by itself, with a key. */
async function stranger() {
  const account = newAccount();
  const wallet = account.address.toLowerCase() as Wallet;
  const session = await server.signIn(account);
  expect((await ask(server, session, REGISTER)).body.errors).toBeUndefined();
  const { key, id } = await issueKey(server.deps, { merchant: wallet, scopes: SCOPES });
  return { wallet, account, session, keyId: id, auth: { 'x-api-key': key } };
}

const register = async () => ask(server, await server.signIn(newAccount()), REGISTER);
const picture = () => pngOf(randomBytes(150_000));
const save = (headers: Record<string, string>, sku: string) =>
  server.call('POST', '/api/inventory', {
    headers,
    body: { sku, name: sku, priceUsd: 1, stockQty: -1, thumb: picture() },
  });
const order = (headers: Record<string, string>) => server.call('POST', '/api/orders', { headers, body: {} });
const refusedOf = ({ status, body }: { status: number; body: { error: string } }) => [status, body.error];

test('wallets register no more merchants within 24 hours than SIGNUPS_PER_DAY, without those that the operator admits', async () => {
  const first = await stranger();
  for (let i = 0; i < 5; i++) await stranger();
  const refused = await register();
  expect([refused.status, codeOf(refused), refused.body.resetAt ?? refused.body.errors[0].extensions.resetAt]).toEqual([
    ...[200, 'signup_limit_reached', now + DAY_MS],
  ]);
  await server.merchant();
  const admin = await server.signIn(operator);
  const { wallet } = first;
  for (const headers of [first.session, await server.signIn(newAccount())])
    expect(codeOf(await ask(server, headers, ADMIT, { wallet }))).toBe('forbidden');
  expect(codeOf(await ask(server, first.auth, ADMIT, { wallet }))).toBe('forbidden');
  expect(codeOf(await ask(server, {}, ADMIT, { wallet }))).toBe('unauthorized');
  expect(codeOf(await ask(server, { cookie: admin.cookie as string }, ADMIT, { wallet }))).toBe('forbidden');
  expect(codeOf(await ask(server, admin, ADMIT, { wallet: operator.address }))).toBe('not_found');
  for (let i = 0; i < 2; i++)
    expect((await ask(server, admin, ADMIT, { wallet })).body.data.admitMerchant).toEqual({ wallet, newcomer: false });
  const log = '{ auditLog(filter: { actions: [merchant_admitted] }) { nodes { actor { wallet } } } }';
  expect((await ask(server, first.session, log)).body.data.auditLog.nodes).toEqual([
    { actor: { wallet: operator.address.toLowerCase() } },
  ]);
  await stranger();
  expect(codeOf(await register())).toBe('signup_limit_reached');
  now += DAY_MS;
  await stranger();
});

test('all merchants that registered themselves share NEWCOMER_RATE_LIMITS, and no other merchant is limited by it', async () => {
  now += DAY_MS;
  const [one, two, shop] = [await stranger(), await stranger(), await server.merchant()];
  for (const { auth } of [one, two, one, two, one]) expect((await order(auth)).status).toBe(400);
  const refused = await order(two.auth);
  expect([...refusedOf(refused), refused.body.resetAt]).toEqual([429, 'rate_limited', now + 60_000]);
  expect(refused.headers.get('retry-after')).toBe('60');
  for (let i = 0; i < 8; i++) expect((await order(shop.auth)).status).toBe(400);
  // The caches of keys and sessions of every process know it within seconds.
  await ask(server, await server.signIn(operator), ADMIT, { wallet: one.wallet });
  await expect.poll(() => order(one.auth), { timeout: 15_000 }).toMatchObject({ status: 400 });
  expect((await order(two.auth)).status).toBe(429);
});

test('strangers together take no more of what the operator pays on a day than one admitted merchant, and leave the others theirs', async () => {
  now += DAY_MS;
  const [one, two, shop] = [(await stranger()).wallet, (await stranger()).wallet, (await server.merchant()).wallet];
  const done = new Map<Wallet | '', number>([
    [one, 1],
    [shop, 1],
    ['', 6],
  ]);
  const take = await openDayBudget(server.deps.db, { perDay: 3, total: 13 }, done, [two]);
  expect([one, two, two, one].map(take)).toEqual([null, null, { perDay: 3 }, { perDay: 3 }]);
  expect([shop, shop, shop].map(take)).toEqual([null, null, { perDay: 3 }]);
  const other = (await server.merchant()).wallet;
  expect([other, other].map(take)).toEqual([null, { total: 13 }]);
});

test('strangers store no more on a day than NEWCOMER_STORAGE_MB_PER_DAY, whatever they store, and the others go on', async () => {
  now += DAY_MS;
  const [one, two, shop] = [await stranger(), await stranger(), await server.merchant()];
  const member = await server.signIn(shop.account);
  const plain = await server.signIn(newAccount());
  let stored = 0;
  const saveNext = (headers: Record<string, string>) => {
    now += 2_000;
    return save(headers, `p${stored++}`);
  };
  const storeMore = async () => refusedOf(await saveNext(stored % 2 ? one.auth : two.auth));
  await expect.poll(storeMore, { timeout: 20_000 }).toEqual([429, 'storage_limit_reached']);
  const midnight = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  const refused = await save(one.auth, 'more');
  expect([...refusedOf(refused), refused.body.resetAt]).toEqual([429, 'storage_limit_reached', midnight]);

  const storing: [Record<string, string>, string, string, object][] = [
    [one.auth, 'POST', '/api/orders', { items: [{ sku: 'p0', qty: 1 }] }],
    [two.auth, 'POST', '/api/receipts', { id: 'R', lineItems: [{ label: 'x', priceUsd: 5 }] }],
    [one.session, 'POST', '/api/inventory', { sku: 'x' }],
  ];
  for (const [headers, method, path, body] of storing)
    expect([path, ...refusedOf(await server.call(method, path, { headers, body }))]).toEqual([
      ...[path, 429, 'storage_limit_reached'],
    ]);
  const RENAME = 'mutation { updateShopConfig(input: { name: "Mill 2" }) { name } }';
  expect(codeOf(await ask(server, one.session, RENAME))).toBe('storage_limit_reached');
  const PROFILE = 'mutation ($input: UserInput!) { upsertUser(input: $input) { wallet } }';
  const profile = { input: { displayName: 'Ada', pfpUrl: picture() } };
  expect(codeOf(await ask(server, plain, PROFILE, profile))).toBe('storage_limit_reached');
  const { cookie, 'x-csrf-token': csrf } = two.session;
  const socket = socketClient(server, { 'x-csrf-token': csrf }, { cookie: cookie as string, origin: server.url });
  await expect(follow(socket, RENAME).next()).rejects.toMatchObject({
    errors: [{ extensions: { code: 'storage_limit_reached', resetAt: midnight } }],
  });
  await socket.dispose();

  // Rights are taken back, and everything is read, as before.
  const REVOKE = `mutation { revokeKey(keyId: "${two.keyId}") { keyId } }`;
  expect((await ask(server, two.session, REVOKE)).body.errors).toBeUndefined();
  expect((await server.call('GET', '/api/inventory', { headers: one.session })).status).toBe(200);

  expect((await save(shop.auth, 'own')).status).toBe(200);
  expect((await ask(server, member, RENAME)).body.errors).toBeUndefined();
  await ask(server, await server.signIn(operator), ADMIT, { wallet: one.wallet });
  await expect.poll(async () => (await saveNext(one.auth)).status, { timeout: 15_000 }).toBe(200);
  expect(codeOf(await ask(server, two.session, RENAME))).toBe('storage_limit_reached');
  now = midnight;
  expect((await ask(server, two.session, RENAME)).body.errors).toBeUndefined();
});

test('what strangers may always do are mutations of the schema', () => {
  const known = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect([...ALWAYS_OPEN].filter((field) => !known.includes(field))).toEqual([]);
});
