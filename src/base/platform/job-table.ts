import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';

/**
 * Everything that touches the tables of pg-boss without its API. All other code uses the API.
 *
 * The outcome of a webhook and the end of its job must be one statement: this determines the delivery rate, and pg-boss
 * has no function that is part of another statement.
 */

/** The version of pg-boss' tables for which the statements of this file are written. */
export const JOB_TABLES_VERSION = 43;

/** Throws if the tables of the database have another version. Call it after pg-boss has started. */
export async function requireJobTables(boss: Pick<PgBoss, 'schemaVersion'>): Promise<void> {
  const version = await boss.schemaVersion();
  if (version === JOB_TABLES_VERSION) return;
  throw new Error(`The job queue's tables have version ${version}; this server needs version ${JOB_TABLES_VERSION}`);
}

/** The columns of a relation of claims: the job, and the number of its claim (`Job.retryCount`). */
export interface ClaimColumns {
  readonly job: string;
  readonly claim: number;
}

/** The columns of a relation of claims to return to the queue. */
export interface ReturnColumns extends ClaimColumns {
  /** Replaces these fields of the job's data. */
  readonly data: object;
  /** The delay until the job may be claimed again, in milliseconds. */
  readonly delay: number;
}

/** Compares as the functions of pg-boss do: a claim is lost once another worker has claimed the job. */
const holdsClaim = (queue: string) =>
  sql<boolean>`j.name = ${queue} and j.id = c.job and j.state = 'active' and j.retry_count = c.claim`;

/**
 * Deletes claimed jobs, as a CTE of a statement. Lost claims are ignored.
 *
 * @param claims the name of a CTE with the columns of `ClaimColumns`
 */
export const deleteClaimedJobs = (queue: string, claims: string) =>
  sql<Pick<ClaimColumns, 'job'>>`
    (delete from pgboss.job j using ${sql.id(claims)} c where ${holdsClaim(queue)} returning j.id as job)`;

/**
 * Returns claimed jobs to the queue, as a CTE of a statement. Lost claims are ignored.
 *
 * @param claims the name of a CTE with the columns of `ReturnColumns`
 */
export const returnClaimedJobs = (queue: string, claims: string) =>
  sql<Pick<ClaimColumns, 'job'>>`
    (update pgboss.job j
       set state = 'retry', data = j.data || c.data, start_after = pgboss.job_now() + c.delay * interval '1 ms'
      from ${sql.id(claims)} c where ${holdsClaim(queue)} returning j.id as job)`;

/**
 * Updates the planner's statistics of a queue. The tables start empty and fill within seconds, but autovacuum analyzes
 * them only after a minute; until then a fetch may read the whole queue.
 */
export async function analyzeQueue(boss: PgBoss, name: string): Promise<void> {
  const queue = await boss.getQueue(name);
  if (queue) await boss.getDb().executeSql(`analyze pgboss.${queue.table}`);
}

/** The jobs of a queue that could run now. */
export interface QueueAge<Name extends string = string> {
  readonly name: Name;
  readonly waiting: number;
  /** Since when the oldest of them waits, in seconds; 0 without one. */
  readonly oldestSeconds: number;
}

/** The jobs that could run now, by queue, as a relation of a statement; without the queues that have none. */
export const waitingJobs = (queues: readonly string[]) => sql<QueueAge>`
  (select name, count(*)::int as waiting,
          extract(epoch from max(pgboss.job_now() - start_after))::int as "oldestSeconds"
     from pgboss.job
    where name in (${sql.join(queues.map((queue) => sql.lit(queue)))}) and state < 'active'
      and start_after <= pgboss.job_now()
    group by name)`;

/** The jobs that wait for a worker, by queue. */
export async function readQueueAges<Name extends string>(
  boss: PgBoss,
  queues: readonly Name[],
): Promise<QueueAge<Name>[]> {
  const { rows } = await boss.getDb().executeSql(
    `select name, count(*)::int as waiting,
            extract(epoch from max(pgboss.job_now() - start_after))::int as "oldestSeconds"
       from pgboss.job where name = any($1) and state < 'active' and start_after <= pgboss.job_now() group by name`,
    [queues],
  );
  const found = new Map((rows as QueueAge<Name>[]).map((row) => [row.name, row]));
  return queues.map((name) => found.get(name) ?? { name, waiting: 0, oldestSeconds: 0 });
}
