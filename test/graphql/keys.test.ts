import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { SCOPES, writes } from '../../src/base/core/scopes.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { signingKey } from '../../src/domain/access/keys/signing.ts';
import { newMember } from '../support/members.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { ask, socketUrl } from './ask.ts';

type Headers = Record<string, string>;

let server: TestServer;
let merchant: TestMerchant;
let owner: Headers;
let developer: Headers;
let manager: Headers;
let clockMs = 0;
beforeAll(async () => {
  server = await startTestServer({ clock: () => Date.now() + clockMs });
  merchant = await server.merchant();
  owner = await server.signIn(merchant.account);
  developer = (await newMember(server, merchant.wallet, 'developer')).session;
  manager = (await newMember(server, merchant.wallet, 'manager')).session;
});
afterAll(() => server.stop());

/** Runs `work` this much later. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  clockMs = ms;
  try {
    return await work();
  } finally {
    clockMs = 0;
  }
}

/** The data of an operation, or the extensions of its error. */
async function run(headers: Headers, query: string, variables: Record<string, unknown> = {}) {
  const { body } = await ask(server, headers, query, variables);
  return body.errors ? body.errors[0].extensions : body.data;
}

const FIELDS =
  'keyId label scopes writes state expiresAt lastUsedAt revokedAt replacedBy origins addresses trustedOnly';
const ISSUE = `mutation($input: IssueKeyInput!) { issueKey(input: $input) { secret key { ${FIELDS} } } }`;
const ROTATE = `mutation($keyId: ID!, $overlapHours: Int) {
  rotateKey(keyId: $keyId, overlapHours: $overlapHours) { secret key { ${FIELDS} } } }`;
const REVOKE = `mutation($keyId: ID!) { revokeKey(keyId: $keyId) { ${FIELDS} } }`;
const UPDATE = `mutation($keyId: ID!, $input: KeyChangeInput!) { updateKey(keyId: $keyId, input: $input) { ${FIELDS} } }`;
const LIST = `query($first: Int, $after: String) { keys(first: $first, after: $after) {
  totalCount pageInfo { endCursor hasNextPage } nodes { ${FIELDS} } } }`;

const READING = { scopes: ['receipts_read'] };
const issue = async (input: object = READING, headers = owner) => (await run(headers, ISSUE, { input })).issueKey;
const use = (secret: string, headers: Headers = {}, at = server) =>
  at.call('GET', '/api/receipts', { headers: { 'x-api-key': secret, ...headers } });
const keyOf = async (keyId: string) =>
  (await run(owner, LIST, { first: 200 })).keys.nodes.find((key: { keyId: string }) => key.keyId === keyId);

test('a key is issued with its secret, works, is listed without it, and is revoked at once', async () => {
  const input = { ...READING, label: 'till', trustedOnly: true };
  const { secret, key } = await issue(input, manager);
  expect(secret).toMatch(/^qk_[\w-]{43}$/);
  expect(key).toMatchObject({ label: 'till', scopes: ['receipts_read'], writes: false, state: 'active' });
  expect(key).toMatchObject({ trustedOnly: true, origins: [], addresses: [], expiresAt: null, lastUsedAt: null });
  expect((await use(secret)).status).toBe(200);
  expect(JSON.stringify(await run(developer, LIST))).not.toContain(secret.slice(3));
  const revoked = (await run(developer, REVOKE, { keyId: key.keyId })).revokeKey;
  expect(revoked).toMatchObject({ state: 'revoked', revokedAt: expect.any(Number) });
  expect((await use(secret)).status).toBe(401);
  expect((await run(developer, REVOKE, { keyId: key.keyId })).revokeKey.revokedAt).toBe(revoked.revokedAt);
});

test('keys are listed page by page, the newest first', async () => {
  const shop = await server.merchant();
  const session = await server.signIn(shop.account);
  for (let n = 0; n < 3; n++)
    await issueKey(server.deps, { merchant: shop.wallet, scopes: ['shop:read'], label: `${n}` });
  const { keys } = await run(session, LIST, { first: 2 });
  expect(keys).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true } });
  const rest = (await run(session, LIST, { first: 5, after: keys.pageInfo.endCursor })).keys;
  const labels = [...keys.nodes, ...rest.nodes].map(({ label }: { label: string | null }) => label);
  expect(labels).toEqual(['2', '1', '0', null]);
});

