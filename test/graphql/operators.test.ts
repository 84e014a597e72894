import { afterAll, beforeAll, expect, test } from 'vitest';
import { payFromTestWallet } from '../../src/base/chain/local.ts';
import { openPaidShop } from '../contract/paid-shop.ts';
import { newAccount, startTestServer, type TestServer } from '../support/server.ts';
import { ask, codeOf } from './ask.ts';

const operator = newAccount();
const shop = await openPaidShop({ PLATFORM_ADMINS: operator.address });
const { chain, server, merchant, session, mineUntil } = shop;
const admin = await server.signIn(operator);

/** Servers on the database of the shop that register merchants in the two other ways. */
let inviting: TestServer;
let closed: TestServer;
beforeAll(async () => {
  const { databaseUrl } = server.deps.settings;
  const more = { SIGNUP: 'invite', PLATFORM_ADMINS: operator.address };
  [inviting, closed] = await Promise.all([
    startTestServer({ databaseUrl, env: more }),
    startTestServer({ databaseUrl, env: { SIGNUP: 'closed' } }),
  ]);
});
afterAll(() => Promise.all([inviting.stop(), closed.stop()]));

const REGISTER = `mutation ($input: RegisterMerchantInput!) { registerMerchant(input: $input) {
  merchant signup next complete steps { step done } } }`;
const STEPS = '{ onboarding { merchant signup next complete steps { step done } } me { merchant roles } }';
const register = (at: TestServer, headers: Record<string, string>, input: object) =>
  ask(at, headers, REGISTER, { input });
const doneOf = ({ steps }: { steps: { step: string; done: boolean }[] }) =>
  steps.filter(({ done }) => done).map(({ step }) => step);

