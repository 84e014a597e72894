import type { TypedDataDefinition } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import type { Session } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { registerMerchant } from '../../shop/merchants/register.ts';
import { type TestDeps, testDeps } from '../keys/test/deps.ts';
import { identify } from './authenticate.ts';
import { loginInput } from './login.input.ts';
import { login as loginAt, logout, signedIn } from './login.ts';
import { issueLoginChallenge, type LoginTypedData, NONCE_MS } from './login-challenge.ts';

const HOST = 'pay.test';
const login = (deps: TestDeps, input: Parameters<typeof loginAt>[1], host: string) => loginAt(deps, input, { host });
const unauthorized = { code: 'unauthorized', status: 401 };

function person() {
  const account = privateKeyToAccount(generatePrivateKey());
  return { account, wallet: account.address.toLowerCase() as Wallet };
}

/** Cast for viem, whose types expect bigints where JSON has numbers. */
const asDefinition = (typedData: LoginTypedData) => typedData as unknown as TypedDataDefinition;

async function challenged(deps: TestDeps, { account, wallet } = person()) {
  const { nonce, typedData, expiresAt } = await issueLoginChallenge(deps, wallet, HOST);
  // The challenge as a wallet receives it, through JSON.
  const received = JSON.parse(JSON.stringify(typedData));
  const signature = await account.signTypedData(asDefinition(received));
  return { account, wallet, nonce, typedData, expiresAt, signature };
}

