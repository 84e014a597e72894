import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import type { Wallet } from '../../../base/core/wallet.ts';
import { revokeKey } from '../keys/change-keys.ts';
import { issueKey } from '../keys/issue.ts';
import { OTHER_SHOP, SHOP, type TestDeps, testDeps } from '../keys/test/deps.ts';
import { endedAmong, identify, identifyOpen, identifySocket, nameOfSession } from './authenticate.ts';
import { csrfToken } from './csrf.ts';
import { enforceEdge } from './edge.ts';
import { issuePageToken, PAGE_TOKEN_MS } from './page-token.ts';
import type { GatewayRequest } from './request.ts';
import { clearedCookies, endSession, openSession, SESSION_MS, sessionCookies } from './session.ts';
import { openToken, signToken } from './tokens.ts';

const STRANGER = `0x${'11'.repeat(20)}` as Wallet;
const PLATFORM = `0x${'99'.repeat(20)}` as Wallet;

const asking = (headers: GatewayRequest['headers'] = {}, path = '/api/receipts', method = 'POST'): GatewayRequest => ({
  method,
  host: 'pay.test',
  path,
  address: '127.0.0.1',
  headers,
});

async function signIn(deps: TestDeps, wallet: Wallet = SHOP) {
  const { id, token } = await deps.db.transaction((uow) => openSession(deps, uow, { wallet, merchant: null }));
  return { id, token, cookie: `theme=dark; cb_auth_token=${token}; cb_csrf=x`, csrf: csrfToken(deps.settings, id) };
}

const newKey = (deps: TestDeps) => issueKey(deps, { merchant: SHOP, scopes: ['receipts:read'] });
const unauthorized = { code: 'unauthorized', status: 401 };
const jwtFailed = { ...unauthorized, message: 'JWT authentication failed' };

test('a request without any proof is anonymous', async () => {
  expect(await identify(await testDeps(), asking({ authorization: 'Basic eDp5' }))).toEqual({ kind: 'anonymous' });
});

// Contract: auth.stamped-id, auth.key, auth.x-api-key, auth.bearer
test.each(['ocp-apim-subscription-key', 'x-api-key', 'authorization'])(
  'a key in %s identifies its developer',
  async (name) => {
    const deps = await testDeps();
    const { id, key } = await newKey(deps);
    const request = asking({ [name]: name === 'authorization' ? `Bearer ${key}` : key });
    expect(await identify(deps, request)).toMatchObject({ kind: 'developer', merchant: SHOP, keyId: id });
    expect(request.headers['x-subscription-id']).toBe(id);
    await revokeKey(deps, { id });
    await expect(identify(deps, request)).rejects.toMatchObject(unauthorized);
  },
);

test.each([
  [{ 'x-api-key': '' }],
  [{ 'ocp-apim-subscription-key': `qk_${'A'.repeat(43)}` }],
  [{ 'x-api-key': ['a', 'b'] }],
  [{ authorization: 'Bearer nothing' }],
  [{ authorization: 'Bearer a.b.c' }],
  [{ 'x-cron-secret': 'guess' }],
  [{ cookie: 'cb_auth_token=' }],
  [{ cookie: 'cb_auth_token=a.b.c' }],
])('an invalid proof is refused and never treated as anonymous: %j', async (headers) => {
  await expect(identify(await testDeps(), asking(headers))).rejects.toMatchObject(unauthorized);
});

test('of several proofs the key is used, valid or not', async () => {
  const deps = await testDeps();
  const { key } = await newKey(deps);
  const { cookie } = await signIn(deps);
  const secret = { 'x-cron-secret': deps.settings.cronSecret, cookie };
  expect(await identify(deps, asking({ ...secret, 'x-api-key': key }))).toMatchObject({ kind: 'developer' });
  await expect(identify(deps, asking({ ...secret, 'x-api-key': 'qk_bad' }))).rejects.toMatchObject(unauthorized);
  expect(await identify(deps, asking(secret))).toEqual({ kind: 'scheduler' });
});

test('a page token is valid for its receipt for two hours', async () => {
  const deps = await testDeps();
  const token = await issuePageToken(deps.settings, { merchant: SHOP, receiptId: 'R-1' }, deps.clock());
  const request = asking({ authorization: `bearer ${token}` });
  expect(await identify(deps, request)).toEqual({ kind: 'buyer', merchant: SHOP, receiptId: 'R-1' });
  deps.advance(PAGE_TOKEN_MS);
  await expect(identify(deps, request)).rejects.toMatchObject(unauthorized);
});