test('when a key was last used is written in batches, at most once a minute', async () => {
  const { secret, key } = await issue();
  const lastUsed = async () => (await keyOf(key.keyId)).lastUsedAt;
  await use(secret);
  await expect.poll(lastUsed).toBeGreaterThan(0);
  const first = await lastUsed();
  await use(secret);
  await later(90_000, () => use(secret));
  await expect.poll(lastUsed).toBeGreaterThanOrEqual(first + 60_000);
});

test('a key with a scope that writes needs an owner with a fresh signature, also to rotate it or change its limits', async () => {
  const writing = SCOPES.filter((scope) => /write|create|void|request/.test(scope));
  expect(writing).toEqual(SCOPES.filter(writes));
  const missing = { code: 'forbidden', reason: 'role_missing', permission: 'keys:write', role: 'owner' };
  for (const scope of writing) {
    const input = { scopes: ['receipts_read', scope.replace(':', '_')] };
    for (const session of [manager, developer]) expect(await run(session, ISSUE, { input })).toMatchObject(missing);
    const { key } = await issue(input);
    expect(key.writes).toBe(true);
    const { keyId } = key;
    const change = { keyId, input: { addresses: [] } };
    for (const session of [manager, developer]) {
      expect(await run(session, ROTATE, { keyId })).toMatchObject(missing);
      expect(await run(session, UPDATE, change)).toMatchObject(missing);
    }
    await later(6 * 60_000, async () => {
      const required = { code: 'forbidden', reason: 'signature_required' };
      expect(await run(owner, ISSUE, { input })).toMatchObject(required);
      expect(await run(owner, ROTATE, { keyId })).toMatchObject(required);
      expect(await run(owner, UPDATE, change)).toMatchObject(required);
      expect(await run(owner, UPDATE, { keyId, input: { label: 'x' } })).toHaveProperty('updateKey');
      expect(await run(owner, ISSUE, { input: READING })).toMatchObject(required);
      // What takes rights away needs none.
      expect(await run(developer, REVOKE, { keyId })).toHaveProperty('revokeKey');
    });
  }
  for (const role of ['cashier', 'bookkeeper'] as const) {
    const { session } = await newMember(server, merchant.wallet, role);
    expect(await run(session, ISSUE, { input: READING })).toMatchObject({ reason: 'role_missing', permission: 'keys' });
  }
});

test('a rotated key works until the overlap ends, and signs for its receipts for ever', async () => {
  const old = await issue({ ...READING, label: 'shop', addresses: ['127.0.0.0/8', '::1'] });
  const { keyId } = old.key;
  const { rotateKey: next } = await run(owner, ROTATE, { keyId, overlapHours: 2 });
  expect(next.key).toMatchObject({ label: 'shop', addresses: ['127.0.0.0/8', '::1'], expiresAt: null });
  expect(next.key.keyId).not.toBe(keyId);
  const replaced = await keyOf(keyId);
  expect(replaced).toMatchObject({ state: 'active', replacedBy: next.key.keyId, revokedAt: null });
  for (const { secret } of [old, next]) expect((await use(secret)).status).toBe(200);
  expect(await run(owner, ROTATE, { keyId })).toMatchObject({ code: 'invalid_input' });
  await later(2 * 3_600_000 + 1_000, async () => {
    const refused = await use(old.secret);
    expect([refused.status, refused.body.error, refused.body.reason]).toEqual([401, 'unauthorized', 'key_expired']);
    expect((await use(next.secret)).status).toBe(200);
  });
  expect(await signingKey(server.deps.db, server.deps.settings, keyId)).toBe(old.secret);

  const { rotateKey: last } = await run(owner, ROTATE, { keyId: next.key.keyId, overlapHours: 0 });
  expect((await use(next.secret)).status).toBe(401);
  expect((await use(last.secret)).status).toBe(200);
  for (const overlapHours of [-1, 169])
    expect(await run(owner, ROTATE, { keyId: last.key.keyId, overlapHours })).toMatchObject({ field: 'overlapHours' });
});

