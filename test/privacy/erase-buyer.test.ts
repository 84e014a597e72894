import http from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { verifyChains } from '../../src/base/records/audit/verify.ts';
import { stock } from '../contract/catalog.ts';
import { ask, codeOf } from '../graphql/ask.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { newMember } from '../support/members.ts';
import { until } from '../support/program.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { commands } from '../system/cli/run.ts';
import { COLUMNS, ERASED } from './columns.ts';

/** Nothing else in the database contains it. */
const CANARY = 'Zq7canary';
const EMAIL = `${CANARY}@Buyer.example`;
const ERASE = `mutation ($buyer: BuyerInput!) { eraseBuyer(buyer: $buyer) { receipts events deliveries auditEntries } }`;

let server: TestServer;
let merchant: TestMerchant;
let session: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer({ worker: true });
  merchant = await server.merchant();
  session = await server.signIn(merchant.account);
});
afterAll(() => server.stop());

const rows = <Row>(text: string, parameters: unknown[] = []) =>
  server.deps.db.orm.em.fork().execute<Row[]>(text, parameters);

/** An endpoint that answers with what it was sent. */
async function openEcho(): Promise<string> {
  const echo = http.createServer((request, response) => void request.pipe(response));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    echo.closeAllConnections();
    echo.close();
  });
  return `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
}

/** The columns, as `table.column`, in which the canary is found. */
async function columnsWithCanary(): Promise<string[]> {
  const columns = COLUMNS.flatMap((list) =>
    Object.entries(list).flatMap(([table, names]) => names.split(' ').map((name) => [table, name] as const)),
  );
  const parts = columns.map(
    ([table, name]) =>
      `select '${table}.${name}' as place where exists (select from ${table} t where t.${name}::text ilike '%${CANARY}%')`,
  );
  return (await rows<{ place: string }>(parts.join(' union all '))).map(({ place }) => place).toSorted();
}

const erasedColumns = Object.entries(ERASED)
  .flatMap(([table, names]) => names.split(' ').map((name) => `${table}.${name}`))
  .toSorted();

test('every column with texts is listed once, by whether it names a buyer', async () => {
  const listed = COLUMNS.flatMap((list) =>
    Object.entries(list).flatMap(([table, names]) => names.split(' ').map((name) => `${table}.${name}`)),
  );
  const found = await rows<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns
      where table_schema = 'public' and udt_name in ('text', '_text', 'varchar', 'json', 'jsonb', 'bytea')
        and table_name not like 'mikro_orm_%'`,
  );
  expect(listed.toSorted()).toEqual(found.map(({ place }) => place).toSorted());
});

