import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { busyMs } from '../../../../test/support/busy.ts';
import { openRelay } from '../../../../test/support/relay.ts';
import { startListener } from '../../../base/platform/pg-notifications.ts';
import { revokeKey, rotateKey } from './change-keys.ts';
import { findKey as findKeyUsed, forgetKeys, KEYS_CHANNEL } from './find.ts';
import { issueKey } from './issue.ts';
import { listKeys } from './list.ts';
import { signingKey } from './signing.ts';
import { OTHER_SHOP, SHOP, type TestDeps, testDeps } from './test/deps.ts';

const READ = ['receipts:read'] as const;

const findKey = (deps: TestDeps, key: string) =>
  findKeyUsed(deps.db, deps.clock(), key, { address: '192.0.2.1', origin: undefined });

async function dump(deps: TestDeps): Promise<string> {
  return JSON.stringify(await deps.db.orm.em.fork().execute('select * from api_keys'));
}

test('a new key authenticates with its scopes, for its merchant', async () => {
  const deps = await testDeps();
  const { id, key, scopes } = await issueKey(deps, {
    merchant: SHOP,
    scopes: ['orders:create', 'receipts:read', 'orders:create'],
    limits: { orders: 7 },
  });
  expect(key).toMatch(/^qk_[\w-]{43}$/);
  expect(scopes).toEqual(['orders:create', 'receipts:read']);
  const caller = await findKey(deps, key);
  expect(caller).toMatchObject({
    kind: 'developer',
    merchant: SHOP,
    keyId: id,
    unlimited: false,
    limits: { orders: 7 },
  });
  expect([...caller.scopes]).toEqual(['orders:create', 'receipts:read']);
});

test('a key is stored encrypted, and two stored copies of a key differ', async () => {
  const deps = await testDeps();
  const { key } = await issueKey(deps, { merchant: SHOP, scopes: READ });
  const rows = await dump(deps);
  expect(rows).not.toContain(key);
  expect(rows).not.toContain(key.slice(3));
  expect(JSON.stringify(await listKeys(deps.db, SHOP))).not.toMatch(/digest|sealed/);
});

test.each([
  ['an unknown scope', { scopes: ['receipts:burn'] }, 'invalid_input'],
  ['no scope', { scopes: [] }, 'invalid_input'],
  ['limits of an unknown category', { scopes: READ, limits: { naps: 3 } }, 'invalid_input'],
  ['a limit of nothing', { scopes: READ, limits: { orders: 0 } }, 'invalid_input'],
  ['an unknown merchant', { scopes: READ, merchant: `0x${'11'.repeat(20)}` as typeof SHOP }, 'not_found'],
])('no key is issued for %s', async (_, request, code) => {
  const deps = await testDeps();
  await expect(issueKey(deps, { merchant: SHOP, ...request })).rejects.toMatchObject({ code });
  expect(await dump(deps)).toBe('[]');
});

test.each(['', 'qk_', `qk_${'A'.repeat(43)}`, `qk_${'A'.repeat(44)}`, 'x'.repeat(10_000), "' or 1=1"])(
  'a malformed or unknown key is unauthorized: %j',
  async (key) => {
    await expect(findKey(await testDeps(), key)).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  },
);

test('unknown keys that arrive together are looked up in few statements', async () => {
  const deps = await testDeps();
  const statements = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => statements.mockRestore());
  const guesses = Array.from({ length: 500 }, () => findKey(deps, `qk_${randomBytes(32).toString('base64url')}`));
  expect((await Promise.allSettled(guesses)).filter(({ status }) => status === 'fulfilled')).toEqual([]);
  expect(statements.mock.calls.length).toBeLessThan(10);

  statements.mockClear();
  const atOnce = Array.from({ length: 200 }, () => findKey(deps, `qk_${randomBytes(32).toString('base64url')}`));
  await Promise.allSettled(atOnce);
  expect(statements.mock.calls.map(([sent]) => (sent as unknown as { name: string }).name)).toEqual(['key-by-digest']);
});

test('with the database unavailable a cached key is accepted, and any other is datastore_unavailable', async () => {
  const cli = await testDeps();
  const relay = await openRelay(cli.settings.databaseUrl);
  const server = await testDeps({ databaseUrl: relay.url });
  const { key } = await issueKey(cli, { merchant: SHOP, scopes: READ });
  const { key: unseen } = await issueKey(cli, { merchant: SHOP, scopes: READ });
  await findKey(server, key);
  await relay.cut();
  await expect(findKey(server, key)).resolves.toMatchObject({ merchant: SHOP });
  forgetKeys(server.db)(null);
  await expect(findKey(server, key)).resolves.toMatchObject({ merchant: SHOP });
  await expect(findKey(server, unseen)).rejects.toMatchObject({ code: 'datastore_unavailable', status: 503 });
});

test('with a hanging database a cached key is accepted without a long delay', async () => {
  const cli = await testDeps();
  const relay = await openRelay(cli.settings.databaseUrl);
  const server = await testDeps({ databaseUrl: relay.url });
  const { key } = await issueKey(cli, { merchant: SHOP, scopes: READ });
  await findKey(server, key);
  forgetKeys(server.db)(null);
  relay.hang();
  const before = performance.now();
  await Promise.all([findKey(server, key), findKey(server, key)]);
  await findKey(server, key);
  expect(performance.now() - before).toBeLessThan(busyMs(1_500));
  await relay.cut();
});

