import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAccount, startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { refusal } from './catalog.ts';

let aheadMs = 0;
let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer({ clock: () => Date.now() + aheadMs });
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
});
afterAll(() => server.stop());

const send = (method: string, path: string, body?: unknown, headers = session) =>
  server.call(method, path, { headers, body });
const readsWith = async (key: string) =>
  (await server.call('GET', '/api/receipts', { headers: { 'x-api-key': key } })).status;

test('a key is issued, listed, rotated and revoked, and shows its secret once', async () => {
  const given = { scopes: ['receipts:read'], label: 'Books', addresses: ['127.0.0.0/8'], expiresAt: 4_102_444_800_000 };
  const issued = await send('POST', '/api/keys', given);
  expect([issued.status, issued.body]).toEqual([
    201,
    {
      ok: true,
      secret: expect.stringMatching(/^qk_/),
      key: {
        ...{ id: expect.stringMatching(/^key_/), ...given, origins: [], trustedOnly: false, writes: false },
        ...{ state: 'active', lastUsedAt: null, revokedAt: null, replacedBy: null, createdAt: expect.any(Number) },
      },
    },
  ]);
  const { key, secret } = issued.body;
  expect(await readsWith(secret)).toBe(200);

  const rotated = await send('POST', `/api/keys/${key.id}/rotate`, { overlapHours: 0 });
  expect(rotated.status).toBe(200);
  expect([await readsWith(secret), await readsWith(rotated.body.secret)]).toEqual([401, 200]);

  const next = rotated.body.key.id;
  expect((await send('DELETE', `/api/keys/${next}`)).body).toMatchObject({
    ok: true,
    key: { id: next, state: 'revoked' },
  });
  expect((await send('DELETE', `/api/keys/${next}`)).status).toBe(200);
  expect(await readsWith(rotated.body.secret)).toBe(401);

  const { body, headers } = await send('GET', '/api/keys?limit=2');
  expect(body.keys.map(({ id }: { id: string }) => id)).toEqual([next, key.id]);
  expect(headers.get('link')).toContain(`cursor=${encodeURIComponent(body.nextCursor)}`);
  const rest = await send('GET', `/api/keys?limit=2&cursor=${encodeURIComponent(body.nextCursor)}`);
  expect(rest.body).toMatchObject({ keys: [{ id: merchant.keyId }], nextCursor: null });
  expect(JSON.stringify([body, rest.body])).not.toContain('qk_');
});

test('wrong fields are refused by name, and the key of another merchant is not found', async () => {
  for (const [body, field] of [
    [{ scopes: ['receipts_read'] }, 'scopes[0]'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['receipts:read'], addresses: ['here'] }, 'addresses[0]'],
    [{ scopes: ['receipts:read'], expiresAt: 1 }, 'expiresAt'],
  ] as const)
    expect((await send('POST', '/api/keys', body)).body).toMatchObject({ error: 'invalid_input', field });
  expect((await send('GET', '/api/keys?limit=0')).status).toBe(400);
  expect((await send('GET', '/api/keys?cursor=x')).body).toMatchObject({ error: 'bad_cursor', field: 'cursor' });
  const other = await server.merchant();
  for (const [method, path] of [
    ['DELETE', `/api/keys/${other.keyId}`],
    ['POST', `/api/keys/${other.keyId}/rotate`],
  ] as const)
    expect((await send(method, path, {})).status).toBe(404);
});

test('no key manages keys, a session needs its CSRF token, and a manager issues no key that writes', async () => {
  const auth: Record<string, string> = merchant.auth;
  const withoutToken = { cookie: session.cookie as string };
  for (const [method, path] of [
    ['GET', '/api/keys'],
    ['POST', '/api/keys'],
    ['POST', `/api/keys/${merchant.keyId}/rotate`],
    ['DELETE', `/api/keys/${merchant.keyId}`],
  ] as const) {
    const body = method === 'GET' ? undefined : {};
    const byKey = await send(method, path, body, auth);
    expect([byKey.status, byKey.body]).toEqual([403, refusal('forbidden', { reason: 'session_required' })]);
    expect((await send(method, path, body, {})).status).toBe(401);
    if (method !== 'GET') expect((await send(method, path, body, withoutToken)).body.reason).toBe('csrf_token_missing');
  }
  const invite = { query: 'mutation { inviteMember(role: manager) { token } }' };
  const { token } = (await send('POST', '/api/graphql', invite)).body.data.inviteMember;
  const manager = newAccount();
  const accept = { query: `mutation { acceptInvitation(token: "${token}") { merchant } }` };
  await send('POST', '/api/graphql', accept, await server.signIn(manager));
  const theirs = await server.signIn(manager);
  expect((await send('POST', '/api/keys', { scopes: ['receipts:read'] }, theirs)).status).toBe(201);
  const refused = await send('POST', '/api/keys', { scopes: ['orders:create'] }, theirs);
  expect([refused.status, refused.body.reason]).toEqual([403, 'role_missing']);
});

test('a key needs a signature of the last five minutes', async () => {
  const wanted = { scopes: ['orders:create'] };
  expect((await send('POST', '/api/keys', wanted)).status).toBe(201);
  aheadMs += 6 * 60_000;
  for (const body of [wanted, { scopes: ['receipts:read'] }]) {
    const late = await send('POST', '/api/keys', body);
    expect([late.status, late.body.reason]).toEqual([403, 'signature_required']);
  }
});
