import type { Job } from 'pg-boss';
import { createGuardedClient, type Resolve } from '../../base/outgoing/guarded-request.ts';
import type { Deps } from '../../base/platform/deps.ts';
import { WEBHOOK_QUEUE } from '../../base/platform/jobs.ts';
import { logFailure } from '../../base/platform/log/outage.ts';
import { query, type RowOf } from '../../base/platform/postgres/query.ts';
import { createWaker, type Waker } from '../../base/platform/wake.ts';
import { createAttempts, type LoadedDelivery } from './attempt.ts';
import { createJobClaims } from './claim-jobs.ts';
import { createEndpoints } from './endpoint-health.ts';
import type { DeliveryJob } from './enqueue.ts';
import { createOutcomeWriter } from './outcome-writer.ts';
import { listenForDeliveries } from './wake-workers.ts';

export type WorkerDeps = Pick<Deps, 'sql' | 'boss' | 'clock' | 'log' | 'settings'>;

/** The limit of claimed jobs. */
const IN_ALL = 2_000;
/** The polling interval when idle and not notified. */
const POLL_MS = 500;
/** How long a stop waits for running attempts. Unfinished ones are repeated by another worker and do not count. */
const STOP_MS = 6_000;

const DELIVERIES = query('webhook-deliveries-due', (db, $: { ids: readonly string[] }) =>
  db
    .selectFrom('Delivery as d')
    .leftJoin('WebhookEndpoint as e', (on) =>
      on.onRef('e.merchant', '=', 'd.merchant').onRef('e.id', '=', 'd.endpointId'),
    )
    .select(['d.id', 'd.merchant', 'd.receiptId', 'd.event', 'd.url', 'd.keyId', 'd.body', 'd.createdAt'])
    .select(['d.endpointId', 'd.eventId', 'e.url as target', 'e.state', 'e.sealedSecret', 'e.previousSecrets'])
    .where('d.id', '=', (eb) => eb.fn.any(eb.val($.ids))),
);

export interface WorkerOptions {
  /** Replaces DNS resolution. */
  readonly resolve?: Resolve;
}

/**
 * Delivers webhooks until it is stopped. Claims jobs, makes one attempt for each independently of the others, and
 * writes the outcomes in batches. Any number of workers may run at once.
 */
export function startWebhookWorker(deps: WorkerDeps, { resolve }: WorkerOptions = {}): { stop(): Promise<void> } {
  const { boss, log } = deps;
  const client = createGuardedClient({ allowInsecure: deps.settings.webhookAllowInsecure, resolve });
  const endpoints = createEndpoints();
  const claims = createJobClaims(boss, endpoints);
  const makeAttempt = createAttempts(deps, client, endpoints);
  const waker = createWaker();
  const listener = listenForDeliveries(boss, log, waker.wake);
  const stopping = new AbortController();
  /** Jobs whose outcome is not written yet. */
  let claimed = 0;

  function release(count: number): void {
    claimed -= count;
    waker.wake();
  }

  const writeOutcome = createOutcomeWriter(deps, {
    onWritten(count, retryDelaysMs) {
      for (const delayMs of retryDelaysMs) setTimeout(waker.wake, delayMs).unref();
      release(count);
    },
    givesUp: (unwritten) => stopping.signal.aborted && unwritten === claimed,
  });

  async function attempt(job: Job<DeliveryJob>, delivery: LoadedDelivery): Promise<void> {
    const outcome = await makeAttempt(job, delivery);
    if (outcome) writeOutcome(outcome);
    else release(1);
  }

  async function begin(jobs: readonly Job<DeliveryJob>[]): Promise<void> {
    try {
      const byId = await loadDeliveries(deps, jobs);
      const orphans = jobs.filter((job) => !byId.has(job.data.deliveryId));
      if (orphans.length > 0) await boss.deleteJob(WEBHOOK_QUEUE, orphans);
      for (const job of jobs) {
        const delivery = byId.get(job.data.deliveryId);
        if (delivery) void attempt(job, delivery);
      }
      release(orphans.length);
    } catch (error) {
      logFailure(log, error, 'webhook deliveries not loaded', { jobs: jobs.length });
      release(jobs.length);
    }
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const jobs = await claims.claim(IN_ALL - claimed);
        if (jobs.length > 0) {
          claimed += jobs.length;
          void begin(jobs);
          continue;
        }
      } catch (error) {
        logFailure(log, error, 'webhook jobs not fetched');
        waker.takeWake();
      }
      const untilCarefulMs = claims.untilCarefulMs();
      await waker.sleep(untilCarefulMs > 0 ? Math.min(untilCarefulMs, POLL_MS) : POLL_MS, stopping.signal);
      waker.takeWake();
    }
  }

  const working = work();
  return {
    async stop() {
      stopping.abort();
      await working;
      await listener.close();
      await drain(waker, () => claimed === 0);
      client.close();
    },
  };
}

async function loadDeliveries(
  { sql }: Pick<Deps, 'sql'>,
  jobs: readonly Job<DeliveryJob>[],
): Promise<ReadonlyMap<string, LoadedDelivery>> {
  const rows = await sql.run(DELIVERIES, { ids: jobs.map((job) => job.data.deliveryId) });
  return new Map(rows.map((row) => [row.id, loaded(row)]));
}

/** A delivery to an endpoint goes to the endpoint's present address. */
function loaded({ target, state, sealedSecret, previousSecrets, ...row }: RowOf<typeof DELIVERIES>): LoadedDelivery {
  const { endpointId: id } = row;
  if (id === null || state === null || sealedSecret === null) return { ...row, endpoint: null };
  const endpoint = { id, state, sealedSecret, previousSecrets: previousSecrets ?? [] };
  return { ...row, url: target ?? row.url, endpoint };
}

/** Waits until all attempts are done, at most `STOP_MS`. Each end of an attempt wakes the waker. */
async function drain(waker: Waker, isDone: () => boolean): Promise<void> {
  const late = AbortSignal.timeout(STOP_MS);
  while (!isDone() && !late.aborted) {
    await waker.sleep(STOP_MS, late);
    waker.takeWake();
  }
}
