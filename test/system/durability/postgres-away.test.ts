import { spawn } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { routes } from '../../../src/doors/rest/routes.ts';
import { busyMs } from '../../support/busy.ts';
import { databaseSignals } from '../../support/database-processes.ts';
import { makeDataDir, runQuittance, type Started, startQuittance, until } from '../../support/program.ts';

/** Every request is answered within this, whatever the database does. */
const PATIENCE_MS = busyMs(2_500);
/** Everything is as before within this of its return. */
const RECOVERY_MS = busyMs(5_000);

/**
 * The embedded database as processes: all of them stopped is a database that hangs, all of them killed is one whose
 * machine went.
 */
function databaseOf(dataDir: string) {
  const signal = databaseSignals(dataDir);
  return { hang: () => signal('SIGSTOP'), wake: () => signal('SIGCONT'), kill: () => signal('SIGKILL') };
}

/** An order that was asked for under a key, and what came back. */
interface Asked {
  readonly key: string;
  readonly qty: number;
  receipt?: { readonly receiptId: string; readonly totalUsd: number; readonly lineItems: unknown };
  degraded?: boolean;
}

function ask(server: Started, { key, qty }: Asked) {
  return server.call('POST', '/api/orders', {
    headers: { ...server.auth, 'idempotency-key': key },
    body: { items: [{ sku: 'MUG-STONE', qty }], jurisdictionCode: 'US-CA-LA' },
  });
}

/** Orders without end, `many` at a time, each under a key of its own, until the server is gone. */
function keepOrdering(server: Started, many: number) {
  const asked: Asked[] = [];
  let stopped = false;
  const buyer = async () => {
    while (!stopped) {
      const one: Asked = { key: `order-${asked.length}`, qty: 1 + (asked.length % 7) };
      asked.push(one);
      const answer = await ask(server, one).catch(() => null);
      if (answer?.body.ok !== true) continue;
      one.receipt = answer.body.receipt;
      one.degraded = answer.body.degraded === true;
    }
  };
  const buyers = Promise.all(Array.from({ length: many }, buyer));
  return {
    asked,
    answered: (degraded: boolean) => asked.filter((one) => one.degraded === degraded).length,
    async stop() {
      stopped = true;
      await buyers;
    },
  };
}

// Contract: errors.degraded
test.each(['hangs', 'dies'] as const)(
  'orders keep coming, the database %s, the server is killed, both come back: every acknowledged order is there once, at its price, and no key has two',
  async (how) => {
    const env = { DATA_DIR: makeDataDir() };
    const before = await startQuittance(env);
    const database = databaseOf(env.DATA_DIR);
    const orders = keepOrdering(before, 8);
    await until(() => orders.answered(false) > 40);
    if (how === 'hangs') database.hang();
    else database.kill();
    await until(() => orders.answered(true) > 40);
    // A repeated request gets the same answer during the outage.
    const early = orders.asked.filter(({ receipt }) => receipt).slice(-3);
    for (const one of early) expect((await ask(before, one)).body.receipt).toEqual(one.receipt);
    await before.end('SIGKILL');
    await orders.stop();
    database.kill();

    const after = await startQuittance(before.env);
    const acknowledged = orders.asked.filter(({ receipt }) => receipt !== undefined);
    expect(acknowledged.filter(({ degraded }) => degraded).length).toBeGreaterThan(40);
    // Every buyer asks once more under its key, whether it had an answer or not.
    const again = await Promise.all(orders.asked.map(async (one) => ({ one, answer: await ask(after, one) })));
    for (const { one, answer } of again) {
      expect(answer).toMatchObject({ status: 200, body: { ok: true } });
      if (one.receipt) expect(answer.body.receipt).toEqual(one.receipt);
    }
    const booked = async () => {
      const rows = await query<{ id: string; cents: number }>(
        before.env,
        `select id, total_cents::int as cents from receipts where origin = 'order'`,
      );
      return rows.length >= orders.asked.length && rows;
    };
    const rows = await until(booked);
    expect(rows).toHaveLength(orders.asked.length);
    const cents = new Map(rows.map((row) => [row.id, row.cents]));
    expect(cents.size).toBe(orders.asked.length);
    for (const { receipt } of acknowledged)
      expect(cents.get(receipt!.receiptId)).toBe(Math.round(receipt!.totalUsd * 100));
    expect(await after.end()).toMatchObject({ code: 0 });
  },
  240_000,
);

