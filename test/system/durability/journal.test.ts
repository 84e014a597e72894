import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { parseWallet } from '../../../src/base/core/wallet.ts';
import { OPERATION, retryQuarantined } from '../../../src/domain/sales/orders/journal-order.ts';
import { registerMerchant } from '../../../src/domain/shop/merchants/register.ts';
import { writeShop } from '../../../src/domain/shop/merchants/test/requests.ts';
import { testDatabase } from '../../support/database.ts';
import { openRelay, type Relay } from '../../support/relay.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../../support/server.ts';
import { figureOf, scrape } from '../operations/scrape.ts';

const DAY_MS = 86_400_000;
const GENEROUS = { timeout: 60_000 };

interface Scene {
  readonly server: TestServer;
  readonly merchant: TestMerchant;
  readonly relay: Relay;
  /** Past the relay. */
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** What the log alerts of about the journal. On a slow machine it also says that the database is unreachable. */
  readonly alerts: Record<string, unknown>[];
}

async function setScene({ worker = false, env = {} } = {}): Promise<Scene> {
  const databaseUrl = await testDatabase();
  const relay = await openRelay(databaseUrl);
  const server = await startTestServer({ databaseUrl: relay.url, worker, env });
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  await server.call('POST', '/api/inventory', { headers: merchant.auth, body: { sku: 'A', name: 'A', priceUsd: 10 } });
  return { server, merchant, relay, databaseUrl, dataDir: server.deps.settings.dataDir, alerts: alertsOf(server) };
}

function alertsOf({ deps }: TestServer): Record<string, unknown>[] {
  const alerts: Record<string, unknown>[] = [];
  const error = (fields: Record<string, unknown>) => {
    if (String(fields.alert).startsWith('journal_')) alerts.push(fields);
  };
  Object.assign(deps.log, { error });
  return alerts;
}

/** A connection past the relay. */
async function directly({ databaseUrl }: Scene): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const order = ({ server, merchant }: Scene, key: string | null, body: object = {}) =>
  server.call('POST', '/api/orders', {
    headers: { ...merchant.auth, ...(key ? { 'idempotency-key': key } : {}) },
    body: { items: [{ sku: 'A', qty: 1 }], ...body },
  });

async function receiptsOf({ server, merchant }: Scene): Promise<{ receiptId: string; totalUsd: number }[]> {
  const { body } = await server.call('GET', '/api/receipts?limit=200', { headers: merchant.auth });
  return body.degraded ? [] : body.receipts;
}

const untilBooked = (scene: Scene, count: number) =>
  expect.poll(async () => (await receiptsOf(scene)).length, GENEROUS).toBe(count);

/** The entry of a folder with one. A replay that is attempted meanwhile closes its file. */
function entryIn(folder: string) {
  const [name] = readdirSync(folder).filter((file) => /\.(open|closed)$/.test(file)) as [string];
  return JSON.parse(readFileSync(join(folder, name), 'utf8').trim());
}

/** Another server of the same installation, some time later. It has the catalog in its cache, and no answer. */
async function anotherServer(before: Scene, laterMs = 0): Promise<Scene> {
  const server = await startTestServer({
    databaseUrl: before.relay.url,
    clock: () => Date.now() + laterMs,
    env: { KEY_ENCRYPTION_KEY: before.server.deps.settings.keyEncryptionKey },
  });
  onTestFinished(() => server.stop());
  const scene = { ...before, server, alerts: alertsOf(server) };
  await order(scene, null);
  return scene;
}

test('a degraded order never has the id of the receipt that its Idempotency-Key gave a day before', async () => {
  const before = await setScene();
  const old = (await order(before, 'monthly')).body.receipt;
  const scene = await anotherServer(before, DAY_MS + 60_000);
  await scene.relay.cut();
  const fresh = await order(scene, 'monthly');
  expect(fresh).toMatchObject({ status: 200, body: { degraded: true } });
  const { receiptId } = fresh.body.receipt;
  expect(receiptId).not.toBe(old.receiptId);
  expect((await order(scene, 'monthly')).body.receipt.receiptId).toBe(receiptId);
  await scene.relay.mend();
  await untilBooked(scene, 3);
  expect((await receiptsOf(scene)).map((each) => each.receiptId)).toContain(receiptId);
  expect((await order(scene, 'monthly')).body.receipt.receiptId).toBe(receiptId);
  expect(scene.alerts).toEqual([]);
});

