import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startTestChain } from '../../../src/base/chain/test/anvil.ts';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { startReader } from '../../live/reader.ts';
import { payOnChain, placeOrder, readRequest, readStatus } from '../../support/checkout.ts';
import { createDatabase } from '../../support/database.ts';
import { type Call, caller } from '../../support/http.ts';
import { makeDataDir, type Program, runQuittance, startQuittance, until } from '../../support/program.ts';
import { makeVersions } from './versions.ts';

/** The receipts in the database when the migrations run. `npm run long -- upgrades` has a million. */
const RECEIPTS = Number(process.env.UPGRADE_RECEIPTS ?? 20_000);
const LONG = RECEIPTS > 100_000;
/** The receipts that one statement copies. */
const COPIES = 20_000;
const SECRETS = Object.fromEntries(
  ['JWT_SECRET', 'KEY_ENCRYPTION_KEY', 'CRON_SECRET'].map((name) => [name, name.padEnd(64, '0')]),
);

/** Copies a receipt `RECEIPTS` times. A statement ends long before the time limit of the connection. */
async function copyReceipt(client: pg.Client, id: string): Promise<void> {
  for (let from = 1; from <= RECEIPTS; from += COPIES)
    await client.query(
      `insert into receipts select (jsonb_populate_record(r, jsonb_build_object('id', 'earlier-' || i))).*
       from receipts r, generate_series($2::int, $3::int) i where r.id = $1`,
      [id, from, Math.min(from + COPIES - 1, RECEIPTS)],
    );
}

/** Orders one after the other at the servers in turn, until it is stopped. */
function startShop(servers: string[], auth: Record<string, string>) {
  const calls = new Map<string, Call>();
  const placed: string[] = [];
  const faults: string[] = [];
  const tookMs: number[] = [];
  let running = true;
  const order = async (turn: number) => {
    const url = servers[turn % servers.length] as string;
    const call = calls.get(url) ?? caller(url, { documented: false });
    calls.set(url, call);
    const begun = performance.now();
    try {
      const { receiptId } = await placeOrder({ call, auth });
      placed.push(receiptId);
      if (turn % 5 === 0) await readStatus({ call, auth }, receiptId);
    } catch (error) {
      faults.push(`${url}: ${(error as Error).message}`);
    }
    tookMs.push(performance.now() - begun);
  };
  const loops = [0, 1].map(async (first) => {
    // A person at a till, not a benchmark: the migrations have the machine, too.
    for (let turn = first; running; turn += 2) {
      await order(turn);
      await pause(20);
    }
  });
  return {
    placed,
    faults,
    tookMs,
    /** Waits until this many more orders are placed. */
    async more(count: number): Promise<void> {
      const goal = placed.length + faults.length + count;
      await until(() => placed.length + faults.length >= goal, { timeoutMs: 180_000 });
    },
    async stop(): Promise<void> {
      running = false;
      await Promise.all(loops);
    },
  };
}

const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;

