import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/base/core/scopes.ts';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { ask } from '../graphql/ask.ts';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { noSession, refusal } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
beforeAll(async () => {
  server = await startTestServer();
  merchant = await server.merchant();
});
afterAll(() => server.stop());

type Headers = Record<string, string>;

const call = (method: string, path: string, headers: Headers) =>
  server.call(method, path, { headers, ...(method === 'GET' ? {} : { body: {} }) });

/** What a GraphQL operation is refused with, without the extensions that every error has. */
async function extensionsOf(headers: Headers, query: string, variables = {}) {
  const { http, correlationId, docs, ...own } = (await ask(server, headers, query, variables)).body.errors[0]
    .extensions;
  expect([http.status, correlationId, docs]).toEqual([
    own.code === 'unauthorized' ? 401 : 403,
    expect.any(String),
    `${server.url}/docs/errors#${own.code}`,
  ]);
  return own;
}

async function keyWith(...scopes: Scope[]): Promise<Headers> {
  const { key } = await issueKey(server.deps, { merchant: merchant.wallet, scopes });
  return { 'ocp-apim-subscription-key': key };
}

const SHOP = 'mutation { updateShopConfig(input: { bio: "x" }) { bio } }';

test('a missing scope is named, over REST and GraphQL', async () => {
  const key = await keyWith('graphql:read');
  const answer = await call('POST', '/api/orders', key);
  expect([answer.status, answer.body]).toEqual([
    403,
    refusal('forbidden', { reason: 'scope_missing', scope: 'orders:create' }),
  ]);
  expect(await extensionsOf(key, '{ receipts { nodes { receiptId } } }')).toEqual({
    code: 'forbidden',
    reason: 'scope_missing',
    scope: 'receipts:read',
  });
  expect(await extensionsOf(await keyWith('shop:read'), '{ shopConfig { bio } }')).toEqual({
    code: 'forbidden',
    reason: 'scope_missing',
    scope: 'graphql:read',
  });
});

test('a key where only a session counts hears session_required', async () => {
  const answer = await call('POST', '/api/shop/config', merchant.auth);
  expect([answer.status, answer.body]).toEqual([403, refusal('forbidden', { reason: 'session_required' })]);
  for (const query of [SHOP, '{ me { wallet } }'])
    expect(await extensionsOf(merchant.auth, query), query).toEqual({ code: 'forbidden', reason: 'session_required' });
});

test('a session without its CSRF token hears csrf_token_missing', async () => {
  const { cookie } = (await server.signIn(merchant.account)) as { cookie: string };
  for (const path of ['/api/shop/config', '/api/orders', '/api/auth/logout']) {
    const answer = await call('POST', path, { cookie });
    expect([answer.status, answer.body], path).toEqual([403, refusal('forbidden', { reason: 'csrf_token_missing' })]);
  }
  for (const query of [SHOP, 'mutation { logout }'])
    expect(await extensionsOf({ cookie }, query), query).toEqual({ code: 'forbidden', reason: 'csrf_token_missing' });
});

test('a session without the role hears which role is missing', async () => {
  const session = await server.signIn(newAccount());
  const missing = { reason: 'role_missing', role: 'admin' };
  for (const [method, path] of [
    ['POST', '/api/shop/config'],
    ['GET', '/api/receipts'],
    ['GET', '/api/status/ping'],
  ] as const) {
    const answer = await call(method, path, session);
    expect([answer.status, answer.body], path).toEqual([403, refusal('forbidden', missing)]);
  }
  for (const query of [SHOP, '{ receipts { nodes { receiptId } } }'])
    expect(await extensionsOf(session, query), query).toEqual({ code: 'forbidden', ...missing });
});

test('a page token hears that it is limited to its page', async () => {
  const { settings, clock } = server.deps;
  const subject = { merchant: merchant.wallet, receiptId: 'R-1' };
  const page = { authorization: `Bearer ${await issuePageToken(settings, subject, clock())}` };
  const answer = await call('GET', '/api/receipts', page);
  expect([answer.status, answer.body]).toEqual([403, refusal('forbidden', { reason: 'page_token_limited' })]);
  expect(await extensionsOf(page, '{ receipts { nodes { receiptId } } }')).toEqual({
    code: 'forbidden',
    reason: 'page_token_limited',
  });
});

test('the timer’s secret opens nothing else, and says so', async () => {
  const timer = { 'x-cron-secret': server.deps.settings.cronSecret };
  expect((await call('GET', '/api/receipts', timer)).body).toEqual(refusal('forbidden', { reason: 'timer_limited' }));
  expect(await extensionsOf(timer, '{ receipts { nodes { receiptId } } }')).toMatchObject({ reason: 'timer_limited' });
});

test('what only the timer may do names it', async () => {
  const session = await server.signIn(merchant.account);
  expect(await extensionsOf(session, 'mutation { chargeDueSubscriptions { processed } }')).toMatchObject({
    reason: 'timer_required',
  });
});

test('a wallet that is not the caller’s own is wallet_not_own', async () => {
  const wallet = newAccount().address;
  const answer = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: { wallet, items: [{ sku: 'X', qty: 1 }] },
  });
  expect([answer.status, answer.body]).toEqual([403, refusal('forbidden', { reason: 'wallet_not_own' })]);
  const query = 'mutation ($input: TerminalReceiptInput!) { createTerminalReceipt(input: $input) { receiptId } }';
  const session = await server.signIn(merchant.account);
  expect(await extensionsOf(session, query, { input: { amountUsd: 1, wallet } })).toEqual({
    code: 'forbidden',
    reason: 'wallet_not_own',
  });
});

test('an ended session hears to sign in again, in the contract’s message; no session hears to sign in', async () => {
  const session = await server.signIn(merchant.account);
  await call('POST', '/api/auth/logout', session);
  for (const path of ['/api/auth/me', '/api/receipts']) {
    const answer = await call('GET', path, session);
    expect([answer.status, answer.body], path).toEqual([401, noSession('session_ended')]);
  }
  expect(await extensionsOf(session, '{ receipts { nodes { receiptId } } }')).toEqual({
    code: 'unauthorized',
    reason: 'session_ended',
    action: 'Sign in again',
  });
  expect((await call('GET', '/api/auth/me', {})).body).toEqual(noSession('session_missing'));
});
