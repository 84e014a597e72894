import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { MILLIS, noSession, refusal } from './catalog.ts';

let server: TestServer;
let merchant: TestMerchant;
let now = Date.now();
beforeAll(async () => {
  server = await startTestServer({ clock: () => now });
  merchant = await server.merchant();
});
afterAll(() => server.stop());

const nonce = (wallet: unknown) => server.call('POST', '/api/auth/nonce', { body: { wallet } });
const login = (body: unknown, headers: Record<string, string> = {}) =>
  server.call('POST', '/api/auth/login', { body, headers });
const me = (headers: Record<string, string>) => server.call('GET', '/api/auth/me', { headers });
const shop = (headers: Record<string, string>, raw = '{"bio":"changed"}') =>
  server.call('POST', '/api/shop/config', { headers, raw });
const bio = async () => (await server.call('GET', '/api/shop/config', { headers: merchant.auth })).body.config.bio;

async function signed(account = merchant.account) {
  const { body } = await nonce(account.address);
  return { wallet: account.address, nonce: body.nonce, signature: await account.signTypedData(body.typedData) };
}

describe('POST /api/auth/nonce', () => {
  // Contract: auth.login
  test('answers typed data to sign', async () => {
    const { status, body } = await nonce(merchant.account.address);
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      ok: true,
      nonce: expect.any(String),
      expiresAt: MILLIS,
      typedData: expect.any(Object),
    });
    expect(body.expiresAt - now).toBe(300_000);
    expect(Object.keys(body.typedData.domain).sort()).toEqual(expect.arrayContaining(['chainId', 'name', 'version']));
  });

  test('refuses an invalid wallet with 400 invalid_wallet', async () => {
    for (const wallet of ['0x12', 7, null, undefined, `0x${'g'.repeat(40)}`]) {
      const answer = await nonce(wallet);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_wallet']);
    }
  });
});