test('a server that remembers no answer gives a degraded order its id again, and another body under the key its own', async () => {
  const before = await setScene();
  const known = (await order(before, 'same')).body.receipt;
  const changed = (await order(before, 'other')).body.receipt;
  const scene = await anotherServer(before);
  await scene.relay.cut();
  const same = (await order(scene, 'same')).body;
  expect(same).toMatchObject({ degraded: true, receipt: { receiptId: known.receiptId } });
  const other = (await order(scene, 'other', { items: [{ sku: 'A', qty: 3 }] })).body;
  expect(other).toMatchObject({ degraded: true, receipt: { totalUsd: 30.15 } });
  expect(other.receipt.receiptId).not.toBe(changed.receiptId);
  await scene.relay.mend();
  await untilBooked(scene, 4);
  const booked = new Map((await receiptsOf(scene)).map((each) => [each.receiptId, each.totalUsd]));
  expect(booked.get(other.receipt.receiptId)).toBe(30.15);
  expect(booked.get(changed.receiptId)).toBe(changed.totalUsd);
  expect(scene.alerts).toEqual([]);
});

test('an entry of an earlier version whose id an older receipt has is kept aside, and takes no place of another order', async () => {
  const scene = await setScene();
  const { receiptId } = (await order(scene, 'monthly')).body.receipt;
  await scene.relay.cut();
  const other = (await order(scene, null)).body.receipt;
  const folder = join(scene.dataDir, 'journal/orders');
  const entry = entryIn(folder);
  entry.receipt.id = receiptId;
  entry.receipt.at += DAY_MS + 60_000;
  writeFileSync(join(folder, '0-other-000000.closed'), `${JSON.stringify(entry)}\n`);
  await scene.relay.mend();
  await untilBooked(scene, 2);
  const ids = (await receiptsOf(scene)).map((each) => each.receiptId);
  expect(ids.sort()).toEqual([receiptId, other.receiptId].sort());
  await expect
    .poll(() => scene.alerts, GENEROUS)
    .toContainEqual(expect.objectContaining({ alert: 'journal_entry_quarantined', receiptId, reason: 'id_taken' }));
});

test('an order that another server acknowledged again under the same key within a day is booked once, with both addresses', async () => {
  const scene = await setScene();
  const { server, merchant } = scene;
  const first = (await order(scene, 'again')).body.receipt;
  const [answer] = await server.deps.db.orm.em
    .fork()
    .getConnection()
    .execute('select body_digest as digest from idempotent_answers where operation = ?', [OPERATION]);
  // What a server writes that never heard of the first: the same id, a later moment.
  await scene.relay.cut();
  const other = await order(scene, null);
  const folder = join(scene.dataDir, 'journal/orders');
  const entry = entryIn(folder);
  entry.receipt.id = first.receiptId;
  entry.receipt.at += 60_000;
  entry.receipt.address.address = `0x${'ab'.repeat(20)}`;
  entry.answered = { digest: answer!.digest, key: 'again', row: {} };
  writeFileSync(join(folder, '0-other-000000.closed'), `${JSON.stringify(entry)}\n`);
  await scene.relay.mend();
  await untilBooked(scene, 2);
  await expect.poll(() => readdirSync(folder).filter((file) => !file.endsWith('.lock')), GENEROUS).toEqual([]);
  const ids = (await receiptsOf(scene)).map(({ receiptId }) => receiptId);
  expect(ids.sort()).toEqual([first.receiptId, other.body.receipt.receiptId].sort());
  const addresses = 'select address from receipt_addresses where receipt_id = ? order by created_at desc';
  const rows = await server.deps.db.orm.em.fork().execute<{ address: string }[]>(addresses, [first.receiptId]);
  expect(rows.map(({ address }) => address)).toEqual([entry.receipt.address.address, expect.any(String)]);
  expect(scene.alerts).toEqual([]);
  expect(merchant.wallet).toBe(entry.receipt.merchant);
});

