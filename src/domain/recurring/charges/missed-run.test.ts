import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { CHARGE_QUEUE } from '../../../base/platform/jobs.ts';
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

async function startWorker(chargeSchedule: string): Promise<{ stop(): Promise<void> }> {
  const worker = await startChargeWorker({ ...it.deps, settings: { ...it.deps.settings, chargeSchedule } });
  onTestFinished(() => worker.stop());
  return worker;
}

const planned = () =>
  it.rows<{ due: number; claims: number }>(
    'select due_at as due, claims from jobs where queue = $1 and schedule is not null',
    [CHARGE_QUEUE],
  );

test('a charge run that was due while no worker ran happens once at the next start, even if two workers start', async () => {
  const schedule = anHourAgo();
  await (await startWorker(schedule)).stop();
  const next = await planned();
  expect(next).toEqual([{ due: expect.any(Number), claims: 0 }]);
  expect(next[0]!.due).toBeGreaterThan(Date.now() + 22 * 3_600_000);
  // As if the last worker had ended three hours ago, before the run was due.
  await it.rows(`update jobs set due_at = due_at - 86400000 where queue = $1`, [CHARGE_QUEUE]);
  const merchant = await it.merchant();
  const [id] = await it.subscribeMany(1, merchant);
  await Promise.all([startWorker(schedule), startWorker(schedule)]);
  await vi.waitFor(async () => expect(await it.read(id!)).toMatchObject({ chargeCount: 1 }));
  await vi.waitFor(async () => expect(await planned()).toEqual(next));
  expect(await it.charged()).toHaveLength(1);
});
