import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startTestChain } from '../../../src/base/chain/test/anvil.ts';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { placeOrder } from '../../support/checkout.ts';
import { createDatabase } from '../../support/database.ts';
import { caller } from '../../support/http.ts';
import { makeDataDir, runQuittance, startQuittance, until } from '../../support/program.ts';
import { openReceiver } from '../../support/receiver.ts';
import { makeVersions } from './versions.ts';

const SECRETS = Object.fromEntries(
  ['JWT_SECRET', 'KEY_ENCRYPTION_KEY', 'CRON_SECRET'].map((name) => [name, name.padEnd(64, '0')]),
);

test('webhooks that wait when the last worker of the version before is killed, and those that its servers still enqueue, are sent by the next version', async () => {
  const versions = makeVersions();
  onTestFinished(versions.remove);
  const [chain, { databaseUrl, drop }] = await Promise.all([startTestChain(), createDatabase({ empty: true })]);
  onTestFinished(async () => {
    await drop();
    await chain.stop();
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const run = (args: string[], launcher: string, more: Record<string, string> = {}) =>
    runQuittance(args, { launcher, env: { ...shared, DATA_DIR: makeDataDir(), ...more } });
  const shared = {
    ...{ DATABASE_URL: databaseUrl, REDIS_URL: inject('redisUrl'), RPC_URL: chain.rpcUrl, LOG_LEVEL: 'warn' },
    ...{ RATE_LIMITS: 'off', ...SECRETS },
  };
  let deaf = true;
  const receiver = await openReceiver(() => !deaf);

  const old = await startQuittance({ ...shared, DATA_DIR: makeDataDir() }, { launcher: versions.before });
  const item = { sku: 'FREE', name: 'Sample', priceUsd: 0 };
  expect(await old.call('POST', '/api/inventory', { headers: old.auth, body: item })).toMatchObject({ status: 200 });
  /** An order over nothing, whose webhook follows at once. */
  const order = (call: typeof old.call) =>
    placeOrder({ call, auth: old.auth }, { items: [{ sku: 'FREE', qty: 1 }], webhookUrl: receiver.url });
  // More than an unresponsive endpoint gets at once: some are claimed, the others wait.
  for (let i = 0; i < 8; i++) await order(old.call);
  await until(() => receiver.received.length >= 4, { program: old.program });
  const begun = new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]));
  await old.end('SIGKILL');
  deaf = false;

  // The tables of the new version, while a server of the version before goes on.
  const migration = run(['migrate'], versions.after);
  expect(await migration.exit, migration.stderr()).toEqual({ code: 0, signal: null });
  const port = String(await findFreePort());
  const accepts = { PORT: port, MIGRATE: 'off', NEWER_SCHEMA: 'accept' };
  const server = run(['serve', '--no-worker'], versions.before, accepts);
  const ready = () =>
    fetch(`http://localhost:${port}/readyz?for=orders`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(ready, { program: server, timeoutMs: 180_000 });
  const call = caller(`http://localhost:${port}`, { documented: false });
  await order(call);

  const worker = run(['worker'], versions.after, { MIGRATE: 'off' });
  const states = async () =>
    (await client.query('select state from webhook_deliveries')).rows.map(({ state }) => state);
  await until(async () => (await states()).every((state) => state === 'delivered'), { program: worker });
  // Also what that server enqueues while the worker runs.
  await order(call);
  await until(async () => (await states()).length === 10 && (await states()).every((state) => state === 'delivered'), {
    program: worker,
  });
  const delivered = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  expect(delivered.size).toBe(10);
  for (const [id, body] of begun) {
    const again = receiver.received.filter(({ headers }) => headers['webhook-id'] === id);
    expect(again.map((one) => one.body)).toEqual([body, body]);
  }
  expect((await client.query('select from webhook_jobs')).rowCount).toBe(0);
}, 480_000);
