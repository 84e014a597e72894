import { createGuardedClient, type Resolve } from '../../../base/outgoing/guarded-request.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { createWaker } from '../../../base/platform/wake.ts';
import { createEndpoints } from './endpoint-health.ts';
import { createOutcomeWriter } from './outcomes.ts';
import { type Claimed, createClaimer, listenForDeliveries } from './queue.ts';
import { createAttempts } from './send.ts';

export type WorkerDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings'>;

/** The limit of claimed jobs. */
const IN_ALL = 2_000;
/** The polling interval when idle and not notified. */
const POLL_MS = 500;
/** How long a stop waits for running attempts. Unfinished ones are repeated by another worker and do not count. */
const STOP_MS = 6_000;

export interface WorkerOptions {
  /** Replaces DNS resolution. */
  readonly resolve?: Resolve;
}

/**
 * Delivers webhooks until it is stopped. Claims jobs, makes one attempt for each independently of the others, and
 * writes the outcomes in batches. Any number of workers may run at once.
 */
export function startWebhookWorker(deps: WorkerDeps, { resolve }: WorkerOptions = {}): { stop(): Promise<void> } {
  const { log } = deps;
  const client = createGuardedClient({ allowInsecure: deps.settings.webhookAllowInsecure, resolve });
  const endpoints = createEndpoints();
  const claimer = createClaimer(deps.db, deps.log, endpoints);
  const makeAttempt = createAttempts(deps, client, endpoints);
  const waker = createWaker();
  const listening = listenForDeliveries(deps.settings, deps.log, waker.wake);
  const stopping = new AbortController();
  /** Jobs whose outcome is not written yet. */
  let claimed = 0;

  function release(jobs: readonly Pick<Claimed, 'endpoint'>[]): void {
    for (const { endpoint } of jobs) endpoints.released(endpoint);
    claimed -= jobs.length;
    waker.wake();
  }

  const writeOutcome = createOutcomeWriter(deps, {
    onWritten(outcomes, retryDelaysMs) {
      for (const delayMs of retryDelaysMs) setTimeout(waker.wake, delayMs).unref();
      release(outcomes.map(({ job }) => job));
    },
    givesUp: (unwritten) => stopping.signal.aborted && unwritten === claimed,
  });

  async function attempt(job: Claimed): Promise<void> {
    const outcome = await makeAttempt(job);
    if (outcome) writeOutcome(outcome);
    else release([job]);
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const jobs = await claimer.claim(IN_ALL - claimed);
        claimed += jobs.length;
        for (const job of jobs) endpoints.claimed(job.endpoint);
        for (const job of jobs) void attempt(job);
        if (jobs.length > 0) continue;
      } catch (error) {
        logFailure(log, error, 'webhook jobs not claimed');
        waker.takeWake();
      }
      const untilOthersMs = claimer.untilOthersMs();
      await waker.sleep(untilOthersMs > 0 ? Math.min(untilOthersMs, POLL_MS) : POLL_MS, stopping.signal);
      waker.takeWake();
    }
  }

  /** Waits until all attempts are done, at most `STOP_MS`. Each end of an attempt wakes the waker. */
  async function drain(): Promise<void> {
    const late = AbortSignal.timeout(STOP_MS);
    while (claimed > 0 && !late.aborted) {
      await waker.sleep(STOP_MS, late);
      waker.takeWake();
    }
  }

  const working = work();
  return {
    async stop() {
      stopping.abort();
      await working;
      await (await listening).close();
      await drain();
      client.close();
    },
  };
}
