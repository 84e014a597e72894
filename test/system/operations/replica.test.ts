import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { checkReadUrl } from '../../../src/app/cli/doctor-connections.ts';
import { startServices } from '../../../src/base/platform/embedded/services.ts';
import { makeDataDir, until } from '../../support/program.ts';
import { startTestServer } from '../../support/server.ts';
import { startReplica } from '../../support/services/replica.ts';

const dataDir = makeDataDir(afterAll);
const { databaseUrl } = await startServices({
  dataDir,
  chainId: 31_337,
  wantPostgres: true,
  wantChain: false,
  log: { info: () => {}, warn: console.warn },
});
const replica = await startReplica(dataDir, databaseUrl as string, makeDataDir(afterAll));
afterAll(() => replica.stop());
const server = await startTestServer({
  databaseUrl: `${databaseUrl}?connect_timeout=60&options=-c%20statement_timeout%3D60000`,
  env: { DATABASE_READ_URL: replica.databaseUrl },
});
afterAll(() => server.stop());
const merchant = await server.merchant();
let made = 0;

/** Creates an item, and reads the list of items at once. */
async function createAndList(): Promise<void> {
  const sku = `CUP-${made++}`;
  const saved = await server.call('POST', '/api/inventory', {
    headers: merchant.auth,
    body: { sku, name: 'Cup', priceUsd: 1, stockQty: -1 },
  });
  expect(saved.status).toBe(200);
  const query = '{ inventory(first: 100) { nodes { sku } } }';
  const { body } = await server.call('POST', '/api/graphql', { headers: merchant.auth, body: { query } });
  expect(body.data.inventory.nodes.map((item: { sku: string }) => item.sku)).toContain(sku);
}

/** When the replica began the last list of items, in its own words; null before. */
async function lastListOfReplica(): Promise<string | null> {
  const client = new pg.Client({ connectionString: replica.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ at: string | null }>(
    `select max(query_start)::text as at from pg_stat_activity
      where application_name = 'quittance' and query like '%from "inventory_items"%'`,
  );
  await client.end();
  return rows[0]!.at;
}

/** Creates items and lists them until the replica has served a list. */
async function untilReplicaServes(): Promise<void> {
  const before = await lastListOfReplica();
  await until(async () => {
    await createAndList();
    return (await lastListOfReplica()) !== before;
  });
}

test('lists come from the replica with what was written just before, and from the primary while it is behind, hangs or is gone', async () => {
  await untilReplicaServes();
  for (let i = 0; i < 20; i++) await createAndList();
  const { databaseUrl, databaseReadUrl } = server.deps.settings;
  expect(await checkReadUrl({ databaseUrl, databaseReadUrl })).toEqual([
    { check: 'DATABASE_READ_URL', state: 'ok', found: expect.stringMatching(/^a replica, /), fix: null },
  ]);

  const admin = new pg.Client({ connectionString: replica.databaseUrl });
  admin.on('error', () => {});
  await admin.connect();
  await admin.query('select pg_wal_replay_pause()');
  for (let i = 0; i < 5; i++) await createAndList();
  await admin.query('select pg_wal_replay_resume()');
  await untilReplicaServes();

  replica.signal('SIGSTOP');
  for (let i = 0; i < 5; i++) await createAndList();
  replica.signal('SIGCONT');
  await untilReplicaServes();

  replica.signal('SIGKILL');
  for (let i = 0; i < 5; i++) await createAndList();
}, 240_000);
