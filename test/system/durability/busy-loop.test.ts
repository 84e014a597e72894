import { expect, onTestFinished, test } from 'vitest';
import { entities } from '../../../src/app/entities.ts';
import { afterLoopTime } from '../../../src/base/core/loop-time.ts';
import { createDb } from '../../../src/base/platform/db.ts';
import { createLog } from '../../../src/base/platform/log/log.ts';
import { createOrm } from '../../../src/base/platform/orm.ts';
import { transact } from '../../../src/base/platform/unit-of-work.ts';
import { testDatabase, withProductionLimits } from '../../support/database.ts';
import { openRelay } from '../../support/relay.ts';
import { startTestServer } from '../../support/server.ts';
import { runIn, runStatement, statement } from '../../support/statement.ts';

/** Longer than any limit on an answer of the database. */
const BLOCKED_MS = 3_000;

/** Blocks this process's event loop. */
const block = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);

const SLOW = statement('test-slow', 'select pg_sleep(0.3)::text as done');

const openSql = async () => {
  const databaseUrl = withProductionLimits(await testDatabase());
  const orm = await createOrm(databaseUrl, entities);
  const db = createDb(databaseUrl, orm, createLog('silent'));
  onTestFinished(async () => {
    await db.close();
    await orm.close();
  });
  return db;
};

test('a statement that is under way while the event loop is blocked is answered: the database is not taken for away', async () => {
  const db = await openSql();
  await runStatement(db, SLOW, []);
  const asked = Array.from({ length: 6 }, () => runStatement(db, SLOW, []));
  setImmediate(block);
  for (const rows of await Promise.all(asked)) expect(rows).toEqual([{ done: '' }]);
});

test('a connection that is made while the event loop is blocked is used', async () => {
  const db = await openSql();
  const asked = runStatement(db, SLOW, []);
  setImmediate(block);
  expect(await asked).toEqual([{ done: '' }]);
});

test('a transaction that begins, connects or waits while the event loop is blocked is committed', async () => {
  const orm = await createOrm(withProductionLimits(await testDatabase()), entities);
  onTestFinished(() => orm.close());
  const slow = () => transact(orm, (uow) => runIn(uow, 'select pg_sleep(0.3)::text as done'));
  const first = slow();
  setImmediate(block);
  expect(await first).toEqual([{ done: '' }]);
  const second = [slow(), slow()];
  setImmediate(block);
  for (const rows of await Promise.all(second)) expect(rows).toEqual([{ done: '' }]);
});

test('an order that is placed while the event loop is blocked is booked, not degraded', async () => {
  const server = await startTestServer({ databaseUrl: withProductionLimits(await testDatabase()) });
  onTestFinished(() => server.stop());
  const merchant = await server.merchant();
  await server.call('POST', '/api/inventory', { headers: merchant.auth, body: { sku: 'A', name: 'A', priceUsd: 10 } });
  const order = (key: string) =>
    server.call('POST', '/api/orders', {
      headers: { ...merchant.auth, 'idempotency-key': key },
      body: { items: [{ sku: 'A', qty: 1 }] },
    });
  await order('first');
  const { write } = server.deps.db;
  const spied: unknown[] = [];
  const spy: typeof write = (statement, item) => {
    spied.push(statement.name);
    setImmediate(block);
    return write(statement, item);
  };
  Object.assign(server.deps.db, { write: spy });
  const plain = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: { items: [{ sku: 'A', qty: 1 }] },
  });
  expect(spied).not.toEqual([]);
  Object.assign(server.deps.db, { write });
  const keyed = order('second');
  setTimeout(block, 20);
  for (const { status, body } of [plain, await keyed]) expect([status, body.degraded]).toEqual([200, undefined]);
});

test('a database that hangs while the event loop runs is away', async () => {
  const relay = await openRelay(await testDatabase());
  const orm = await createOrm(relay.url, entities);
  const db = createDb(relay.url, orm, createLog('silent'));
  await runStatement(db, SLOW, []);
  await transact(orm, (uow) => runIn(uow, 'select 1'));
  relay.hang();
  const asked = [runStatement(db, SLOW, []), transact(orm, (uow) => runIn(uow, 'select 1'))];
  for (const outcome of await Promise.allSettled(asked))
    expect(outcome).toMatchObject({ reason: { code: 'datastore_unavailable' } });
  await relay.cut();
  await Promise.allSettled([db.close(), orm.close()]);
});

test('a database that hangs is asked once if the event loop was blocked for a part of the time only', async () => {
  const relay = await openRelay(await testDatabase());
  const orm = await createOrm(relay.url, entities);
  relay.hang();
  const begun = performance.now();
  const asked = transact(orm, (uow) => runIn(uow, 'select 1'));
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500));
  await expect(asked).rejects.toMatchObject({ code: 'datastore_unavailable' });
  // Two attempts take three seconds.
  expect(performance.now() - begun).toBeLessThan(2_500);
  await relay.cut();
  await orm.close();
});

test('a limit counts the time in which the loop runs, and one that is cancelled never expires', async () => {
  const expired: string[] = [];
  const late = new Promise<void>((resolve) => {
    afterLoopTime(1_000, () => {
      expired.push('late');
      resolve();
    });
  });
  afterLoopTime(200, () => expired.push('early'));
  const cancel = afterLoopTime(100, () => expired.push('cancelled'));
  block();
  expect(expired).toEqual([]);
  cancel();
  // Limits keep no process alive; the test does.
  const alive = setInterval(() => {}, 1_000);
  await late;
  clearInterval(alive);
  expect(expired).toEqual(['early', 'late']);
});