test('a page token is not accepted as a session, nor a session as a page token', async () => {
  const deps = await testDeps();
  const { token } = await signIn(deps);
  const page = await issuePageToken(deps.settings, { merchant: SHOP, receiptId: 'R-1' }, deps.clock());
  await expect(identify(deps, asking({ authorization: `Bearer ${token}` }))).rejects.toMatchObject(unauthorized);
  await expect(identify(deps, asking({ cookie: `cb_auth_token=${page}` }))).rejects.toMatchObject(jwtFailed);
});

test("a merchant's session acts for its merchant; another wallet's session acts for none", async () => {
  const deps = await testDeps({ platformAdmins: [PLATFORM] });
  const own = await signIn(deps);
  expect(await identify(deps, asking({ cookie: own.cookie }))).toEqual({
    kind: 'session',
    sessionId: own.id,
    wallet: SHOP,
    merchant: SHOP,
    role: 'owner',
    confirmedAt: deps.clock(),
    platformAdmin: false,
    csrfProven: false,
  });
  const stranger = await signIn(deps, STRANGER);
  expect(await identify(deps, asking({ cookie: stranger.cookie }))).toMatchObject({ merchant: null });
  const platform = await signIn(deps, PLATFORM);
  expect(await identify(deps, asking({ cookie: platform.cookie }))).toMatchObject({
    merchant: null,
    platformAdmin: true,
  });
});

test('a session expires after twelve hours', async () => {
  const deps = await testDeps();
  const { cookie } = await signIn(deps);
  deps.advance(SESSION_MS - 1_000);
  await identify(deps, asking({ cookie }));
  deps.advance(1_000);
  await expect(identify(deps, asking({ cookie }))).rejects.toMatchObject(jwtFailed);
});

// Contract: auth.session-ended
test('a revoked session is refused immediately, even if its token is valid', async () => {
  const deps = await testDeps();
  const { id, cookie } = await signIn(deps);
  await identify(deps, asking({ cookie }));
  await deps.db.transaction((uow) => endSession(deps.db, deps.clock(), uow, id));
  await expect(identify(deps, asking({ cookie }))).rejects.toMatchObject(jwtFailed);
  expect(await identifyOpen(deps, asking({ cookie }))).toEqual({
    kind: 'anonymous',
    declined: expect.objectContaining(jwtFailed),
  });
});

test('tokens of alg none, of another secret, algorithm, session or wallet, and tampered ones are refused', async () => {
  const deps = await testDeps();
  const { id, token } = await signIn(deps);
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const claims = { sub: SHOP, jti: id, aud: 'session' };
  const exp = Math.floor(deps.clock() / 1000) + 3600;
  const times = { now: deps.clock(), expiresAt: deps.clock() + 3_600_000 };
  const swapped = Buffer.from(JSON.stringify({ ...claims, sub: OTHER_SHOP, exp })).toString('base64url');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const forged = {
    none: new UnsecuredJWT({ ...claims, exp }).encode(),
    'none, with the signature': `${none}.${payload}.${signature}`,
    'cut off': `${header}.${payload}.`,
    'another payload': `${header}.${swapped}.${signature}`,
    'another secret': await signToken({ jwtSecret: 'guess' }, 'session', claims, times),
    'the secret itself': await new SignJWT({ ...claims, exp })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(deps.settings.jwtSecret.padEnd(32))),
    'another session': await signToken(deps.settings, 'session', { ...claims, jti: 'other' }, times),
    'another wallet': await signToken(deps.settings, 'session', { ...claims, sub: OTHER_SHOP }, times),
    'no session': await signToken(deps.settings, 'session', { sub: SHOP }, times),
  };
  for (const [name, bad] of Object.entries(forged)) {
    await expect(identify(deps, asking({ cookie: `cb_auth_token=${bad}` })), name).rejects.toMatchObject(jwtFailed);
  }
  expect(await openToken(deps.settings, 'session', token, deps.clock())).toMatchObject({ jti: id });
});