/** The Cookie header for Set-Cookie headers, as a browser sends it. */
const cookieHeader = (cookies: readonly string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ');

// Contract: auth.login
test('a signed challenge signs the wallet in', async () => {
  const deps = await testDeps();
  const { wallet, nonce, signature, typedData } = await challenged(deps);
  expect(typedData.domain).toEqual({ name: 'Quittance', version: '1', chainId: deps.settings.chainId });
  expect(typedData.message).toMatchObject({ wallet, nonce, host: HOST });
  const { answer, cookies } = await login(deps, { wallet, nonce, signature }, HOST);
  expect(answer).toEqual({
    wallet,
    roles: ['user'],
    merchant: null,
    role: null,
    confirmedAt: deps.clock(),
    csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const headers = { cookie: cookieHeader(cookies), 'x-csrf-token': answer.csrfToken };
  const caller = await identify(deps, { method: 'POST', host: HOST, path: '/', address: '127.0.0.1', headers });
  expect(caller).toMatchObject({ kind: 'session', wallet, csrfProven: true });
});

test('the session of a merchant’s wallet has the role admin, and a configured wallet the role platform admin', async () => {
  const somebody = person();
  const deps = await testDeps({ platformAdmins: [somebody.wallet] });
  await registerMerchant(deps, { wallet: somebody.wallet, name: 'Shop' });
  const { wallet, nonce, signature } = await challenged(deps, somebody);
  const { answer } = await login(deps, { wallet, nonce, signature }, HOST);
  expect(answer).toMatchObject({
    merchant: wallet,
    role: 'owner',
    roles: ['user', 'merchant', 'admin', 'platform_admin'],
  });
});

test('logging out ends the session immediately and clears the cookies', async () => {
  const deps = await testDeps();
  const { wallet, nonce, signature } = await challenged(deps);
  const { answer, cookies } = await login(deps, { wallet, nonce, signature }, HOST);
  const request = {
    method: 'GET',
    host: HOST,
    path: '/',
    address: '127.0.0.1',
    headers: { cookie: cookieHeader(cookies) },
  };
  const caller = (await identify(deps, request)) as Session;
  expect(signedIn(deps.settings, caller)).toEqual(answer);
  const out = await logout(deps, caller);
  expect(out.cookies.every((cookie) => cookie.includes('Max-Age=0'))).toBe(true);
  await expect(identify(deps, request)).rejects.toMatchObject({
    ...unauthorized,
    message: 'JWT authentication failed',
  });
});

test('a challenge works once, also for ten concurrent logins', async () => {
  const deps = await testDeps();
  const { wallet, nonce, signature } = await challenged(deps);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => login(deps, { wallet, nonce, signature }, HOST)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(login(deps, { wallet, nonce, signature }, HOST)).rejects.toMatchObject(unauthorized);
});

test('a challenge expires after five minutes', async () => {
  const deps = await testDeps();
  const { wallet, nonce, signature } = await challenged(deps);
  deps.advance(NONCE_MS);
  await expect(login(deps, { wallet, nonce, signature }, HOST)).rejects.toMatchObject(unauthorized);
});

test('a challenge is bound to its host and its wallet, and must be signed by that wallet', async () => {
  const deps = await testDeps();
  const thief = person();
  const one = await challenged(deps);
  await expect(login(deps, one, 'evil.test')).rejects.toMatchObject(unauthorized);
  const two = await challenged(deps);
  await expect(login(deps, { ...two, wallet: thief.wallet }, HOST)).rejects.toMatchObject(unauthorized);
  const three = await challenged(deps);
  const signature = await thief.account.signTypedData(asDefinition(three.typedData));
  await expect(login(deps, { ...three, signature }, HOST)).rejects.toMatchObject(unauthorized);
  expect(await deps.db.orm.em.fork().execute<object[]>('select 1 from sessions')).toEqual([]);
});

test('a signature over other data than the challenge is refused', async () => {
  const deps = await testDeps();
  const changes = [{ host: 'evil.test' }, { expiresAt: 9_999_999_999_999 }, { statement: 'Hello' }];
  for (const change of changes) {
    const { account, wallet, nonce, typedData } = await challenged(deps);
    const other = { ...typedData, message: { ...typedData.message, ...change } };
    const signature = await account.signTypedData(asDefinition(other));
    await expect(login(deps, { wallet, nonce, signature }, HOST)).rejects.toMatchObject(unauthorized);
  }
  const { account, wallet, nonce, typedData } = await challenged(deps);
  const elsewhere = { ...typedData, domain: { ...typedData.domain, chainId: 1 } };
  const signature = await account.signTypedData(asDefinition(elsewhere));
  await expect(login(deps, { wallet, nonce, signature }, HOST)).rejects.toMatchObject(unauthorized);
});

test.each([
  [{ wallet: 'me' }, 'invalid_wallet'],
  [{}, 'invalid_wallet'],
  [{ wallet: `0x${'12'.repeat(20)}`, nonce: 'n', signature: '0x00' }, 'invalid_input'],
  [{ wallet: `0x${'12'.repeat(20)}`, nonce: 'A'.repeat(43), signature: 'x' }, 'invalid_input'],
  [{ wallet: `0x${'12'.repeat(20)}`, nonce: 'A'.repeat(43), signature: `0x${'00'.repeat(40_000)}` }, 'invalid_input'],
  [{ wallet: `0x${'12'.repeat(20)}`, nonce: 'A'.repeat(43), signature: '0x00' }, 'unauthorized'],
])('a malformed login is refused with its code: %#', async (input, code) => {
  const answer = async (deps: TestDeps) => login(deps, parseInput(loginInput, input), HOST);
  await expect(answer(await testDeps())).rejects.toMatchObject({ code });
});

test('in production a login at a foreign host is refused', async () => {
  const deps = await testDeps({ environment: 'production', partnerHosts: new Map([['pay.acme.com', null]]) });
  const ask = (host: string) => issueLoginChallenge(deps, person().wallet, host);
  await expect(ask('evil.test')).rejects.toMatchObject({ code: 'forbidden' });
  for (const host of ['pay.test', 'pay.acme.com', '127.0.0.1:4000']) await expect(ask(host)).resolves.toBeDefined();
});

test('neither cookie, token nor signature is stored in the database', async () => {
  const deps = await testDeps();
  const { wallet, nonce, signature } = await challenged(deps);
  const { cookies, answer } = await login(deps, { wallet, nonce, signature }, HOST);
  const em = deps.db.orm.em.fork();
  const rows = JSON.stringify([
    await em.execute('select * from sessions'),
    await em.execute('select * from login_nonces'),
  ]);
  const token = cookies[0]!.split(/[=;]/)[1]!;
  for (const secret of [token, token.split('.')[2]!, answer.csrfToken, signature.slice(2), nonce]) {
    expect(rows).not.toContain(secret);
  }
});
