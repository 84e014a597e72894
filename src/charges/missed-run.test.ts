import type { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { CHARGE_QUEUE, createJobs } from '../platform/jobs.ts';
import { type ChargingWorld, openChargingWorld } from './test/charging.ts';
import { startChargeWorker } from './worker.ts';

let it: ChargingWorld;
beforeAll(async () => {
  it = await openChargingWorld();
});
afterAll(() => it?.stop());

/** A schedule whose last time of day was an hour ago. */
function anHourAgo(): string {
  const then = new Date(Date.now() - 3_600_000);
  return `${then.getUTCMinutes()} ${then.getUTCHours()} * * *`;
}

/** A worker with a queue of its own, as another process has it. */
async function startWorker(chargeSchedule: string): Promise<{ stop(): Promise<void> }> {
  const { settings, log } = it.deps;
  const boss: PgBoss = await createJobs(settings.databaseUrl, log, { supervise: true });
  const worker = await startChargeWorker({ ...it.deps, settings: { ...settings, chargeSchedule }, boss });
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= worker.stop().then(() => boss.stop({ graceful: true, timeout: 5_000 }));
    return stopped;
  };
  onTestFinished(stop);
  return { stop };
}

const runs = async () => {
  const [row] = await it.rows<{ count: number }>('select count(*)::int as count from pgboss.job where name = $1', [
    CHARGE_QUEUE,
  ]);
  return row!.count;
};

test('a charge run that came due while no worker ran is made at the next start, once, though two workers start', async () => {
  const schedule = anHourAgo();
  await (await startWorker(schedule)).stop();
  // They were last here three hours ago, and have been away over the time of the run.
  await it.rows(`update pgboss.version set cron_on = now() - interval '3 hours'`);
  await it.rows(`update pgboss.schedule set created_on = now() - interval '3 days'`);
  const before = await runs();
  const merchant = await it.merchant();
  const [id] = await it.subscribeMany(1, merchant);
  await Promise.all([startWorker(schedule), startWorker(schedule)]);
  await vi.waitFor(async () => expect(await it.read(id!)).toMatchObject({ chargeCount: 1 }), { timeout: 30_000 });
  expect(await runs()).toBe(before + 1);
  expect(await it.charged()).toHaveLength(1);
}, 60_000);