test('an order of a merchant that the database does not have is kept aside and reported, and the orders behind it are booked', async () => {
  const scene = await setScene();
  await order(scene, null);
  await scene.relay.cut();
  await order(scene, 'one');
  const folder = join(scene.dataDir, 'journal/orders');
  const entry = entryIn(folder);
  const stranger = `0x${'9'.repeat(40)}`;
  const lost = { receipt: { ...entry.receipt, id: 'R-lost', merchant: stranger } };
  const broken = { receipt: { ...entry.receipt, id: 'R-broken', totalCents: 'many' } };
  writeFileSync(
    join(folder, '0-other-000000.closed'),
    `${JSON.stringify(lost)}\nnonsense\n${JSON.stringify(broken)}\n`,
  );
  await order(scene, 'two');
  await scene.relay.mend();
  await untilBooked(scene, 3);
  await expect
    .poll(() => readdirSync(folder).filter((file) => !file.endsWith('.lock')), GENEROUS)
    .toEqual(['quarantine.jsonl']);
  const kept = readFileSync(join(folder, 'quarantine.jsonl'), 'utf8').trim().split('\n');
  expect(kept.map((line) => JSON.parse(line))).toEqual([
    { at: expect.any(Number), reason: 'merchant_missing', entry: lost },
    { at: expect.any(Number), reason: 'unreadable', entry: 'nonsense' },
    { at: expect.any(Number), reason: expect.stringContaining('bigint'), entry: broken },
  ]);
  // The lines that are no entries are reported once the file is gone.
  const alerts = () =>
    scene.alerts.map(({ alert, receiptId, reason }) => [alert, receiptId, String(reason).slice(0, 16)]);
  await expect.poll(alerts, GENEROUS).toEqual([
    ['journal_entry_quarantined', 'R-lost', 'merchant_missing'],
    ['journal_entry_quarantined', 'R-broken', expect.any(String)],
    ['journal_entry_quarantined', undefined, 'unreadable'],
  ]);
});

test('a server that was started a moment ago and has taken no order takes orders of every item when the database goes', async () => {
  const before = await setScene();
  const { merchant } = before;
  const item = { sku: 'B', name: 'B', priceUsd: 7 };
  await before.server.call('POST', '/api/inventory', { headers: merchant.auth, body: item });
  const server = await startTestServer({ databaseUrl: before.relay.url });
  onTestFinished(() => server.stop());
  const cold = { ...before, server };
  await before.relay.cut();
  expect(await order(cold, 'cold', { items: [{ sku: 'B', qty: 2 }] })).toMatchObject({
    status: 200,
    body: {
      degraded: true,
      receipt: { lineItems: expect.arrayContaining([expect.objectContaining({ sku: 'B', priceUsd: 14 })]) },
    },
  });
  const strange = { ...merchant.auth, 'Ocp-Apim-Subscription-Key': `qk_${'A'.repeat(43)}` };
  const unknown = await order({ ...cold, merchant: { ...merchant, auth: strange } }, null);
  expect(unknown).toMatchObject({ status: 503, body: { error: 'datastore_unavailable' } });
  await before.relay.mend();
  await untilBooked(cold, 1);
});

test('a revoked key is not kept for an outage', async () => {
  const scene = await setScene();
  const { server, merchant } = scene;
  const other = await server.merchant();
  await server.deps.db.orm.em
    .fork()
    .getConnection()
    .execute('update api_keys set revoked_at = 1 where id = ?', [other.keyId]);
  const fresh = await startTestServer({ databaseUrl: scene.relay.url });
  onTestFinished(() => fresh.stop());
  await scene.relay.cut();
  expect(await order({ ...scene, server: fresh }, null)).toMatchObject({ body: { degraded: true } });
  expect((await order({ ...scene, server: fresh, merchant: other }, null)).status).toBe(503);
  expect(merchant.keyId).not.toBe(other.keyId);
});

