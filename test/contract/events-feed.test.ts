import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Scope } from '../../src/base/core/scopes.ts';
import { renewEpoch } from '../../src/base/platform/stream-epoch.ts';
import { issueKey } from '../../src/domain/access/keys/issue.ts';
import { sweepEvents } from '../../src/domain/reports/events/sweep-events.ts';
import { startEventWorker } from '../../src/domain/reports/events/worker.ts';
import { startWebhookWorker } from '../../src/domain/webhooks/delivery/worker.ts';
import { raiseEvents } from '../../src/domain/webhooks/events/events.ts';
import { openDeps } from '../../src/domain/webhooks/test/deps.ts';
import { ask } from '../graphql/ask.ts';
import { openEventReceiver } from '../support/event-receiver.ts';
import { makeReceipt } from '../support/receipt.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { refusal } from './catalog.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly receiptId: string };
}
interface Page {
  readonly events: readonly Event[];
  readonly nextCursor: string;
}

const feed = ({ auth }: TestMerchant, query = '') => server.call('GET', `/api/events${query}`, { headers: auth });
const pageOf = async (merchant: TestMerchant, query = ''): Promise<Page> => {
  const { status, body } = await feed(merchant, query);
  expect(status).toBe(200);
  return body;
};
const receiptsIn = ({ events }: Page): string[] => events.map(({ data }) => data.receiptId);

/** Every event after a cursor, read in pages. */
async function readAll(merchant: TestMerchant, limit: number, from = ''): Promise<Event[]> {
  const events: Event[] = [];
  for (let after = from; ; ) {
    const page = await pageOf(merchant, `?limit=${limit}${after && `&after=${after}`}`);
    if (page.events.length === 0) return events;
    events.push(...page.events);
    after = page.nextCursor;
  }
}

test('the feed has every event once and in order, from before it was first read, whatever the size of the pages', async () => {
  const merchant = await server.merchant();
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) ids.push(await makeReceipt(server, merchant));
  // Open transactions of other tests on the same PostgreSQL may hold events back for a moment.
  await expect.poll(async () => (await pageOf(merchant)).events.length).toBe(7);
  const whole = await readAll(merchant, 200);
  expect(whole.map(({ type, data }) => [type, data.receiptId])).toEqual(ids.map((id) => ['receipt.created', id]));
  expect(await readAll(merchant, 2)).toEqual(whole);
  expect(new Set(whole.map(({ id }) => id)).size).toBe(7);

  const { nextCursor } = await pageOf(merchant);
  expect(await pageOf(merchant, '?after=')).toEqual({ events: whole, nextCursor });
  expect(await pageOf(merchant, `?after=${nextCursor}`)).toEqual({ events: [], nextCursor });
  const later = await makeReceipt(server, merchant);
  await expect.poll(async () => receiptsIn(await pageOf(merchant, `?after=${nextCursor}`))).toEqual([later]);
});

test('an event of a transaction that commits late is not skipped', async () => {
  const merchant = await server.merchant();
  const first = await makeReceipt(server, merchant);
  await expect.poll(async () => receiptsIn(await pageOf(merchant))).toEqual([first]);
  let cursor = '';
  const raised = { merchant: merchant.wallet, kind: 'stock.short', at: Date.now(), source: 'late' } as const;
  await server.deps.db.transaction(async (uow) => {
    await raiseEvents(uow, [{ ...raised, data: { receiptId: 'late' } }]);
    await makeReceipt(server, merchant, 'after-late');
    const page = await pageOf(merchant);
    expect(receiptsIn(page)).toEqual([first]);
    cursor = page.nextCursor;
  });
  await expect.poll(async () => receiptsIn(await pageOf(merchant, `?after=${cursor}`))).toEqual(['late', 'after-late']);
});

test('a key needs receipts:read, an admin’s session reads, and another merchant’s events are not in the feed', async () => {
  const [merchant, other] = [await server.merchant(), await server.merchant({ name: 'Other' })];
  const id = await makeReceipt(server, merchant);
  await expect.poll(async () => receiptsIn(await pageOf(merchant))).toEqual([id]);
  expect((await pageOf(other)).events).toEqual([]);
  const { nextCursor } = await pageOf(merchant, '?limit=1');
  expect((await pageOf(other, `?after=${nextCursor}`)).events).toEqual([]);
  const { key } = await issueKey(server.deps, { merchant: merchant.wallet, scopes: ['orders:create'] as Scope[] });
  const refused = await server.call('GET', '/api/events', { headers: { 'x-api-key': key } });
  const missing = { reason: 'scope_missing', scope: 'receipts:read' };
  expect([refused.status, refused.body]).toEqual([403, refusal('forbidden', missing)]);
  expect((await server.call('GET', '/api/events')).status).toBe(401);
  const session = await server.signIn(merchant.account);
  expect(receiptsIn((await server.call('GET', '/api/events', { headers: session })).body)).toEqual([id]);
  const { body } = await ask(server, merchant.auth, '{ events { events { type body } nextCursor hasMore } }');
  expect(body.data.events).toMatchObject({ hasMore: false, events: [{ type: 'receipt_created' }] });
});

