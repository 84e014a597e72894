import { PgBoss, type Queue } from 'pg-boss';
import type { Logger } from './log.ts';
import { logFailure } from './outage.ts';

/** The queue of webhook deliveries that are owed. */
export const WEBHOOK_QUEUE = 'webhooks';

/** The queue of spend permissions that are to be revoked on the chain. */
export const REVOKE_QUEUE = 'subscription.revoke';

/** The queue that says when everything due is to be charged. */
export const CHARGE_QUEUE = 'subscription.charge';

/** The version of the queue's tables that `webhooks/outcomes.ts` writes to by statements of its own. */
const TABLES_VERSION = 43;

/** Longer than an attempt and the writing of its outcome can take; then its worker is thought dead, and the job runs again. */
const CLAIM_S = 10;
const YEAR_S = 365 * 86_400;

/**
 * Every queue. What a queue tries again is a claim that was lost with its worker; how often a delivery is tried is the domain's own business, so the
 * queue's limit is out of reach.
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
    // A worker that dies while it charges is followed by another one; where it only takes long, the second finds it at work and does nothing.
    expireInSeconds: 900,
    retryLimit: 5,
    retryDelay: 60,
    deleteAfterSeconds: 86_400,
  },
  {
    name: REVOKE_QUEUE,
    expireInSeconds: 60,
    // About a week, for a chain that is away or a spender that has run dry.
    retryLimit: 200,
    retryDelay: 15,
    retryBackoff: true,
    retryDelayMax: 3_600,
    retentionSeconds: YEAR_S,
    deleteAfterSeconds: 3_600,
  },
];

export interface JobsOptions {
  /** Also look after the queues: give back what dead workers had claimed, delete what is old. For a process that works on them. */
  readonly supervise?: boolean;
}

/**
 * Opens the job queue kept in `databaseUrl`, with its tables and queues made where they are missing. It outlives the loss of its connections; what goes
 * wrong meanwhile is logged. End it with `stop()`.
 */
export async function createJobs(
  databaseUrl: string,
  log: Logger,
  { supervise = false }: JobsOptions = {},
): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'quittance-jobs',
    max: supervise ? 6 : 2,
    connectionTimeoutMillis: 1_500,
    ...{ query_timeout: 10_000, keepAlive: true },
    supervise,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    queueCacheIntervalSeconds: 60,
    schedule: supervise,
    useListenNotify: supervise,
    notifyHeartbeatIntervalMs: 5_000,
    notifyHeartbeatTimeoutMs: 2_500,
  });
  // Some of them are plain objects with the fields of an error.
  boss.on('error', (error) => logFailure(log, Object.assign(new Error(error.message), error), 'job queue failed'));
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'job queue'));
  try {
    await boss.start();
    const version = await boss.schemaVersion();
    if (version !== TABLES_VERSION)
      throw new Error(
        `The job queue's tables are of version ${version}; this server writes those of ${TABLES_VERSION}`,
      );
    for (const { name, ...options } of QUEUES) {
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

/**
 * Tells the planner how full a queue is. The tables start out empty and fill within seconds, which its statistics only learn a minute later; until then
 * a fetch may read the whole queue.
 */
export async function analyzeQueue(boss: PgBoss, name: string): Promise<void> {
  const queue = await boss.getQueue(name);
  if (queue) await boss.getDb().executeSql(`analyze pgboss.${queue.table}`);
}