test('after an erasure nothing in the database names the buyer, and amounts, lines and other buyers stay', async () => {
  await stock(server, merchant, [{ sku: 'TEA', priceUsd: 10 }]);
  const echo = await openEcho();
  const endpoint = await server.call('POST', '/api/webhooks/endpoints', {
    headers: session,
    body: { url: `${echo}/events`, kinds: ['*'] },
  });
  expect(endpoint.status).toBe(201);
  const order = {
    items: [{ sku: 'TEA', qty: 1 }],
    ...{ firstName: CANARY, lastName: CANARY, phone: `+1 ${CANARY}`, email: EMAIL, line1: `1 ${CANARY} Street` },
    ...{ line2: CANARY, city: CANARY, state: CANARY, zip: CANARY },
    metadata: { note: `For ${CANARY}`, to: [{ name: CANARY }] },
    redirectUrl: `https://shop.example/?to=${CANARY}`,
    returnUrl: `https://shop.example/?for=${CANARY}`,
    onSuccess: `thank("${CANARY}")`,
    webhookUrl: `${echo}/hook`,
  };
  const book = async (body: object, key: string) => {
    const headers = { ...merchant.auth, 'idempotency-key': key };
    const answer = await server.call('POST', '/api/orders', { headers, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.receipt;
  };
  const { receiptId } = await book(order, 'one');
  const other = await book({ ...order, ...everythingOf('Other'), email: 'other@buyer.example' }, 'two');
  const report = { receiptId, wallet: merchant.wallet, status: 'checkout_initialized' };
  await server.call('POST', '/api/receipts/status', { headers: merchant.auth, body: report });
  await server.call('GET', `/api/exports/receipts?q=${EMAIL}`, { headers: session });
  await rows(
    `insert into onramp_sessions (merchant, id, receipt_id, provider, provider_session_id, status, chain_id, token,
       pay_to, amount, source_amount_cents, url, redirect_url, event_ids, created_at, updated_at, expires_at)
     select merchant, 'one', id, 'stripe', 'one', 'abandoned', 1, 'USDC', merchant, 1, 1, '', redirect_url, '[]', 0, 0, 0
       from receipts where id = ?`,
    [receiptId],
  );
  await rows(
    `insert into refunds (merchant, receipt_id, id, state, usd_cents, proven_cents, buyer, items, note,
       transaction_hashes, actor, created_at)
     select merchant, id, 'ref_1', 'requested', 5, 0, merchant, '[]', ?, '{}', 'a', 1 from receipts where id = ?`,
    [`For ${CANARY}`, receiptId],
  );
  await rows(
    `insert into mail_messages (merchant, id, kind, subject_id, state, answer, queued_at, finished_at)
     select merchant, 'one', 'receipt', id, 'failed', ?, 1, 1 from receipts where id = ?`,
    [`550 <${EMAIL}> is unknown`, receiptId],
  );
  await rows(
    `insert into subscriptions (merchant, id, plan_id, customer, price_cents, period, chain_id, token, permission,
       permission_hash, sealed_signature, status, email, created_at, updated_at)
     select merchant, 'sub_1', 'p', merchant, 5, 'WEEKLY', 1, merchant, '{}', 'h', '', 'cancelled', ?, 1, 1
       from receipts where id = ?`,
    [EMAIL, receiptId],
  );
  await rows('update receipts set link_visitor = ? where id = ?', [CANARY, receiptId]);
  // Each of the columns is filled, so that their emptiness later shows that they were erased.
  await expect.poll(columnsWithCanary).toEqual(erasedColumns);
  await until(async () => (await rows(`select from webhook_deliveries where state = 'pending'`)).length === 0);

  const erased = await ask(server, session, ERASE, { buyer: { email: EMAIL.toUpperCase() } });
  expect(erased.body.errors).toBeUndefined();
  expect(erased.body.data.eraseBuyer).toMatchObject({ receipts: 1, auditEntries: 1 });
  expect(erased.body.data.eraseBuyer.events).toBeGreaterThan(0);
  expect(erased.body.data.eraseBuyer.deliveries).toBeGreaterThan(1);
  await until(async () => !(await dumpDatabase(server.deps.settings.databaseUrl)).includes(CANARY));
  await until(async () => !(await dumpDatabase(server.deps.settings.databaseUrl)).includes(CANARY.toLowerCase()));

  const { body } = await server.call('GET', `/api/receipts/${receiptId}`, { headers: merchant.auth });
  expect(body).toMatchObject({ receiptId, totalUsd: other.totalUsd, lineItems: [{ label: 'TEA' }, {}, {}] });
  const again = await book(order, 'one');
  expect(again).toMatchObject({ receiptId, totalUsd: other.totalUsd });
  const kept = await server.call('GET', `/api/receipts/${other.receiptId}`, { headers: merchant.auth });
  expect(kept.body).toMatchObject({ metadata: { note: 'For Other' } });
  const notes = await rows(`select receipt_id, actor from receipt_history where name = 'buyer_erased'`);
  expect(notes).toEqual([{ receipt_id: receiptId, actor: `wallet:${merchant.wallet}` }]);
  const [entry] = await rows(`select object_type, object_id, after from audit_entries where action = 'buyer.erased'`);
  expect(entry).toEqual({ object_type: 'buyer', object_id: 'email', after: erased.body.data.eraseBuyer });
  const chains = await verifyChains(server.deps.db, merchant.wallet);
  expect(chains.map(({ broken }) => broken)).toEqual([null]);

  const repeated = await ask(server, session, ERASE, { buyer: { email: EMAIL } });
  expect(repeated.body.data.eraseBuyer).toEqual({ receipts: 0, events: 0, deliveries: 0, auditEntries: 0 });
});

/** Another buyer, with a text in place of the canary. */
const everythingOf = (text: string) => ({
  ...{ firstName: text, lastName: text, phone: text, line1: text, line2: text, city: text, state: text, zip: text },
  metadata: { note: `For ${text}` },
  ...{ redirectUrl: 'https://shop.example/', returnUrl: 'https://shop.example/', onSuccess: 'thank()' },
});

test('an event that is made while its buyer is erased does not name the buyer', async () => {
  const shop = await server.merchant();
  const owner = await server.signIn(shop.account);
  const url = await openEcho();
  await server.call('POST', '/api/webhooks/endpoints', { headers: owner, body: { url, kinds: ['*'] } });
  const metadata = { note: `For ${CANARY}` };
  const receipt = { id: 'R-1', email: EMAIL, metadata, lineItems: [{ label: 'Tea', priceUsd: 3 }] };
  expect((await server.call('POST', '/api/receipts', { headers: shop.auth, body: receipt })).status).toBe(201);
  const bodies = () => rows<{ body: string }>('select body from merchant_events where merchant = ?', [shop.wallet]);
  await until(async () => (await bodies()).length > 0);

  const { databaseUrl: connectionString } = server.deps.settings;
  const [maker, watcher] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  onTestFinished(async () => {
    await Promise.all([maker.end(), watcher.end()]);
  });
  await Promise.all([maker.connect(), watcher.connect()]);
  await maker.query('begin');
  await maker.query('select from event_positions where merchant = $1 for update', [shop.wallet]);
  await maker.query(
    `insert into merchant_events (merchant, id, kind, source, body, created_at, txid)
     select merchant, 'late', kind, 'late', body, created_at, pg_current_xact_id()
       from merchant_events where merchant = $1 limit 1`,
    [shop.wallet],
  );
  const erasing = ask(server, owner, ERASE, { buyer: { email: EMAIL } });
  await until(async () => {
    const waiting = await watcher.query(
      `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%event_positions%'`,
    );
    return waiting.rows.length > 0;
  });
  await maker.query('commit');
  expect((await erasing).body.data.eraseBuyer).toMatchObject({ receipts: 1 });
  const made = await bodies();
  expect(made.length).toBeGreaterThan(1);
  expect(JSON.stringify(made)).not.toContain(CANARY);
});

test('the command erases the receipts that a wallet paid, of one merchant only', async () => {
  const another = await server.merchant();
  const buyer = `0x${'cd'.repeat(20)}`;
  for (const { wallet } of [merchant, another])
    await rows(
      `insert into receipts (merchant, id, origin, status, announced_status, total_cents, currency, line_items,
                             brand_name, buyer_wallet, billing_address, metadata, created_at, updated_at)
       values (?, ?, 'receipt', 'completed', 'completed', 100, 'USD', '[]', 'Shop', ?, '{"email":"x@buyer.example"}',
               '{"a":1}', 0, 0)`,
      [wallet, `R-of-${wallet}`, buyer],
    );
  const { databaseUrl, dataDir, keyEncryptionKey, jwtSecret, rpcUrl } = server.deps.settings;
  const cli = commands({
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, RPC_URL: rpcUrl },
    ...{ KEY_ENCRYPTION_KEY: keyEncryptionKey, JWT_SECRET: jwtSecret },
  });
  const erase = ['buyer', 'erase', '--merchant', merchant.wallet];
  expect(await cli.json(...erase, '--wallet', buyer)).toMatchObject({ receipts: 1 });
  const left = await rows(`select merchant from receipts where billing_address is not null and buyer_wallet = ?`, [
    buyer,
  ]);
  expect(left).toEqual([{ merchant: another.wallet }]);
  expect(await cli.refused(...erase)).toContain('provide one of email and wallet');
});

test('only a member who may do everything erases, with a session that it has confirmed', async () => {
  const { wallet } = merchant;
  const buyer = { email: 'unknown@buyer.example' };
  for (const role of ['manager', 'bookkeeper', 'developer', 'cashier'] as const) {
    const { session: headers } = await newMember(server, wallet, role);
    expect(codeOf(await ask(server, headers, ERASE, { buyer }))).toBe('forbidden');
  }
  expect(codeOf(await ask(server, merchant.auth, ERASE, { buyer }))).not.toBeNull();
  expect(codeOf(await ask(server, {}, ERASE, { buyer }))).not.toBeNull();
  expect(codeOf(await ask(server, session, ERASE, { buyer: { email: 'unknown' } }))).toBe('invalid_input');
  expect(await ask(server, session, ERASE, { buyer: { ...buyer, wallet } })).toMatchObject({
    body: { errors: [expect.anything()] },
  });
  const owner = await newMember(server, wallet, 'owner');
  expect(codeOf(await ask(server, owner.session, ERASE, { buyer }))).toBeNull();
});
