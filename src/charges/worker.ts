import { setTimeout } from 'node:timers/promises';
import type { Job } from 'pg-boss';
import { Refusal } from '../core/errors.ts';
import { CHARGE_QUEUE, REVOKE_QUEUE } from '../platform/jobs.ts';
import { runAsLeader } from '../platform/leadership.ts';
import { logFailure } from '../platform/outage.ts';
import { createWaker } from '../platform/wake.ts';
import type { SpenderDeps } from '../spender/deps.ts';
import { openSpenderKey, type SpenderKey } from '../spender/spender-key.ts';
import type { RevokeJob } from '../subscriptions/enqueue-revoke.ts';
import { chargeDueSubscriptions } from './charge-batch.ts';
import { follow } from './follow-transactions.ts';
import { noticeExpiry, noticeRevocations, revokeAsSpender } from './revoke.ts';

/** How often the wallet's transactions and the chain's revocations are looked at. */
const LOOK_MS = 2_000;
const PAUSE_MAX_MS = 60_000;
/** A revocation is waited for this long before its job is put off. */
const REVOKE_LOOKS = 15;
const STOP_MS = 5_000;

/**
 * Follows the transactions of the wallet that charges, notices revocations and ends on the chain, sends the revocations that are owed, and charges what
 * is due by the schedule. Where no spender is configured there is nothing to do.
 */
export async function startChargeWorker(deps: SpenderDeps): Promise<{ stop(): Promise<void> }> {
  const { settings, boss, chain, log } = deps;
  const key = keyIfAny(deps);
  if (!key) return { stop: async () => {} };
  const stopping = new AbortController();
  const leadership = runAsLeader({
    databaseUrl: settings.databaseUrl,
    name: `charges of chain ${chain.chainId}`,
    log,
    duty: (signal) => look(deps, key, signal),
  });
  if (settings.chargeSchedule === null) await boss.unschedule(CHARGE_QUEUE);
  // A run that came due while no worker ran is made up for at the start, once.
  else await boss.schedule(CHARGE_QUEUE, settings.chargeSchedule, null, { missed: 'once' });
  await boss.work(CHARGE_QUEUE, { pollingIntervalSeconds: 2 }, async () => {
    await chargeDueSubscriptions(deps, stopping.signal);
  });
  await boss.work<RevokeJob>(REVOKE_QUEUE, { pollingIntervalSeconds: 2 }, (jobs) =>
    revokeAll(deps, key, jobs, stopping.signal),
  );
  return {
    async stop() {
      stopping.abort();
      await Promise.all([leadership.stop(), ...[CHARGE_QUEUE, REVOKE_QUEUE].map((queue) => endWork(deps, queue))]);
    },
  };
}

function keyIfAny(deps: SpenderDeps): SpenderKey | null {
  try {
    return openSpenderKey(deps);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Work that hangs is left: whatever is stored goes on in another process. */
async function endWork({ boss }: SpenderDeps, queue: string): Promise<void> {
  await Promise.race([boss.offWork(queue), setTimeout(STOP_MS, undefined, { ref: false })]);
}

async function look(deps: SpenderDeps, key: SpenderKey, signal: AbortSignal): Promise<void> {
  const waker = createWaker();
  let faults = 0;
  while (!signal.aborted) {
    try {
      await follow(deps, key, { signal });
      await noticeRevocations(deps, key);
      await noticeExpiry(deps);
      faults = 0;
    } catch (error) {
      faults += 1;
      const code = error instanceof Refusal ? error.code : undefined;
      if (faults === 1 || code === undefined) logFailure(deps.log, error, 'charges cannot be followed', { code });
    }
    await waker.sleep(Math.min(PAUSE_MAX_MS, LOOK_MS * 2 ** Math.min(faults, 5)), signal);
  }
}

/** Each job ends once the chain shows the revocation; what takes longer comes again. */
async function revokeAll(
  deps: SpenderDeps,
  key: SpenderKey,
  jobs: readonly Job<RevokeJob>[],
  signal: AbortSignal,
): Promise<void> {
  for (const { data } of jobs) {
    for (let looks = 0; !(await revokeAsSpender(deps, key, data)); looks++) {
      if (looks === REVOKE_LOOKS || signal.aborted) throw new Error('the revocation is in no block yet');
      await setTimeout(Math.min(1_000, deps.chain.client.pollingInterval));
    }
  }
}