test('an order whose first attempt commits while it is replayed is in no quarantine, and holds its stock once', async () => {
  const scene = await setScene();
  const { server, merchant } = scene;
  const item = { sku: 'LIMITED', name: 'Limited', priceUsd: 10, stockQty: 10 };
  await server.call('POST', '/api/inventory', { headers: merchant.auth, body: item });
  await writeShop(server.deps, merchant.wallet, { holdStock: true });
  const items = [{ sku: 'LIMITED', qty: 2 }];
  await order(scene, null, { items });
  await scene.relay.cut();
  const { receiptId } = (await order(scene, 'again', { items })).body.receipt;
  const { receipt } = entryIn(join(scene.dataDir, 'journal/orders'));
  expect(receipt).toMatchObject({ id: receiptId, stockHeld: true });
  // The first attempt, whose answer was lost: it holds the stock and the receipt, and has not committed yet.
  const [direct, watching] = [await directly(scene), await directly(scene)];
  await direct.query('begin');
  await direct.query(
    `insert into receipts select (jsonb_populate_record(r, jsonb_build_object('id', $1::text, 'created_at', $2::bigint))).*
       from receipts r where r.merchant = $3`,
    [receiptId, receipt.at, merchant.wallet],
  );
  await scene.relay.mend();
  const waits = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike '%insert into "receipts"%'`;
  await expect.poll(async () => (await watching.query(waits)).rowCount, GENEROUS).toBe(1);
  await direct.query('commit');
  await expect.poll(() => server.deps.journal.pending(), GENEROUS).toBe(false);
  expect(server.deps.journal.quarantined()).toEqual([]);
  expect(scene.alerts).toEqual([]);
  const { rows } = await direct.query("select held from inventory_items where sku = 'LIMITED'");
  expect(rows).toEqual([{ held: 2 }]);
});

test('a quarantined order is in the health and the figures of the server until a retry books it', async () => {
  const scene = await setScene({ env: { METRICS_PORT: '0' } });
  const { server } = scene;
  await order(scene, null);
  await scene.relay.cut();
  await order(scene, null);
  const folder = join(scene.dataDir, 'journal/orders');
  const wallet = parseWallet(`0x${'9'.repeat(40)}`)!;
  const lost = { receipt: { ...entryIn(folder).receipt, id: 'R-lost', merchant: wallet } };
  writeFileSync(join(folder, '0-other-000000.closed'), `${JSON.stringify(lost)}\n`);
  await scene.relay.mend();
  const warnings = async () => (await server.call('GET', '/healthz')).body.warnings ?? [];
  const warning = '1 acknowledged order could not be inserted into the database';
  await expect.poll(warnings, GENEROUS).toContain(warning);
  const figure = async () => figureOf(await scrape(server.metricsUrl!), 'quittance_journal_quarantined_orders');
  expect(await figure()).toBe(1);
  expect(await retryQuarantined(server.deps)).toEqual({ booked: 0, setAside: ['merchant_missing'] });
  await registerMerchant(server.deps, { wallet, name: 'Late' });
  expect(await retryQuarantined(server.deps)).toEqual({ booked: 1, setAside: [] });
  await expect.poll(warnings, GENEROUS).not.toContain(warning);
  expect(await figure()).toBe(0);
  const { rows } = await (await directly(scene)).query("select merchant from receipts where id = 'R-lost'");
  expect(rows).toEqual([{ merchant: wallet }]);
});

test('a database that is there and takes nothing keeps the journal, and the log alerts until it does', async () => {
  const scene = await setScene();
  await order(scene, null);
  const sql = (text: string) => scene.server.deps.db.orm.em.fork().getConnection().execute(text);
  await sql('alter table receipts rename to receipts_away');
  await scene.relay.cut();
  expect((await order(scene, null)).body.degraded).toBe(true);
  await scene.relay.mend();
  await expect.poll(() => scene.alerts, GENEROUS).toContainEqual(expect.objectContaining({ alert: 'journal_stuck' }));
  await expect.poll(() => sql('alter table receipts_away rename to receipts').then(() => true), GENEROUS).toBe(true);
  await untilBooked(scene, 2);
});