test('a write needs the CSRF token of the same session, from one of our pages or no page', async () => {
  const deps = await testDeps({ partnerHosts: new Map([['pay.acme.com', 'acme']]), environment: 'production' });
  const { cookie, csrf } = await signIn(deps);
  const other = await signIn(deps, OTHER_SHOP);
  const proven = async (headers: GatewayRequest['headers']) => {
    const caller = await identify(deps, asking({ cookie, ...headers }));
    return caller.kind === 'session' && caller.csrfProven;
  };
  const token = { 'x-csrf-token': csrf };
  expect(await proven(token)).toBe(true);
  expect(await proven({ ...token, origin: 'http://pay.test' })).toBe(true);
  expect(await proven({ ...token, origin: 'https://pay.acme.com', 'sec-fetch-site': 'cross-site' })).toBe(true);
  expect(await proven({ ...token, 'sec-fetch-site': 'same-origin' })).toBe(true);
  expect(await proven({})).toBe(false);
  expect(await proven({ origin: 'http://pay.test' })).toBe(false);
  expect(await proven({ 'x-csrf-token': '' })).toBe(false);
  expect(await proven({ 'x-csrf-token': other.csrf })).toBe(false);
  for (const origin of [
    'https://evil.test',
    'null',
    'https://pay.test',
    'http://pay.test.evil.test',
    'http://pay.acme.com',
    'http://localhost',
  ]) {
    expect(await proven({ ...token, origin }), origin).toBe(false);
  }
  for (const site of ['cross-site', 'same-site']) {
    expect(await proven({ ...token, 'sec-fetch-site': site }), site).toBe(false);
  }
});

test('loopback names of the local machine are equivalent', async () => {
  const deps = await testDeps({ baseUrl: 'http://localhost:4000' });
  const { cookie, csrf } = await signIn(deps);
  const from = (origin: string) => identify(deps, asking({ cookie, 'x-csrf-token': csrf, origin }));
  expect(await from('http://127.0.0.1:4000')).toMatchObject({ csrfProven: true });
  expect(await from('http://127.0.0.1:4001')).toMatchObject({ csrfProven: false });
});

test.each([
  'wallet',
  'x-wallet',
  'x-wallet-address',
  'x-merchant-wallet',
  'x-subscription-id',
  'x-user-role',
  'x-user-id',
])('a spoofed %s proves nothing, is dropped, and is refused where it is all there is', async (name) => {
  const deps = await testDeps();
  const { id, key } = await newKey(deps);
  const request = asking({ [name]: OTHER_SHOP, 'x-api-key': key });
  expect(await identify(deps, request)).toMatchObject({ kind: 'developer', merchant: SHOP });
  expect(request.headers[name]).toBe(name === 'x-subscription-id' ? id : undefined);

  const { cookie } = await signIn(deps);
  expect(await identify(deps, asking({ [name]: OTHER_SHOP, cookie }))).toMatchObject({ merchant: SHOP });

  for (const who of [identify, identifyOpen]) {
    await expect(who(deps, asking({ [name]: SHOP }))).rejects.toMatchObject({ code: 'forbidden', status: 403 });
  }
  const stale = { [name]: SHOP, cookie: 'cb_auth_token=a.b.c' };
  await expect(identifyOpen(deps, asking(stale))).rejects.toMatchObject({ code: 'forbidden' });
  await expect(identifySocket(deps, asking(), { [name.toUpperCase()]: SHOP })).rejects.toMatchObject({
    code: 'forbidden',
  });
});