describe('POST /api/auth/login', () => {
  // Contract: auth.cookie, auth.login
  test('answers ok, wallet, roles and csrfToken, and sets both cookies', async () => {
    const { status, body, headers } = await login(await signed());
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      ok: true,
      wallet: merchant.wallet,
      roles: ['user', 'merchant', 'admin'],
      csrfToken: expect.any(String),
    });
    const cookies = headers.getSetCookie();
    const auth = cookies.find((line) => line.startsWith('cb_auth_token='));
    expect(auth).toMatch(/; Path=\/;.*; SameSite=Lax; HttpOnly/);
    expect(auth).not.toContain('Secure');
    const csrf = cookies.find((line) => line.startsWith('cb_csrf='));
    expect(csrf).toContain(body.csrfToken);
    expect(csrf).not.toContain('HttpOnly');
  });

  // Contract: auth.roles
  test('a wallet without a merchant is a user, not an admin', async () => {
    const account = newAccount();
    const session = await server.signIn(account);
    const { body } = await me(session);
    expect(body).toStrictEqual({ ok: true, wallet: account.address.toLowerCase(), roles: ['user'], merchant: null });
    const answer = await shop(session);
    expect([answer.status, answer.body.error]).toEqual([403, 'forbidden']);
  });

  test('a nonce is valid once, for five minutes, for its own wallet', async () => {
    const used = await signed();
    expect((await login(used)).status).toBe(200);
    const old = await signed();
    const other = { ...(await signed()), wallet: newAccount().address };
    now += 300_000;
    for (const body of [used, old, other]) {
      const answer = await login(body);
      expect(answer.status).toBe(401);
      expect(answer.body).toStrictEqual(refusal('unauthorized'));
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  test('another wallet’s signature is refused and invalidates the nonce', async () => {
    const { body } = await nonce(merchant.account.address);
    const stranger = newAccount();
    const forged = {
      wallet: merchant.wallet,
      nonce: body.nonce,
      signature: await stranger.signTypedData(body.typedData),
    };
    expect((await login(forged)).status).toBe(401);
    const late = { ...forged, signature: await merchant.account.signTypedData(body.typedData) };
    expect((await login(late)).status).toBe(401);
  });
});

describe('a session', () => {
  // Contract: auth.session-ended, auth.expired, errors.unauthorized
  test('ends by POST /api/auth/logout, at once', async () => {
    const session = await server.signIn(merchant.account);
    expect((await me(session)).status).toBe(200);
    const out = await server.call('POST', '/api/auth/logout', { headers: session });
    expect([out.status, out.body]).toEqual([200, { ok: true }]);
    expect(out.headers.getSetCookie().every((line) => line.includes('Max-Age=0'))).toBe(true);
    const answer = await me(session);
    expect(answer.status).toBe(401);
    expect(answer.body).toStrictEqual(noSession('session_ended'));
  });

  // Contract: auth.expired
  test('expires', async () => {
    const session = await server.signIn(merchant.account);
    now += 12 * 3_600_000;
    expect((await me(session)).status).toBe(401);
  });

  // Contract: auth.cookie
  test('a forged, unsigned or tampered token is refused', async () => {
    const { cookie } = await server.signIn(merchant.account);
    const token = /cb_auth_token=([^;]+)/.exec(cookie as string)![1] as string;
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const foreign = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32, 7));
    const bent = Buffer.from(JSON.stringify({ ...claims, sub: `0x${'1'.repeat(40)}` })).toString('base64url');
    for (const fake of [
      `${none}.${payload}.`,
      `${header}.${bent}.${signature}`,
      foreign,
      'x',
      '',
      `${header}.${payload}.`,
    ]) {
      const answer = await me({ cookie: `cb_auth_token=${fake}` });
      expect([answer.status, answer.body.message], fake).toEqual([401, 'JWT authentication failed']);
    }
  });

  // Contract: auth.csrf
  test('cannot write without the CSRF token, with another session’s token, or from another site', async () => {
    const session = await server.signIn(merchant.account);
    const { cookie } = session as { cookie: string };
    const stranger = await server.signIn(newAccount());
    const own = { cookie, 'x-csrf-token': session['x-csrf-token'] as string };
    const refused: Record<string, string>[] = [
      { cookie },
      { cookie, 'x-csrf-token': '' },
      { cookie, 'x-csrf-token': stranger['x-csrf-token'] as string },
      { ...own, origin: 'https://evil.example' },
      { ...own, origin: 'null' },
      { ...own, origin: `${server.url}.evil.example` },
      { ...own, 'sec-fetch-site': 'cross-site' },
      { ...own, 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of refused) {
      const answer = await shop(headers);
      expect([answer.status, answer.body.error], JSON.stringify(headers)).toEqual([403, 'forbidden']);
    }
    expect(await bio()).toBeNull();
    expect((await shop({ ...own, origin: server.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect(await bio()).toBe('changed');
  });

  test('a form post changes nothing', async () => {
    const session = await server.signIn(merchant.account);
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      const answer = await shop({ ...session, 'content-type': type }, 'bio=form');
      expect([answer.status, answer.body.error]).toEqual([415, 'unsupported_media_type']);
    }
    expect(await bio()).toBe('changed');
  });
});

describe('Secure', () => {
  test('stands on both cookies in production', async () => {
    const secret = 's'.repeat(32);
    const production = await startTestServer({
      env: {
        NODE_ENV: 'production',
        JWT_SECRET: secret,
        KEY_ENCRYPTION_KEY: secret.toUpperCase(),
        CRON_SECRET: `${secret}c`,
        WEBHOOK_ALLOW_INSECURE: '0',
      },
    });
    try {
      const account = newAccount();
      const { body } = await production.call('POST', '/api/auth/nonce', { body: { wallet: account.address } });
      const signature = await account.signTypedData(body.typedData);
      const { headers } = await production.call('POST', '/api/auth/login', {
        body: { wallet: account.address, nonce: body.nonce, signature },
      });
      expect(headers.getSetCookie()).toHaveLength(2);
      for (const line of headers.getSetCookie()) expect(line).toContain('; Secure');
    } finally {
      await production.stop();
    }
  });
});
