import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startServices } from '../../src/base/platform/embedded/services.ts';
import { renewEpoch } from '../../src/base/platform/stream-epoch.ts';
import { ask, follow, socketClient } from '../graphql/ask.ts';
import { testDatabase } from '../support/database.ts';
import { makeDataDir, runQuittance } from '../support/program.ts';
import { makeReceipt } from '../support/receipt.ts';
import { startTestServer, type TestMerchant, type TestServer } from '../support/server.ts';
import { append } from './events.ts';

const STREAM = 'subscription ($after: String) { receiptStatuses(after: $after) { receiptId seq cursor } }';

interface Event {
  readonly seq: number;
  readonly cursor: string;
}

/** The first events after a cursor. */
async function read(server: TestServer, { auth }: TestMerchant, after: string, count: number): Promise<Event[]> {
  const client = socketClient(server, auth);
  const stream = follow<{ receiptStatuses: Event }>(client, STREAM, { after });
  try {
    const events: Event[] = [];
    while (events.length < count) events.push((await stream.next()).receiptStatuses);
    return events;
  } finally {
    await client.dispose();
  }
}

interface Refused {
  readonly code: string;
  readonly field: string;
  readonly resumeAfter: string;
}

/** How a cursor is refused over a websocket. */
async function refusalOf(server: TestServer, merchant: TestMerchant, after: string): Promise<Refused> {
  const fault = await read(server, merchant, after, 1).catch((error) => error);
  return fault.errors[0].extensions;
}

/** The same over server-sent events. */
async function sseRefusal(server: TestServer, { auth }: TestMerchant, after: string): Promise<string> {
  const response = await fetch(`${server.url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...auth },
    body: JSON.stringify({ query: STREAM, variables: { after } }),
  });
  return response.text();
}

const withoutEpoch = (cursor: string): string => cursor.split('.').slice(1).join('.');

async function connected(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/**
 * Copies the rows of all tables to a database that has the same tables, as a restored dump does: transaction numbers
 * stay as they are.
 */
async function copyRows(fromUrl: string, toUrl: string): Promise<void> {
  const [from, to] = [await connected(fromUrl), await connected(toUrl)];
  const { rows: tables } = await from.query(
    `select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  await to.query('begin');
  await to.query('set local session_replication_role = replica');
  for (const { name } of tables) {
    await to.query(`delete from ${name}`);
    const { rows } = await from.query(`select coalesce(json_agg(t), '[]')::text as all from ${name} t`);
    await to.query(
      `insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, $1)`,
      [rows[0].all],
    );
  }
  const identities = await to.query(
    `select table_name as name, column_name as col from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`,
  );
  for (const { name, col } of identities.rows)
    await to.query(
      `select setval(pg_get_serial_sequence('${name}', '${col}'), (select coalesce(max(${col}), 0) + 1 from ${name}), false)`,
    );
  await to.query('commit');
}

test('after a restore into another cluster no event is lost in silence: old cursors are refused, new events are heard', async () => {
  const fromUrl = await testDatabase();
  const before = await startTestServer({ databaseUrl: fromUrl });
  const merchant = await before.merchant();
  const id = await makeReceipt(before, merchant);
  const cursors = (await read(before, merchant, '0.0', 1)).map(({ cursor }) => cursor);
  await append(before.deps.db, before.deps.bus, merchant.wallet, id, 3);
  cursors.push((await read(before, merchant, cursors[0]!, 3)).at(-1)!.cursor);
  // The old cluster has seen more transactions than the new one will for long.
  await (await connected(fromUrl)).query(
    `update receipt_history set txid = (txid::text::bigint + 5000000)::text::xid8`,
  );
  await before.stop();

  const dataDir = makeDataDir();
  const services = await startServices({
    dataDir,
    chainId: 31_337,
    wantPostgres: true,
    wantChain: false,
    durability: 'fast',
    tailBlocks: 0,
    log: { info: () => {}, warn: console.warn },
  });
  onTestFinished(() => services.stop());
  const toUrl = services.databaseUrl as string;
  await (await startTestServer({ databaseUrl: toUrl })).stop();
  await copyRows(fromUrl, toUrl);

  const env = { KEY_ENCRYPTION_KEY: before.deps.settings.keyEncryptionKey };
  const after = await startTestServer({ databaseUrl: toUrl, env });
  for (const cursor of cursors) {
    const refused = await refusalOf(after, merchant, cursor);
    expect(refused).toMatchObject({ code: 'cursor_expired', field: 'after' });
    expect(await sseRefusal(after, merchant, cursor)).toContain('"code":"cursor_expired"');
    expect((await refusalOf(after, merchant, withoutEpoch(cursor))).code).toBe('cursor_expired');
    // It says where to begin again: there the next event is heard.
    const next = read(after, merchant, refused.resumeAfter, 1);
    const seq = await append(after.deps.db, after.deps.bus, merchant.wallet, id);
    expect((await next).map((event) => event.seq)).toEqual([seq]);
  }
  const all = await read(after, merchant, '0.0', 6);
  expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  const held = await (await connected(toUrl)).query(
    'select count(*)::int as count from receipt_history where txid >= pg_snapshot_xmax(pg_current_snapshot())',
  );
  expect(held.rows).toEqual([{ count: 0 }]);
  await after.stop();
}, 240_000);

test('a restart and a failover keep the epoch, and a renewal refuses every cursor made before it', async () => {
  const databaseUrl = await testDatabase();
  const first = await startTestServer({ databaseUrl });
  const merchant = await first.merchant();
  const id = await makeReceipt(first, merchant);
  const [made] = (await read(first, merchant, '0.0', 1)) as [Event];
  const env = { KEY_ENCRYPTION_KEY: first.deps.settings.keyEncryptionKey };
  await first.stop();

  // A replica that takes over has the same rows and the same system identifier: to the server it is a restart.
  const second = await startTestServer({ databaseUrl, env });
  const seq = await append(second.deps.db, second.deps.bus, merchant.wallet, id);
  for (const after of [made.cursor, withoutEpoch(made.cursor)])
    expect((await read(second, merchant, after, 1)).map((event) => event.seq)).toEqual([seq]);
  const { body } = await ask(second, merchant.auth, '{ receiptsCursor }');

  await renewEpoch(second.deps.db);
  for (const after of [made.cursor, withoutEpoch(made.cursor), body.data.receiptsCursor])
    expect((await refusalOf(second, merchant, after)).code).toBe('cursor_expired');
  const renewed = await ask(second, merchant.auth, '{ receiptsCursor }');
  const program = runQuittance(['epoch', 'renew', '--json'], {
    env: {
      ...env,
      DATABASE_URL: databaseUrl,
      DATA_DIR: makeDataDir(),
      CHAIN_ID: '31337',
      RPC_URL: second.deps.settings.rpcUrl,
    },
  });
  expect(await program.exit).toMatchObject({ code: 0 });
  const { epoch } = JSON.parse(program.stdout());
  expect((await refusalOf(second, merchant, renewed.body.data.receiptsCursor)).resumeAfter).toMatch(`${epoch}.`);
  expect((await read(second, merchant, '0.0', 2)).map((event) => event.cursor.split('.')[0])).toEqual([epoch, epoch]);
  await second.stop();
}, 240_000);
