import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOP_SYSTEM_SCOPES } from '../../src/base/core/scopes.ts';
import { ask } from '../graphql/ask.ts';
import { isSignedWith, openEventReceiver } from '../support/event-receiver.ts';
import { newMember } from '../support/members.ts';
import { makeReceipt } from '../support/receipt.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { refusal } from './catalog.ts';

type Headers = Record<string, string>;

let server: TestServer;
let merchant: TestMerchant;
let owner: Headers;
let shiftMs = 0;
beforeAll(async () => {
  server = await startTestServer({ worker: true, clock: () => Date.now() + shiftMs });
  merchant = await server.merchant({ name: 'Bakery' });
  owner = await server.signIn(merchant.account);
});
afterAll(() => server.stop());

const newVerifier = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');
const CONNECT = 'mutation ($input: ConnectShopInput!) { connectShop(input: $input) { returnUrl expiresAt } }';
const asked = { name: 'Medusa', returnUrl: 'http://localhost:9000/back?tab=2', state: 'a b&c' };

async function granted(verifier: string, more: object = {}, session = owner) {
  const input = { ...asked, codeChallenge: challengeOf(verifier), ...more };
  const { body } = await ask(server, session, CONNECT, { input });
  if (body.errors) return { error: body.errors[0].extensions, url: null, code: '' };
  const url = new URL(body.data.connectShop.returnUrl);
  return { error: null, url, code: url.searchParams.get('code')! };
}
const exchange = (code: unknown, codeVerifier: unknown) =>
  server.call('POST', '/api/connect/token', { body: { code, codeVerifier } });
const KEYS = '{ keys { nodes { keyId label scopes issuer state } } }';
const keys = async (session = owner) => (await ask(server, session, KEYS)).body.data.keys.nodes;

test('a code becomes a key and an endpoint with the rights of a shop system, under its name, once', async () => {
  const receiver = await openEventReceiver();
  const verifier = newVerifier();
  const { url, code } = await granted(verifier, { webhookUrl: receiver.url });
  expect(url!.origin + url!.pathname).toBe('http://localhost:9000/back');
  expect([url!.searchParams.get('tab'), url!.searchParams.get('state')]).toEqual(['2', 'a b&c']);
  expect(await keys()).toHaveLength(1);
  const answers = await Promise.all([1, 2, 3].map(() => exchange(code, verifier)));
  const [won, ...lost] = answers.toSorted((a, b) => a.status - b.status);
  expect(won).toMatchObject({
    status: 200,
    body: {
      ...{ ok: true, apiKey: expect.stringMatching(/^qk_/), webhookSecret: expect.stringMatching(/^whsec_/) },
      ...{ merchantId: merchant.wallet, merchantName: 'Bakery', baseUrl: server.deps.settings.baseUrl },
    },
  });
  for (const { status, body } of lost) expect([status, body]).toEqual([400, refusal('connect_code_invalid')]);
  const [key] = await keys();
  expect(key).toMatchObject({ label: 'Medusa', issuer: merchant.wallet, state: 'active' });
  expect(key.scopes).toEqual(SHOP_SYSTEM_SCOPES.map((scope) => scope.replace(':', '_')));
  const auth = { 'x-api-key': won!.body.apiKey };
  await makeReceipt(server, { auth } as never);
  const [event] = await receiver.of('receipt.created');
  expect(isSignedWith(won!.body.webhookSecret, event!)).toBe(true);
  const mine = await server.call('GET', '/api/webhooks/endpoints', { headers: auth });
  expect(mine.body.endpoints).toMatchObject([
    { url: receiver.url, description: 'Medusa', kinds: ['receipt.*', 'refund.*'] },
  ]);
  await ask(server, owner, `mutation { revokeKey(keyId: "${key.keyId}") { state } }`);
  expect((await server.call('GET', '/api/receipts', { headers: auth })).status).toBe(401);
  const log =
    '{ auditLog(filter: { actions: [key_granted, key_issued, webhook_created] }) { nodes { action actor { wallet } } } }';
  const { nodes } = (await ask(server, owner, log)).body.data.auditLog;
  expect(nodes.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['key_granted', 'webhook_created']),
  );
  expect(JSON.stringify(nodes)).not.toContain(won!.body.apiKey);
});

