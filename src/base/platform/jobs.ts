import { setTimeout } from 'node:timers/promises';
import { PgBoss, type Queue } from 'pg-boss';
import type { Wallet } from '../core/wallet.ts';
import { ConfigFaults } from './config/faults.ts';
import { requireJobTables } from './job-table.ts';
import type { Logger } from './log/log.ts';
import { logFailure } from './log/outage.ts';
import { limitsOf } from './postgres/database-limits.ts';

/** The queue of due webhook deliveries. */
export const WEBHOOK_QUEUE = 'webhooks';

/** The queue of spend permissions to revoke on the chain. */
export const REVOKE_QUEUE = 'subscription.revoke';

/** The queue that triggers the charges of all due subscriptions. */
export const CHARGE_QUEUE = 'subscription.charge';

/** The queue of receipts of charges that were paid by another payment than the charge. */
export const CHARGE_PAID_QUEUE = 'subscription.paid';

/** The queue of receipts that were stored after the watcher may have passed the blocks of their payments. */
export const RESCAN_QUEUE = 'payments.rescan';

/** A receipt of the queue. */
export interface LateReceiptJob {
  readonly merchant: Wallet;
  readonly id: string;
}

/**
 * Longer than an attempt and the write of its outcome can take. After it the worker counts as dead, and the job runs
 * again.
 */
const CLAIM_S = 10;
const YEAR_S = 365 * 86_400;

/** About a week of retries, for a chain that is unavailable or a spender without funds. */
const RETRIED = {
  retryLimit: 200,
  retryBackoff: true,
  retryDelayMax: 3_600,
  retentionSeconds: YEAR_S,
  deleteAfterSeconds: 3_600,
} as const;

/**
 * All queues. A queue's retries cover only claims that were lost with their worker. The domain decides how often a
 * delivery is attempted, so the queue's limit is set out of reach.
 */
const QUEUES: readonly Queue[] = [
  {
    name: WEBHOOK_QUEUE,
    partition: true,
    expireInSeconds: CLAIM_S,
    retryLimit: 10_000,
    retryDelay: 0,
    retentionSeconds: YEAR_S,
    deleteAfterSeconds: 3_600,
  },
  {
    name: CHARGE_QUEUE,
    // If a worker dies during a charge, another one follows. If it is only slow, the second one finds it running and
    // does nothing.
    expireInSeconds: 900,
    retryLimit: 5,
    retryDelay: 60,
    deleteAfterSeconds: 86_400,
  },
  {
    name: CHARGE_PAID_QUEUE,
    expireInSeconds: 60,
    ...RETRIED,
    retryDelay: 5,
  },
  {
    name: RESCAN_QUEUE,
    expireInSeconds: 900,
    ...RETRIED,
    retryDelay: 5,
  },
  {
    name: REVOKE_QUEUE,
    expireInSeconds: 60,
    ...RETRIED,
    retryDelay: 15,
  },
];

/** How pg-boss says that it must not create or change its tables, but would have to. */
const OTHER_TABLES = /^pg-boss (?:is not installed|database requires migrations)/;

export interface JobsOptions {
  /**
   * Also maintain the queues: release the claims of dead workers, delete old jobs. For processes that run workers.
   */
  readonly supervise?: boolean;
  /** Whether missing tables and queues are created. Otherwise missing tables are refused. */
  readonly migrates?: boolean;
}

/**
 * Opens the job queue in `databaseUrl`. It reconnects and logs failures. End it with `stop()`.
 */
export async function createJobs(
  databaseUrl: string,
  log: Logger,
  { supervise = false, migrates = true }: JobsOptions = {},
): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'quittance-jobs',
    max: supervise ? 6 : 2,
    connectionTimeoutMillis: limitsOf(databaseUrl).connectMs,
    ...{ query_timeout: 10_000, keepAlive: true },
    supervise,
    migrate: migrates,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    queueCacheIntervalSeconds: 60,
    schedule: supervise,
    useListenNotify: supervise,
    notifyHeartbeatIntervalMs: 5_000,
    notifyHeartbeatTimeoutMs: 2_500,
  });
  // Some errors are plain objects with the fields of an error.
  boss.on('error', (error) => logFailure(log, Object.assign(new Error(error.message), error), 'job queue failed'));
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'job queue'));
  try {
    await boss.start().catch((error: Error) => {
      throw OTHER_TABLES.test(error.message)
        ? new ConfigFaults(["The job queue's tables are missing or older than this version. Run: quittance migrate"])
        : error;
    });
    await requireJobTables(boss);
    for (const { name, ...options } of migrates ? QUEUES : []) {
      await boss.createQueue(name, options);
      const { partition, ...changeable } = options;
      await boss.updateQueue(name, changeable as Parameters<PgBoss['updateQueue']>[1]);
    }
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
}

const STOP_MS = 5_000;

/** Ends the work on a queue, and abandons a handler that does not end in time: another process repeats its job. */
export async function endWork(boss: PgBoss, queue: string): Promise<void> {
  await Promise.race([boss.offWork(queue), setTimeout(STOP_MS, undefined, { ref: false })]);
}