test('a signed-in wallet registers its merchant, and its steps follow from what it does', async () => {
  const account = newAccount();
  const wallet = account.address.toLowerCase();
  const headers = await server.signIn(account);
  const before = (await ask(server, headers, STEPS)).body.data;
  expect(before).toMatchObject({
    onboarding: { merchant: null, signup: 'open', next: 'name', complete: false },
    me: { merchant: null, roles: ['user'] },
  });
  expect(codeOf(await register(server, { cookie: headers.cookie as string }, { name: 'Mill' }))).toBe('forbidden');
  expect(codeOf(await register(server, {}, { name: 'Mill' }))).toBe('unauthorized');
  expect(codeOf(await register(server, merchant.auth, { name: 'Mill' }))).toBe('forbidden');
  expect(codeOf(await register(server, headers, { name: ' ' }))).toBe('invalid_input');
  const { body } = await register(server, headers, { name: 'Mill' });
  expect(body.data.registerMerchant).toMatchObject({ merchant: wallet, next: 'logo' });
  // The same session acts for the merchant from the next request on.
  expect((await ask(server, headers, STEPS)).body.data.me).toMatchObject({ merchant: wallet });
  const again = await register(server, headers, { name: 'Mill' });
  expect([codeOf(again), again.body.errors[0].extensions.field]).toEqual(['invalid_input', 'wallet']);

  const logo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`;
  const run = async (text: string) =>
    expect((await ask(server, headers, `mutation { ${text} }`)).body.errors).toBeUndefined();
  await run(`updateShopConfig(input: { theme: { brandLogoUrl: "${logo}", primaryColor: "#112233" } }) { name }`);
  await run('deploySplit { split { address } }');
  await run('saveInventoryItem(input: { name: "Loaf", sku: "loaf", priceUsd: 4, stockQty: -1 }) { id }');
  await run('createOrder(input: { items: [{ item: { sku: "loaf" }, qty: 1 }] }) { receiptId }');
  const { onboarding } = (await ask(server, headers, STEPS)).body.data;
  expect(doneOf(onboarding)).toEqual(['name', 'logo', 'colours', 'split', 'product', 'order']);
  expect(onboarding).toMatchObject({ next: 'key', complete: false });
  const { nodes } = (await ask(server, headers, '{ auditLog { nodes { action actor { wallet } } } }')).body.data
    .auditLog;
  expect(nodes.at(-1)).toEqual({ action: 'merchant_registered', actor: { wallet } });
});

test('a server that is closed registers no one, and one that invites takes each code once, before it expires', async () => {
  const account = newAccount();
  const refused = await register(closed, await closed.signIn(account), { name: 'Mill' });
  expect(codeOf(refused)).toBe('signup_closed');
  const headers = await inviting.signIn(account);
  const INVITE = 'mutation ($hours: Int) { inviteMerchant(hours: $hours, note: "Mill") { id code expiresAt } }';
  expect(codeOf(await ask(inviting, headers, INVITE))).toBe('forbidden');
  expect(codeOf(await ask(inviting, await inviting.signIn(operator), INVITE, { hours: 0 }))).toBe('invalid_input');
  const { body } = await ask(inviting, await inviting.signIn(operator), INVITE);
  const { code, id } = body.data.inviteMerchant;
  for (const wrong of [null, 'qm_wrong', '']) {
    const answer = await register(inviting, headers, { name: 'Mill', code: wrong });
    expect([codeOf(answer), answer.body.errors[0].extensions.field]).toEqual(['invalid_input', 'code']);
  }
  expect((await register(inviting, headers, { name: 'Mill', code })).body.errors).toBeUndefined();
  const second = await register(inviting, await inviting.signIn(newAccount()), { name: 'Other', code });
  expect(codeOf(second)).toBe('invalid_input');
  const log =
    '{ platform { auditLog(filter: { actions: [merchant_invited] }) { nodes { objectId changes { field after } } } } }';
  const { nodes } = (await ask(server, admin, log)).body.data.platform.auditLog;
  expect(nodes).toContainEqual(expect.objectContaining({ objectId: id }));
  expect(JSON.stringify(nodes)).not.toContain(code);
});

const PLATFORM = `{ platform {
  merchants(first: 10, filter: { q: "Test Shop" }) { nodes { wallet name suspendedAt paidCount paidUsd } totalCount }
  watcher { head scanned behindBlocks } watchers { chainId network head behindBlocks } queues { name waiting oldestSeconds } wallets { role address balance low }
  failingEndpoints { url } alarms { code message action } } }`;

test('a platform admin sees merchants, who is behind, and what to do; no other caller does', async () => {
  const { platform } = (await ask(server, admin, PLATFORM)).body.data;
  expect(platform.merchants.nodes).toContainEqual({
    ...{ wallet: merchant.wallet, name: 'Test Shop', suspendedAt: null, paidCount: expect.any(Number) },
    paidUsd: expect.any(Number),
  });
  expect(platform.watcher.behindBlocks).toBeGreaterThanOrEqual(0);
  expect(platform.watchers.map(({ chainId }: { chainId: number }) => chainId)).toEqual(
    server.deps.chains.map(({ chainId }) => chainId),
  );
  expect(platform.queues.map(({ name }: { name: string }) => name)).toContain('webhooks');
  for (const { action } of platform.alarms) expect(action).toMatch(/\.$/);
  for (const headers of [session, merchant.auth])
    expect(codeOf(await ask(server, headers, '{ platform { id } }'))).toBe('forbidden');
  expect(codeOf(await ask(server, {}, '{ platform { id } }'))).toBe('unauthorized');
});

test('a platform admin finds a merchant by each spelling of a letter', async () => {
  await register(server, await server.signIn(newAccount()), { name: 'Cafe\u0301 Zoe\u0308' });
  for (const q of ['CAF\u00c9', 'cafe\u0301 zo\u00eb']) {
    const found = await ask(
      server,
      admin,
      'query ($q: String) { platform { merchants(first: 9, filter: { q: $q }) { nodes { name } } } }',
      { q },
    );
    expect(found.body.data.platform.merchants.nodes).toEqual([{ name: 'Cafe\u0301 Zoe\u0308' }]);
  }
});

const FOUND = 'query ($q: String) { platform { merchants(first: 9, filter: { q: $q }) { nodes { wallet } } } }';

test('a platform admin finds a merchant by a part of the wallet, and suspends it where another has it as a name', async () => {
  const wanted = newAccount();
  await register(server, await server.signIn(wanted), { name: 'The real one' });
  const wallet = wanted.address.toLowerCase();
  const part = `0X${wanted.address.slice(2, 20).toUpperCase()}`;
  expect((await ask(server, admin, FOUND, { q: part })).body.data.platform.merchants.nodes).toEqual([{ wallet }]);

  await register(server, await server.signIn(newAccount()), { name: wallet });
  const suspended = await ask(server, admin, SUSPEND, { wallet, reason: 'A test' });
  expect(suspended.body.data.suspendMerchant).toMatchObject({ suspendedReason: 'A test' });
});

const SUSPEND =
  'mutation ($wallet: Wallet!, $reason: String!) { suspendMerchant(wallet: $wallet, reason: $reason) { suspendedAt suspendedReason } }';
const RESUME = 'mutation ($wallet: Wallet!) { resumeMerchant(wallet: $wallet) { suspendedAt } }';
const post = (path: string, body: object) => server.call('POST', path, { headers: merchant.auth, body });
const receipt = (id: string) => post('/api/receipts', { id, lineItems: [{ label: 'x', priceUsd: 5 }] });

test('a suspended merchant sells nothing new; what was sold is still paid, read and shown politely', async () => {
  await receipt('before');
  const quote = 'mutation { quotePayment(receiptId: "before", token: "USDC") { payTo amount } }';
  const { payTo, amount } = (await ask(server, session, quote)).body.data.quotePayment;
  await ask(
    server,
    session,
    'mutation { saveInventoryItem(input: { name: "Loaf", sku: "loaf", priceUsd: 4, stockQty: -1 }) { id } }',
  );
  const order = () => post('/api/orders', { items: [{ sku: 'loaf', qty: 1 }] });
  expect((await order()).status).toBe(200);

  const wallet = merchant.wallet;
  expect(codeOf(await ask(server, session, SUSPEND, { wallet, reason: 'x' }))).toBe('forbidden');
  expect(codeOf(await ask(server, { cookie: admin.cookie as string }, SUSPEND, { wallet, reason: 'x' }))).toBe(
    'forbidden',
  );
  expect(codeOf(await ask(server, admin, SUSPEND, { wallet, reason: '' }))).toBe('invalid_input');
  expect(codeOf(await ask(server, admin, SUSPEND, { wallet: operator.address, reason: 'x' }))).toBe('not_found');
  const { suspendMerchant } = (await ask(server, admin, SUSPEND, { wallet, reason: 'fraud report' })).body.data;
  expect(suspendMerchant).toEqual({ suspendedAt: expect.any(Number), suspendedReason: 'fraud report' });

  for (const answer of [await order(), await receipt('after')])
    expect([answer.status, answer.body.error]).toEqual([403, 'merchant_suspended']);
  expect(codeOf(await ask(server, session, quote))).toBe('merchant_suspended');
  const page = await server.call('GET', '/portal/before');
  expect(page.status).toBe(200);
  expect(page.body).toContain('This shop does not take payments at the moment');
  expect(page.body).not.toContain('fraud report');
  // The same request as before still answers with its receipt.
  expect((await receipt('before')).status).toBeLessThan(300);

  await payFromTestWallet(chain.chain, { token: 'USDC', to: payTo, amount: BigInt(amount) });
  const status = async () =>
    (await ask(server, session, '{ receipt(receiptId: "before") { status } }')).body.data.receipt.status;
  await mineUntil(async () => ['paid', 'completed'].includes(await status()));

  expect((await ask(server, admin, RESUME, { wallet })).body.data.resumeMerchant).toEqual({ suspendedAt: null });
  expect((await order()).status).toBe(200);
  expect((await receipt('after')).status).toBe(201);
  const { nodes } = (await ask(server, session, '{ auditLog(first: 2) { nodes { action actor { wallet } } } }')).body
    .data.auditLog;
  const actor = { wallet: operator.address.toLowerCase() };
  expect(nodes).toEqual([
    { action: 'merchant_resumed', actor },
    { action: 'merchant_suspended', actor },
  ]);
});