test('without an address for events there is a key and no endpoint', async () => {
  const verifier = newVerifier();
  const { code } = await granted(verifier);
  const { body } = await exchange(code, verifier);
  expect(body).toMatchObject({ ok: true, webhookSecret: null });
  const mine = await server.call('GET', '/api/webhooks/endpoints', { headers: { 'x-api-key': body.apiKey } });
  expect(mine.body.endpoints).toEqual([]);
});

test('a code is worth nothing without its verifier, after five minutes, changed, or if this server did not make it', async () => {
  const verifier = newVerifier();
  const { code } = await granted(verifier);
  const before = (await keys()).length;
  const changed = `${code.slice(0, -2)}${code.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const [one, other] of [
    [code, newVerifier()],
    [code, challengeOf(verifier)],
    [changed, verifier],
    ['', verifier],
    ['x'.repeat(500), verifier],
  ])
    expect((await exchange(one, other)).body).toEqual(refusal('connect_code_invalid'));
  for (const [one, other, field] of [
    [undefined, verifier, 'code'],
    [code, undefined, 'codeVerifier'],
    [code, 'short', 'codeVerifier'],
    [code, 'ä'.repeat(43), 'codeVerifier'],
  ])
    expect((await exchange(one, other)).body).toEqual(refusal('invalid_input', { field }));
  shiftMs += 5 * 60_000 + 1_000;
  expect((await exchange(code, verifier)).body).toEqual(refusal('connect_code_invalid'));
  shiftMs = 0;
  expect(await keys()).toHaveLength(before);
  expect((await exchange(code, verifier)).status).toBe(200);
});

test('only an owner with a fresh signature connects, and a right that ends before the exchange gives no key', async () => {
  const verifier = newVerifier();
  for (const role of ['manager', 'cashier', 'bookkeeper', 'developer'] as const) {
    const member = await newMember(server, merchant.wallet, role);
    const { error } = await granted(verifier, {}, member.session);
    expect(error).toMatchObject({ code: 'forbidden', reason: 'role_missing', permission: 'keys:write' });
  }
  expect((await granted(verifier, {}, merchant.auth as unknown as Headers)).error).toMatchObject({ code: 'forbidden' });
  const member = await newMember(server, merchant.wallet, 'owner');
  shiftMs = 6 * 60_000;
  expect((await granted(verifier, {}, member.session)).error).toMatchObject({ reason: 'signature_required' });
  shiftMs = 0;
  const { code } = await granted(verifier, { webhookUrl: 'https://shop.test/hooks' }, member.session);
  const before = (await keys()).length;
  const lower = 'mutation ($wallet: Wallet!) { changeMemberRole(wallet: $wallet, role: developer) { role } }';
  expect((await ask(server, owner, lower, { wallet: member.wallet })).body.errors).toBeUndefined();
  expect(await exchange(code, verifier)).toMatchObject({
    status: 403,
    body: { error: 'forbidden', reason: 'role_missing' },
  });
  expect(await keys()).toHaveLength(before);
  const { body } = await ask(server, owner, '{ webhookEndpoints { url } }');
  expect(JSON.stringify(body.data)).not.toContain('shop.test');
});

test('a connection ends when the member who granted it leaves', async () => {
  const member = await newMember(server, merchant.wallet, 'owner');
  const verifier = newVerifier();
  const { code } = await granted(verifier, {}, member.session);
  const { apiKey } = (await exchange(code, verifier)).body;
  const use = async () => (await server.call('GET', '/api/receipts', { headers: { 'x-api-key': apiKey } })).status;
  expect(await use()).toBe(200);
  const remove = 'mutation ($wallet: Wallet!) { removeMember(wallet: $wallet) }';
  expect((await ask(server, owner, remove, { wallet: member.wallet })).body.errors).toBeUndefined();
  expect(await use()).toBe(401);
});

test.each([
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(81) }, 'name'],
  [{ returnUrl: 'javascript:alert(1)' }, 'returnUrl'],
  [{ returnUrl: 'https://bakery@evil.example/' }, 'returnUrl'],
  [{ returnUrl: 'http://evil.example/' }, 'returnUrl'],
  [{ state: 'x'.repeat(513) }, 'state'],
  [{ codeChallenge: 'plain' }, 'codeChallenge'],
  [{ codeChallenge: 'a'.repeat(44) }, 'codeChallenge'],
  [{ webhookUrl: 'ftp://shop.test' }, 'webhookUrl'],
])('%o is not granted, and the refusal names %s', async (more, field) => {
  expect((await granted(newVerifier(), more)).error).toMatchObject({ code: 'invalid_input', field });
});