test('an expired key is refused with its reason, and a time that is over is refused when it is issued', async () => {
  const expiresAt = Date.now() + 60_000;
  const { secret, key } = await issue({ ...READING, expiresAt });
  expect(key.expiresAt).toBe(expiresAt);
  expect((await use(secret)).status).toBe(200);
  await later(61_000, async () => {
    const { status, body } = await use(secret);
    expect([status, body.reason]).toEqual([401, 'key_expired']);
    expect((await keyOf(key.keyId)).state).toBe('expired');
    expect(await run(owner, UPDATE, { keyId: key.keyId, input: { label: 'x' } })).toMatchObject({
      code: 'invalid_input',
    });
  });
  expect(await run(owner, ISSUE, { input: { ...READING, expiresAt: 1 } })).toMatchObject({ field: 'expiresAt' });
});

test('a key works from its origins and addresses only, over HTTP and websocket', async () => {
  const { secret, key } = await issue({ scopes: ['receipts_read', 'graphql_read'], origins: ['https://Shop.example'] });
  expect(key.origins).toEqual(['https://shop.example']);
  expect((await use(secret, { origin: 'https://shop.example' })).status).toBe(200);
  for (const headers of [{}, { origin: 'https://evil.example' }] as Headers[]) {
    const { status, body } = await use(secret, headers);
    expect([status, body.error, body.reason]).toEqual([403, 'forbidden', 'origin_not_allowed']);
  }
  const closed = await new Promise<number>((resolve, reject) => {
    const socket = new WebSocket(socketUrl(server), 'graphql-transport-ws', { origin: 'https://evil.example' });
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { 'x-api-key': secret } })));
    socket.on('close', resolve);
    socket.on('error', reject);
  });
  expect(closed).toBe(4403);

  const { keyId } = key;
  const limited = await run(owner, UPDATE, { keyId, input: { origins: null, addresses: ['10.0.0.0/8'] } });
  expect(limited.updateKey).toMatchObject({ origins: [], addresses: ['10.0.0.0/8'] });
  const refused = await use(secret);
  expect([refused.status, refused.body.reason]).toEqual([403, 'address_not_allowed']);
  expect(await run(owner, UPDATE, { keyId, input: { addresses: ['10.0.0.0/99'] } })).toMatchObject({
    ...{ code: 'invalid_input', field: 'addresses[0]' },
  });
  await run(owner, UPDATE, { keyId, input: { addresses: ['127.0.0.1', '::1'] } });
  expect((await use(secret)).status).toBe(200);
});

test('behind the edge, the address is the one that the edge has seen', async () => {
  const { secret } = await issue({ ...READING, addresses: ['203.0.113.0/24'] });
  const { databaseUrl } = server.deps.settings;
  const edge = await startTestServer({ databaseUrl, env: { EDGE_SECRET: 'edge-secret-for-tests' } });
  try {
    const from = async (forwarded: string) => {
      const headers = { 'x-edge-secret': 'edge-secret-for-tests', 'x-forwarded-for': forwarded };
      return (await use(secret, headers, edge)).status;
    };
    expect(await from('203.0.113.9')).toBe(200);
    expect(await from('198.51.100.1, 203.0.113.9')).toBe(200);
    expect(await from('203.0.113.9, 198.51.100.1')).toBe(403);
    // Without the edge the header is only a claim.
    expect((await use(secret, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(403);
  } finally {
    await edge.stop();
  }
});

test('nothing of another merchant’s keys is seen or changed', async () => {
  const { key } = await issue();
  const stranger = await server.signIn((await server.merchant()).account);
  const { keyId } = key;
  for (const [query, variables] of [
    [ROTATE, { keyId }],
    [REVOKE, { keyId }],
    [UPDATE, { keyId, input: { label: 'mine' } }],
  ] as const)
    expect(await run(stranger, query, variables)).toMatchObject({ code: 'not_found' });
  expect(JSON.stringify(await run(stranger, LIST))).not.toContain(keyId);
  expect(await keyOf(keyId)).toMatchObject({ state: 'active', label: null, replacedBy: null });
});
