import type { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { CHARGE_QUEUE, createJobs } from '../../../base/platform/jobs.ts';
import { type ChargingWorld, openChargingWorld } from './test/charging.ts';
import { startChargeWorker } from './worker.ts';

let it: ChargingWorld;
beforeAll(async () => {
  it = await openChargingWorld();
});
afterAll(() => it?.stop());

/** A daily schedule whose last run was due an hour ago. */
function anHourAgo(): string {
  const then = new Date(Date.now() - 3_600_000);
  return `${then.getUTCMinutes()} ${then.getUTCHours()} * * *`;
}

/** A worker with its own queue client, like another process. */
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

test('a charge run that was due while no worker ran happens once at the next start, even if two workers start', async () => {
  const schedule = anHourAgo();
  await (await startWorker(schedule)).stop();
  // Pretend that the last worker ran three hours ago, before the run was due.
  await it.rows(`update pgboss.version set cron_on = now() - interval '3 hours'`);
  await it.rows(`update pgboss.schedule set created_on = now() - interval '3 days'`);
  const before = await runs();
  const merchant = await it.merchant();
  const [id] = await it.subscribeMany(1, merchant);
  await Promise.all([startWorker(schedule), startWorker(schedule)]);
  await vi.waitFor(async () => expect(await it.read(id!)).toMatchObject({ chargeCount: 1 }));
  expect(await runs()).toBe(before + 1);
  expect(await it.charged()).toHaveLength(1);
});
