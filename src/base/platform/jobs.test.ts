import type pg from 'pg';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openTables } from '../../../test/support/database.ts';
import { CHARGE_QUEUE, type QueueName, REVOKE_QUEUE, schedule, workOn } from './jobs.ts';
import { createLog } from './log/log.ts';

const { db, client, close } = await openTables();
afterAll(close);
beforeEach(async () => void (await client.query('delete from jobs')));

const log = createLog('silent');
const rows = async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows;
const enqueue = (n: number, claims = 0) =>
  client.query('insert into jobs (queue, data, due_at, claims) values ($1, $2, 0, $3)', [REVOKE_QUEUE, { n }, claims]);
const jobs = () =>
  rows<{ n: number; claims: number; waitsMs: number }>(
    `select (data ->> 'n')::int as n, claims, (due_at - extract(epoch from now()) * 1000)::float8 as "waitsMs" from jobs order by id`,
  );

function start(work: (jobs: readonly { readonly n: number }[]) => Promise<void>, queue: QueueName = REVOKE_QUEUE) {
  const worker = workOn(db, log, queue, work);
  onTestFinished(() => worker.stop());
}

test('a job whose work fails waits longer each time, and is deleted once it succeeds', async () => {
  let fails = true;
  start(async () => {
    if (fails) throw new Error('not yet');
  });
  await enqueue(1);
  for (const [claims, waitsMs] of [15_000, 30_000].entries()) {
    await vi.waitFor(async () => {
      const [job] = await jobs();
      expect(job).toMatchObject({ n: 1, claims: claims + 1 });
      expect(job!.waitsMs).toBeLessThanOrEqual(waitsMs);
    });
    fails = claims < 1;
    await client.query('update jobs set due_at = 0');
  }
  await vi.waitFor(async () => expect(await jobs()).toEqual([]));
});

test('a job that has failed too often is given up', async () => {
  start(() => Promise.reject(new Error('never')));
  await enqueue(1, 199);
  await vi.waitFor(async () => expect(await jobs()).toEqual([]));
});

test('a claim ends with its time, and what its worker then reports changes nothing of the next claim', async () => {
  const begun: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const one = Promise.withResolvers<void>();
    begun.push(one);
    return one.promise;
  };
  start(work);
  start(work);
  await enqueue(1);
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  await client.query('update jobs set due_at = 0');
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  begun[0]!.resolve();
  await enqueue(2);
  // The first worker has reported before it claims the next job.
  await vi.waitFor(() => expect(begun).toHaveLength(3));
  expect((await jobs()).map(({ n, claims }) => [n, claims])).toEqual([
    [1, 2],
    [2, 1],
  ]);
  begun[1]!.resolve();
  begun[2]!.resolve();
  await vi.waitFor(async () => expect(await jobs()).toEqual([]));
});

test('a worker extends its claims while it works, and a dead one is followed within half a minute', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  start(() => promise, CHARGE_QUEUE);
  await client.query('insert into jobs (queue, data, due_at, claims) values ($1, $2, 0, 0)', [CHARGE_QUEUE, { n: 1 }]);
  await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ claims: 1 }]));
  expect((await jobs())[0]!.waitsMs).toBeLessThanOrEqual(30_000);
  // The claim has nearly ended.
  await client.query('update jobs set due_at = due_at - 15000');
  await vi.waitFor(async () => expect((await jobs())[0]!.waitsMs).toBeGreaterThan(20_000), { timeout: 60_000 });
  expect(await jobs()).toMatchObject([{ claims: 1 }]);
  resolve();
  await vi.waitFor(async () => expect(await jobs()).toEqual([]));
}, 120_000);

test('a repeated job keeps its time when its expression is set again, gets another with another, and ends without one', async () => {
  const planned = () => rows<{ schedule: string; due: string }>('select schedule, due_at as due from jobs');
  await schedule(db, CHARGE_QUEUE, '0 4 * * *');
  const first = await planned();
  await client.query('update jobs set due_at = due_at - 60000');
  await schedule(db, CHARGE_QUEUE, '0 4 * * *');
  expect(await planned()).toEqual([{ ...first[0], due: String(Number(first[0]!.due) - 60_000) }]);
  await schedule(db, CHARGE_QUEUE, '30 5 * * *');
  const [changed] = await planned();
  expect(new Date(Number(changed!.due)).toISOString()).toMatch(/T05:30:00.000Z$/);
  await schedule(db, CHARGE_QUEUE, null);
  expect(await planned()).toEqual([]);
});

test('a time that passed since pg-boss last repeated a job is made up for', async () => {
  const twoDaysAgo = Date.now() - 2 * 86_400_000;
  await client.query(
    `insert into jobs (queue, data, due_at, schedule) values ($1, $2, ${Number.MAX_SAFE_INTEGER}, '')`,
    [CHARGE_QUEUE, { repeatedUntil: twoDaysAgo }],
  );
  await schedule(db, CHARGE_QUEUE, '0 4 * * *');
  let runs = 0;
  start(async () => {
    runs += 1;
  }, CHARGE_QUEUE);
  await vi.waitFor(async () => expect((await jobs())[0]!.waitsMs).toBeGreaterThan(0));
  await vi.waitFor(async () => expect((await jobs())[0]!.claims).toBe(0));
  expect(runs).toBe(1);
});