// Contract: auth.key-revoked
test('a revoked key is refused immediately in the same process', async () => {
  const deps = await testDeps();
  const { id, key } = await issueKey(deps, { merchant: SHOP, scopes: READ });
  await findKey(deps, key);
  const { revokedAt } = await revokeKey(deps, { id });
  await expect(findKey(deps, key)).rejects.toMatchObject({ code: 'unauthorized' });
  deps.advance(1000);
  expect(await revokeKey(deps, { id })).toEqual({ id, revokedAt });
});

test('a key revoked by another process is refused once the notification arrives', async () => {
  const server = await testDeps();
  const cli = await testDeps({ databaseUrl: server.settings.databaseUrl });
  const { id, key } = await issueKey(cli, { merchant: SHOP, scopes: READ });
  await findKey(server, key);

  const forget = forgetKeys(server.db);
  let listener: Awaited<ReturnType<typeof startListener>> | undefined;
  const heard = new Promise<void>((resolve) => {
    const handler = (digest: string | null) => {
      forget(digest);
      resolve();
    };
    void startListener(server.settings.databaseUrl, { [KEYS_CHANNEL]: handler }, server.log).then(async (started) => {
      listener = started;
      await revokeKey(cli, { id });
    });
  });
  await heard;
  await expect(findKey(server, key)).rejects.toMatchObject({ code: 'unauthorized' });
  await listener?.close();
});

test('a key issued by another process works at once, even if it was refused before', async () => {
  const server = await testDeps();
  const cli = await testDeps({ databaseUrl: server.settings.databaseUrl });
  const { key } = await issueKey(cli, { merchant: SHOP, scopes: READ });
  await expect(findKey(server, `${key.slice(0, -2)}AA`)).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(findKey(server, key)).resolves.toMatchObject({ merchant: SHOP });
});

test('a revocation between reading a key and caching it is not lost', async () => {
  const deps = await testDeps();
  const { id, key } = await issueKey(deps, { merchant: SHOP, scopes: READ });
  const reading = findKey(deps, key);
  await revokeKey(deps, { id });
  await reading.catch(() => {});
  await expect(findKey(deps, key)).rejects.toMatchObject({ code: 'unauthorized' });
});

// Contract: auth.key-revoked
test('rotating replaces the key and keeps its permissions', async () => {
  const deps = await testDeps();
  const old = await issueKey(deps, {
    merchant: SHOP,
    scopes: READ,
    label: 'till',
    unlimited: true,
    limits: { reads: 5 },
  });
  const next = await rotateKey(deps, { id: old.id });
  expect(next.id).not.toBe(old.id);
  expect(next.scopes).toEqual(old.scopes);
  await expect(findKey(deps, old.key)).rejects.toMatchObject({ code: 'unauthorized' });
  await expect(findKey(deps, next.key)).resolves.toMatchObject({ unlimited: true, limits: { reads: 5 } });
  await expect(rotateKey(deps, { id: old.id })).rejects.toMatchObject({ code: 'invalid_input' });
  expect((await listKeys(deps.db, SHOP)).map(({ id, label, revokedAt }) => [id, label, revokedAt !== null])).toEqual(
    expect.arrayContaining([
      [next.id, 'till', false],
      [old.id, 'till', true],
    ]),
  );
});

test('of two concurrent rotations one succeeds, and there is one new key', async () => {
  const deps = await testDeps();
  const { id } = await issueKey(deps, { merchant: SHOP, scopes: READ });
  const outcomes = await Promise.allSettled([rotateKey(deps, { id }), rotateKey(deps, { id })]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await listKeys(deps.db, SHOP)).toHaveLength(2);
});

test("another merchant's key cannot be listed, revoked or rotated", async () => {
  const deps = await testDeps();
  const { id, key } = await issueKey(deps, { merchant: SHOP, scopes: READ });
  expect(await listKeys(deps.db, OTHER_SHOP)).toEqual([]);
  await expect(revokeKey(deps, { id, merchant: OTHER_SHOP })).rejects.toMatchObject({ code: 'not_found' });
  await expect(rotateKey(deps, { id, merchant: OTHER_SHOP })).rejects.toMatchObject({ code: 'not_found' });
  await expect(findKey(deps, key)).resolves.toMatchObject({ merchant: SHOP });
});

test('a revoked key still signs', async () => {
  const deps = await testDeps();
  const { id, key } = await issueKey(deps, { merchant: SHOP, scopes: READ });
  await revokeKey(deps, { id });
  expect(await signingKey(deps.db, deps.settings, id)).toBe(key);
  expect(await signingKey(deps.db, deps.settings, id)).toBe(key);
  await expect(signingKey(deps.db, deps.settings, 'key_none')).rejects.toMatchObject({ code: 'not_found' });
});

test('a key encrypted for one id cannot be decrypted under another id or with another encryption key', async () => {
  const deps = await testDeps();
  const one = await issueKey(deps, { merchant: SHOP, scopes: READ });
  const two = await issueKey(deps, { merchant: SHOP, scopes: READ });
  const em = deps.db.orm.em.fork();
  await em.execute('update api_keys set sealed = (select sealed from api_keys where id = ?) where id = ?', [
    one.id,
    two.id,
  ]);
  await expect(signingKey(deps.db, deps.settings, two.id)).rejects.toThrow();
  const other = { ...deps, settings: { ...deps.settings, keyEncryptionKey: 'another' } };
  await expect(signingKey(other.db, other.settings, one.id)).rejects.toThrow();
});