test('beside two busy programs the first orders of an outage are answered in time', async () => {
  const env = { DATA_DIR: makeDataDir() };
  const server = await startQuittance(env);
  const database = databaseOf(env.DATA_DIR);
  await server.call('POST', '/api/orders', { headers: server.auth, body: { items: [{ sku: 'MUG-STONE', qty: 1 }] } });
  // Work of other tests comes on top of the two programs.
  const limitMs = 2_500 * Math.max(1, loadavg()[0]! / (2 * availableParallelism()));
  const busy = [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  onTestFinished(() => {
    for (const program of busy) program.kill('SIGKILL');
  });
  database.hang();
  const timed = async (key: string) => {
    const begun = performance.now();
    const { body } = await ask(server, { key, qty: 1 });
    return { degraded: body.degraded, ms: performance.now() - begun };
  };
  const answers = await Promise.all([timed('first'), timed('second')]);
  answers.push(await timed('third'));
  database.wake();
  for (const { degraded, ms } of answers)
    expect([degraded, ms < limitMs, Math.round(ms)]).toEqual([true, true, expect.any(Number)]);
  expect(await server.end()).toMatchObject({ code: 0 });
}, 240_000);

test('with the database stopped every kind of request is answered in time, degraded or with a code, and all is as before soon after its return', async () => {
  const env = { DATA_DIR: makeDataDir() };
  const server = await startQuittance(env);
  const database = databaseOf(env.DATA_DIR);
  const { body: placed } = await ask(server, { key: 'known', qty: 1 });
  const { receiptId } = placed.receipt;
  await server.call('GET', '/api/receipts', { headers: server.auth });
  const calls = [
    ...routes.map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, receiptId), headers: server.auth })),
    { method: 'GET', path: `/api/receipts/status?receiptId=${receiptId}`, headers: server.auth },
    { method: 'GET', path: `/portal/${receiptId}`, headers: {} },
    { method: 'GET', path: '/healthz', headers: {} },
    { method: 'GET', path: '/readyz', headers: {} },
    { method: 'GET', path: '/nothing', headers: {} },
    { method: 'GET', path: `/api/graphql?query={receipts(first:1){totalCount}}`, headers: server.auth },
    { method: 'GET', path: '/api/receipts', headers: { 'x-api-key': `qk_${'A'.repeat(43)}` } },
    { method: 'GET', path: '/api/shop/config', headers: { cookie: 'cb_auth_token=nonsense' } },
  ];
  const askAll = () =>
    Promise.all(
      calls.map(async ({ method, path, headers }) => {
        const begun = performance.now();
        const body = method === 'GET' ? undefined : {};
        const answer = await server.call(method, path, { headers: headers as Record<string, string>, body });
        return { what: `${method} ${path} ${Object.keys(headers)}`, ...answer, ms: performance.now() - begun };
      }),
    );
  const usual = new Map((await askAll()).map(({ what, status }) => [what, status]));

  database.hang();
  // The first ones find out, the later ones know.
  for (let turn = 0; turn < 3; turn++) {
    for (const { what, status, body, ms } of await askAll()) {
      expect([what, ms < PATIENCE_MS, Math.round(ms)]).toEqual([what, true, expect.any(Number)]);
      expect([what, status]).not.toEqual([what, 500]);
      if (status === 503 && what.startsWith('GET /api'))
        expect([what, body.error]).toEqual([what, 'datastore_unavailable']);
      if (status !== 503 && !body.degraded)
        expect([what, [usual.get(what), 401]]).toEqual([what, expect.arrayContaining([status])]);
    }
    const order = await ask(server, { key: `away-${turn}`, qty: 1 });
    expect(order).toMatchObject({ status: 200, body: { ok: true, degraded: true, reason: 'datastore_unavailable' } });
  }
  const listed = await server.call('GET', '/api/receipts', { headers: server.auth });
  expect(listed).toMatchObject({ status: 200, body: { degraded: true, reason: 'datastore_unavailable' } });
  expect((await server.call('GET', '/readyz')).status).toBe(503);
  expect((await server.call('GET', '/healthz')).status).toBe(200);

  database.wake();
  const back = performance.now();
  let unusual: string[] = [];
  await until(
    async () => {
      const answers = await askAll();
      unusual = answers
        .filter(({ what, status }) => usual.get(what) !== status)
        .map(({ what, status }) => `${what} ${status}`);
      return unusual.length === 0;
    },
    { timeoutMs: RECOVERY_MS },
  ).catch(() => expect(unusual).toEqual([]));
  await until(
    async () => (await server.call('GET', '/api/receipts', { headers: server.auth })).body.receipts.length === 4,
  );
  expect(performance.now() - back).toBeLessThan(RECOVERY_MS);
  expect((await ask(server, { key: 'new', qty: 1 })).body).not.toHaveProperty('degraded');
  expect(await server.end()).toMatchObject({ code: 0 });
}, 240_000);

async function query<Row extends pg.QueryResultRow>(
  env: Readonly<Record<string, string>>,
  text: string,
): Promise<Row[]> {
  const program = runQuittance(['info', '--json'], { env });
  await program.exit;
  const client = new pg.Client({ connectionString: JSON.parse(program.stdout()).databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