test('on terminal receipts a platform admin names the merchant; others can name only themselves', async () => {
  const deps = await testDeps({ platformAdmins: [PLATFORM] });
  const terminal = (cookie: string, wallet?: string) =>
    identify(
      deps,
      asking({ cookie, ...(wallet === undefined ? {} : { 'x-wallet': wallet }) }, '/api/receipts/terminal'),
    );
  const { cookie } = await signIn(deps);
  expect(await terminal(cookie)).toMatchObject({ merchant: SHOP });
  expect(await terminal(cookie, SHOP.toUpperCase())).toMatchObject({ merchant: SHOP });
  await expect(terminal(cookie, OTHER_SHOP)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(terminal(cookie, 'me')).rejects.toMatchObject({ code: 'invalid_wallet' });
  const platform = await signIn(deps, PLATFORM);
  expect(await terminal(platform.cookie, OTHER_SHOP)).toMatchObject({ merchant: OTHER_SHOP });
  expect(await terminal(platform.cookie)).toMatchObject({ merchant: null });
  const check = (claim: Record<string, string>) =>
    identify(deps, asking({ cookie: platform.cookie, ...claim }, '/api/terminal/check-payment'));
  expect(await check({ 'x-wallet': OTHER_SHOP })).toMatchObject({ merchant: OTHER_SHOP });
  expect(await check({})).toMatchObject({ merchant: null });
  const { key } = await newKey(deps);
  const request = asking({ 'x-api-key': key, 'x-wallet': OTHER_SHOP }, '/api/receipts/terminal');
  expect(await identify(deps, request)).toMatchObject({ merchant: SHOP });
});

test('a socket authenticates by connection_init under the names of the headers', async () => {
  const deps = await testDeps();
  const { key } = await newKey(deps);
  const page = await issuePageToken(deps.settings, { merchant: SHOP, receiptId: 'R-1' }, deps.clock());
  const socket = (params: unknown) => identifySocket(deps, asking(), params);
  expect(await socket({ 'Ocp-Apim-Subscription-Key': key })).toMatchObject({ kind: 'developer' });
  expect(await socket({ 'X-API-Key': key })).toMatchObject({ kind: 'developer' });
  expect(await socket({ Authorization: `Bearer ${key}` })).toMatchObject({ kind: 'developer' });
  expect(await socket({ authorization: `Bearer ${page}` })).toMatchObject({ kind: 'buyer' });
  expect(await socket(undefined)).toEqual({ kind: 'anonymous' });
  expect(await socket({ 'x-cron-secret': deps.settings.cronSecret, 'x-api-key': 7 })).toEqual({ kind: 'anonymous' });
  await expect(socket({ 'x-api-key': 'qk_bad' })).rejects.toMatchObject(unauthorized);
});

test('a cookie authenticates a socket only from one of our pages with its CSRF token', async () => {
  const deps = await testDeps();
  const { cookie, csrf } = await signIn(deps);
  const socket = (origin: string | undefined, params: unknown) =>
    identifySocket(deps, asking({ cookie, origin }), params);
  expect(await socket('http://pay.test', { 'x-csrf-token': csrf })).toMatchObject({ kind: 'session' });
  for (const [origin, params] of [
    ['http://pay.test', {}],
    ['https://evil.test', { 'x-csrf-token': csrf }],
    [undefined, { 'x-csrf-token': csrf }],
    ['http://pay.test', { 'x-csrf-token': csrf, cookie: 'x', origin: 'http://pay.test' }],
  ] as const) {
    const outcome = socket(origin, params);
    if (params && 'cookie' in params) await expect(outcome).resolves.toMatchObject({ kind: 'session' });
    else await expect(outcome).rejects.toMatchObject({ code: 'forbidden' });
  }
  await expect(
    identifySocket(deps, asking({ cookie, origin: 'https://evil.test' }), {
      'x-csrf-token': csrf,
      origin: 'http://pay.test',
    }),
  ).rejects.toMatchObject({ code: 'forbidden' });
});

test('sockets whose key, session or role has ended are found in one statement', async () => {
  const deps = await testDeps();
  const [standing, revoked] = [await newKey(deps), await newKey(deps)];
  await revokeKey(deps, { id: revoked.id });
  const [open, ended] = [await signIn(deps), await signIn(deps)];
  await deps.db.transaction((uow) => endSession(deps.db, deps.clock(), uow, ended.id));
  const openNow = nameOfSession({ id: open.id, role: 'owner' });
  const formerly = nameOfSession({ id: open.id, role: 'cashier' });
  const ids = { keyIds: [standing.id, revoked.id], sessions: [openNow, `${ended.id} owner`, formerly, 'unknown '] };
  expect(await endedAmong(deps.db, deps.clock(), ids)).toEqual(
    new Set([revoked.id, `${ended.id} owner`, formerly, 'unknown ']),
  );
  deps.advance(SESSION_MS);
  expect(await endedAmong(deps.db, deps.clock(), ids)).toContain(openNow);
});

test('if an edge secret is set, only /healthz passes without it', async () => {
  const settings = { edgeSecret: 'edge' };
  const refused = expect.objectContaining({ code: 'forbidden', status: 403, message: 'origin enforcement failed' });
  for (const headers of [
    {},
    { 'x-edge-secret': '' },
    { 'x-edge-secret': 'edg' },
    { 'x-edge-secret': ['edge', 'edge'] },
  ]) {
    for (const path of ['/api/receipts', '/healthz/', '/readyz', '/portal/R-1']) {
      expect(() => enforceEdge(settings, asking(headers, path))).toThrow(refused);
    }
    expect(() => enforceEdge(settings, asking({ ...headers }, '/healthz'))).not.toThrow();
  }
  const request = asking({ 'x-edge-secret': 'edge' });
  enforceEdge(settings, request);
  expect(request.headers).toEqual({});
  enforceEdge({ edgeSecret: null }, asking());
});

test('the session cookie is hidden from scripts and Secure in production, the CSRF cookie readable', async () => {
  const deps = await testDeps({ environment: 'production' });
  const { id, token, csrf } = await signIn(deps);
  expect(sessionCookies(deps.settings, { id, token })).toEqual([
    `cb_auth_token=${token}; Path=/; Max-Age=43200; SameSite=Lax; HttpOnly; Secure`,
    `cb_csrf=${csrf}; Path=/; Max-Age=43200; SameSite=Lax; Secure`,
  ]);
  const development = clearedCookies({ ...deps.settings, environment: 'development' });
  expect(development[0]).toBe('cb_auth_token=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly');
});