test.each([
  ['limit=0', 'invalid_input', 'limit'],
  ['limit=201', 'invalid_input', 'limit'],
  ['limit=1.5', 'invalid_input', 'limit'],
  ['limit=all', 'invalid_input', 'limit'],
  ['after=nonsense', 'bad_cursor', 'after'],
  ["after=1.1'--", 'bad_cursor', 'after'],
])('%s is refused with %s, naming %s', async (query, error, field) => {
  const merchant = await server.merchant();
  const { status, body } = await feed(merchant, `?${query}`);
  expect([status, body]).toEqual([400, expect.objectContaining({ error, field })]);
});

test('events are kept for 30 days, and a cursor before the oldest is refused with where to resume', async () => {
  const merchant = await server.merchant();
  const old = Date.now() - 31 * 86_400_000;
  const raise = (source: string, at: number) =>
    server.deps.db.transaction((uow) =>
      raiseEvents(uow, [{ merchant: merchant.wallet, kind: 'stock.short', at, source, data: { receiptId: source } }]),
    );
  await raise('old-1', old);
  await raise('old-2', old);
  await raise('new', Date.now());
  await expect.poll(async () => (await pageOf(merchant)).events.length).toBe(3);
  const { nextCursor } = await pageOf(merchant, '?limit=1');
  expect(await sweepEvents(server.deps.db, Date.now() - 30 * 86_400_000)).toBe(2);
  expect(receiptsIn(await pageOf(merchant))).toEqual(['new']);
  const { status, body } = await feed(merchant, `?after=${nextCursor}`);
  expect([status, body.error, body.field]).toEqual([410, 'cursor_expired', 'after']);
  expect(receiptsIn(await pageOf(merchant, `?after=${body.resumeAfter}`))).toEqual(['new']);
});

test('webhooks carry the bytes of the feed, and a killed worker neither loses nor doubles an event', async () => {
  const merchant = await server.merchant();
  const session = await server.signIn(merchant.account);
  const receiver = await openEventReceiver();
  const input = { url: receiver.url, kinds: ['*'] };
  expect((await server.call('POST', '/api/webhooks/endpoints', { headers: session, body: input })).status).toBe(201);

  const start = () => {
    const file = join(import.meta.dirname, '../../src/domain/reports/events/test/worker-process.ts');
    const env = { ...process.env, KEY: server.deps.settings.keyEncryptionKey };
    const args = ['--disable-warning=ExperimentalWarning', file, server.deps.settings.databaseUrl];
    return spawn(process.execPath, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  };
  const child = start();
  onTestFinished(() => void child.kill('SIGKILL'));
  const making = (async () => {
    const ids: string[] = [];
    for (let i = 0; i < 40; i++) ids.push(await makeReceipt(server, merchant));
    return ids;
  })();
  await receiver.of('receipt.created', 3);
  child.kill('SIGKILL');

  const ids = await making;
  const { databaseUrl, keyEncryptionKey } = server.deps.settings;
  const fresh = await openDeps(databaseUrl, { keyEncryptionKey });
  const workers = [startEventWorker(fresh), startEventWorker(fresh), startWebhookWorker(fresh)];
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await fresh.close();
  });
  await expect.poll(() => new Set(receiver.received.map(({ event }) => event.data.receiptId)).size).toBe(40);
  await expect.poll(async () => receiptsIn(await pageOf(merchant, '?limit=200'))).toEqual(ids);
  const events = await readAll(merchant, 200);
  for (const event of events) {
    const arrived = receiver.received.filter(({ headers }) => headers['webhook-id'] === event.id);
    expect(new Set(arrived.map(({ body }) => body))).toEqual(new Set([JSON.stringify(event)]));
  }
});

test('after a new epoch the feed repeats no event, refuses older cursors and goes on', async () => {
  const merchant = await server.merchant();
  await makeReceipt(server, merchant);
  await expect.poll(async () => (await pageOf(merchant)).events.length).toBe(1);
  const before = await pageOf(merchant);
  await renewEpoch(server.deps.db);
  expect((await feed(merchant, `?after=${before.nextCursor}`)).body.error).toBe('cursor_expired');
  const later = await makeReceipt(server, merchant);
  await expect.poll(async () => receiptsIn(await pageOf(merchant)).slice(1)).toEqual([later]);
  expect((await pageOf(merchant)).events.slice(0, 1)).toEqual(before.events);
});
