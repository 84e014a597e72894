import { PgBoss } from 'pg-boss';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openTables } from '../../../test/support/database.ts';
import { moveEarlierJobs } from './earlier-jobs.ts';
import { createLog } from './log/log.ts';

const log = createLog('silent');

/** The queues that the version before had, in the tables of pg-boss. */
async function openEarlierQueues() {
  const { db, client, close } = await openTables();
  const { host, port, user, password, database } = client;
  const boss = new PgBoss({ host, port, user, password, database, supervise: false, schedule: false });
  onTestFinished(async () => {
    await boss.stop({ graceful: false });
    await close();
  });
  await boss.start();
  await boss.createQueue('webhooks', { partition: true, expireInSeconds: 10, retryLimit: 10_000 });
  await boss.createQueue('subscription.revoke', { expireInSeconds: 60 });
  await boss.createQueue('another.program');
  const move = () => {
    const mover = moveEarlierJobs(db, log);
    onTestFinished(() => mover.stop());
    return mover;
  };
  const rows = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
  return { boss, rows, move, db };
}

const WEBHOOKS = `select delivery_id, endpoint, attempt, claims, due_at > extract(epoch from now()) * 1000 as later
  from webhook_jobs order by delivery_id`;

test('what waits in the tables of pg-boss is moved once, with its attempt and its time, however many processes move it', async () => {
  const { boss, rows, move } = await openEarlierQueues();
  await boss.insert('webhooks', [
    { data: { deliveryId: 'a', attempt: 2 }, group: { id: 'shop' }, startAfter: 600 },
    { data: { deliveryId: 'b', attempt: 1 }, group: { id: 'shop' } },
    // Of version 0.1, and taken by a worker of that version.
    { data: { deliveryId: 'c', attempt: 1, turn: 2 }, group: { id: 'shop' } },
    { data: { deliveryId: 'd', turn: 3 } },
  ]);
  await boss.insert('subscription.revoke', [{ data: { merchant: '0xm', subscriptionId: 's' } }]);
  await boss.insert('another.program', [{ data: {} }]);
  await boss.insert(
    'webhooks',
    Array.from({ length: 1_500 }, (_, i) => ({ data: { deliveryId: `e${i}`, attempt: 1 }, group: { id: 'many' } })),
  );
  for (let i = 0; i < 3; i++) move();
  await vi.waitFor(async () =>
    expect(await rows('select name from pgboss.job')).toEqual([{ name: 'another.program' }]),
  );
  const moved = { endpoint: 'shop', claims: 0, later: false };
  expect((await rows(WEBHOOKS)).slice(0, 4)).toEqual([
    { ...moved, delivery_id: 'a', attempt: 2, later: true },
    { ...moved, delivery_id: 'b', attempt: 1 },
    { ...moved, delivery_id: 'c', attempt: 2 },
    { ...moved, delivery_id: 'd', attempt: 3, endpoint: 'd' },
  ]);
  expect(await rows(`select count(*)::int as count from webhook_jobs where endpoint = 'many'`)).toEqual([
    { count: 1_500 },
  ]);
  expect(await rows('select queue, data, claims, schedule from jobs')).toEqual([
    { queue: 'subscription.revoke', data: { merchant: '0xm', subscriptionId: 's' }, claims: 0, schedule: null },
  ]);
  // A server of that version that is still there enqueues further ones.
  await boss.insert('webhooks', [{ data: { deliveryId: 'later', attempt: 1 } }]);
  await vi.waitFor(async () =>
    expect(await rows(`select from webhook_jobs where delivery_id = 'later'`)).toHaveLength(1),
  );
});

test('a job that a worker of the version before has claimed stays with it, and is moved once that claim has ended', async () => {
  const { boss, rows, move } = await openEarlierQueues();
  await boss.insert('webhooks', [{ data: { deliveryId: 'claimed', attempt: 1 } }]);
  expect(await boss.fetch('webhooks')).toHaveLength(1);
  await boss.insert('webhooks', [{ data: { deliveryId: 'waiting', attempt: 1 } }]);
  move();
  const names = async () => (await rows<{ delivery_id: string }>(WEBHOOKS)).map((row) => row.delivery_id);
  await vi.waitFor(async () => expect(await names()).toEqual(['waiting']));
  expect(await rows('select state from pgboss.job')).toEqual([{ state: 'active' }]);
  await rows(`update pgboss.job set started_on = started_on - interval '11 s'`);
  await vi.waitFor(async () => expect(await names()).toEqual(['claimed', 'waiting']));
  expect((await rows(WEBHOOKS))[0]).toMatchObject({ later: false });
});

test('without tables of pg-boss the mover asks once and ends', async () => {
  const { db, close } = await openTables();
  onTestFinished(close);
  let asked = 0;
  const run: typeof db.run = (...given) => {
    asked += 1;
    return db.run(...given);
  };
  await moveEarlierJobs({ ...db, run }, log).ended;
  expect(asked).toBe(1);
});