test(
  'two versions serve side by side: migrated, upgraded and rolled back with no failed request and no lost event',
  async () => {
    const versions = makeVersions({ history: process.env.UPGRADE_HISTORY !== 'off' });
    onTestFinished(versions.remove);
    const [chain, { databaseUrl, drop }] = await Promise.all([startTestChain(), createDatabase({ empty: true })]);
    onTestFinished(async () => {
      await drop();
      await chain.stop();
    });
    const shared = {
      ...{ DATABASE_URL: databaseUrl, REDIS_URL: inject('redisUrl'), RPC_URL: chain.rpcUrl, CONFIRMATIONS: '0' },
      ...{ LOG_LEVEL: 'warn', RATE_LIMITS: 'off', ...SECRETS },
    };
    const old = await startQuittance({ ...shared, DATA_DIR: makeDataDir() }, { launcher: versions.before });
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    onTestFinished(() => client.end());
    const { receiptId: first } = await placeOrder(old);
    await copyReceipt(client, first);

    const serve = async (launcher: string, more: Record<string, string>) => {
      const port = String(await findFreePort());
      const env = { ...shared, DATA_DIR: makeDataDir(), PORT: port, ...more };
      const program = runQuittance(['serve'], { env, launcher });
      const url = `http://localhost:${port}`;
      const isReady = () =>
        fetch(`${url}/readyz?for=orders`).then(
          ({ status }) => status === 200,
          () => false,
        );
      await until(isReady, { program, timeoutMs: 180_000 });
      return { program, url };
    };
    /** As a load balancer does: sends nothing more, then ends it. */
    const replace = async (program: Program, from: string, to: string) => {
      servers.splice(servers.indexOf(from), 1, to);
      program.child.kill('SIGTERM');
      expect(await program.exit, program.stderr()).toEqual({ code: 0, signal: null });
    };
    const servers = [old.url];
    const auth = { ...old.auth };
    const reader = startReader({
      url: () => `${servers[0]!.replace('http', 'ws')}/api/graphql`,
      params: auth,
      after: '0.0',
    });
    onTestFinished(() => reader.stop());
    const shop = startShop(servers, auth);
    onTestFinished(() => shop.stop());
    const pay = async (server: { call: Call }, id: string) => {
      await payOnChain(chain.rpcUrl, await readRequest(server, id));
    };
    // The first orders of a new process take longer.
    await shop.more(40);
    shop.tookMs.length = 0;
    await shop.more(LONG ? 500 : 40);
    const quietMs = p99(shop.tookMs);

    // Expand: the tables get what the new version needs, while the old one serves.
    shop.tookMs.length = 0;
    const begun = performance.now();
    const migration = runQuittance(['migrate'], {
      env: { ...shared, DATA_DIR: makeDataDir() },
      launcher: versions.after,
    });
    expect(await migration.exit, migration.stderr()).toEqual({ code: 0, signal: null });
    const migratingMs = p99(shop.tookMs);
    const migratingS = Math.round((performance.now() - begun) / 1_000);
    const { rows } = await client.query(
      "select indisvalid from pg_index where indexrelid = 'receipts_upgrade_test'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true }]);
    await shop.more(10);

    const next = await serve(versions.after, { MIGRATE: 'off' });
    servers.push(next.url);
    await shop.more(40);
    // Quoted by one version, credited by the workers of either.
    await pay(old, first);
    servers.splice(servers.indexOf(next.url), 1);
    await replace(old.program, old.url, next.url);
    await shop.more(40);

    // Back to the version before, on the tables of its successor.
    const again = await serve(versions.before, { MIGRATE: 'off', NEWER_SCHEMA: 'accept' });
    servers.push(again.url);
    await shop.more(20);
    servers.splice(servers.indexOf(again.url), 1);
    await replace(next.program, next.url, again.url);
    await shop.more(20);
    await shop.stop();

    expect(shop.faults).toEqual([]);
    const call = caller(again.url);
    await until(async () => (await readStatus({ call, auth }, first)) === 'completed', { timeoutMs: 120_000 });
    const history = `select receipt_id || ':' || seq as name from receipt_history where merchant = $1 order by txid, position`;
    const all = async () => (await client.query(history, [old.merchant])).rows.map(({ name }) => name as string);
    await expect.poll(async () => reader.heard.length - (await all()).length, { timeout: 60_000 }).toBe(0);
    expect(reader.heard).toEqual(await all());
    expect(new Set(shop.placed).size).toBe(shop.placed.length);
    again.program.child.kill('SIGTERM');
    expect(await again.program.exit).toEqual({ code: 0, signal: null });
    if (LONG) {
      process.stdout.write(
        `${RECEIPTS} receipts, from ${versions.source}: ${shop.placed.length} orders, none failed; p99 of an order ` +
          `${Math.round(quietMs)} ms before and ${Math.round(migratingMs)} ms in the ${migratingS} s of the migrations\n`,
      );
      expect(migratingMs).toBeLessThan(3 * quietMs);
    }
  },
  LONG ? 3_600_000 : 480_000,
);
