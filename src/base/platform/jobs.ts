import { setTimeout as pause } from 'node:timers/promises';
import { CronExpressionParser } from 'cron-parser';
import { sql } from 'kysely';
import type { Wallet } from '../core/wallet.ts';
import type { Db } from './db.ts';
import type { Logger } from './log/log.ts';
import { logFailure } from './log/outage.ts';
import { query } from './postgres/query.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import { createWaker } from './wake.ts';

/** The queue of spend permissions to revoke on the chain. */
export const REVOKE_QUEUE = 'subscription.revoke';

/** The queue that triggers the charges of all due subscriptions. */
export const CHARGE_QUEUE = 'subscription.charge';

/** The queue of new subscriptions whose first charge is due. */
export const FIRST_CHARGE_QUEUE = 'charges.first';

/** The queue of receipts of charges that were paid by another payment than the charge. */
export const CHARGE_PAID_QUEUE = 'subscription.paid';

/** The queue of receipts that were stored after the watcher may have passed the blocks of their payments. */
export const RESCAN_QUEUE = 'payments.rescan';

/** The queue of e-mails that wait for the SMTP server. */
export const MAIL_QUEUE = 'mail';

/** The queue that looks for the charges which subscribers are reminded of. */
export const REMINDER_QUEUE = 'mail.reminders';

/** A receipt of the queue. */
export interface LateReceiptJob {
  readonly merchant: Wallet;
  readonly id: string;
}

/** How a queue is worked on. */
interface Queue {
  /** Longer than the work takes. A worker that takes more counts as hung: it extends its claim no longer. */
  readonly workMs: number;
  /** The delay after the first failure. Each further one doubles it, up to the limit. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
  /** After this number of claims a job is given up. */
  readonly claims: number;
}

/** How long a claim lasts without its worker, which extends it while it works. Then the worker counts as dead. */
const CLAIM_MS = 30_000;
const EXTEND_MS = 10_000;

/** About a week of retries, for a chain that is unavailable or a spender without funds. */
const WEEK = { retryMaxMs: 3_600_000, claims: 200 };

const QUEUES = {
  // If a worker dies during a charge, another one follows. If it is only slow, the second one finds it running and does
  // nothing.
  [CHARGE_QUEUE]: { workMs: 900_000, retryMs: 60_000, retryMaxMs: 60_000, claims: 6 },
  // After this the run of all due subscriptions charges it.
  [FIRST_CHARGE_QUEUE]: { workMs: 120_000, retryMs: 2_000, retryMaxMs: 600_000, claims: 20 },
  [CHARGE_PAID_QUEUE]: { workMs: 60_000, retryMs: 5_000, ...WEEK },
  [RESCAN_QUEUE]: { workMs: 900_000, retryMs: 5_000, ...WEEK },
  // A message gives up by its own age. The work outlasts the commands of a slow SMTP server.
  [MAIL_QUEUE]: { workMs: 300_000, retryMs: 5_000, retryMaxMs: 600_000, claims: 1_000_000 },
  [REMINDER_QUEUE]: { workMs: 600_000, retryMs: 60_000, ...WEEK },
  [REVOKE_QUEUE]: { workMs: 60_000, retryMs: 15_000, ...WEEK },
} as const satisfies Readonly<Record<string, Queue>>;

export type QueueName = keyof typeof QUEUES;

/** The time of the database, epoch ms. All processes compare with it. */
export const DATABASE_MS = sql<number>`floor(extract(epoch from now()) * 1000)::int8`;

const ENQUEUE = query(
  'jobs-enqueue',
  (_db, $: { queue: QueueName; jobs: string; delayMs: number }) => sql<object>`
    insert into jobs (queue, data, due_at, claims)
    select ${$.queue}, data, ${DATABASE_MS} + ${$.delayMs}::int8, 0 from jsonb_array_elements(${$.jobs}::jsonb) data`,
);

/** Enqueues jobs in the caller's transaction. They are due after the delay. */
export async function enqueueJobs(
  uow: UnitOfWork,
  queue: QueueName,
  jobs: readonly object[],
  { delayMs = 0 } = {},
): Promise<void> {
  await uow.run(ENQUEUE, { queue, jobs: JSON.stringify(jobs), delayMs });
}

/** A job that this process has claimed. */
interface ClaimedJob {
  readonly id: number;
  readonly claims: number;
  readonly schedule: string | null;
  readonly data: unknown;
}

const CLAIM = query(
  'jobs-claim',
  (_db, $: { queue: QueueName; limit: number }) => sql<ClaimedJob>`
    with due as (
      select id from jobs where queue = ${$.queue} and due_at <= ${DATABASE_MS}
       order by due_at, id limit ${$.limit}::int4 for update skip locked)
    update jobs j set due_at = ${DATABASE_MS} + ${sql.lit(CLAIM_MS)}, claims = claims + 1
      from due where j.id = due.id returning j.id, j.claims, j.schedule, j.data`,
  { computed: { id: 'int8', claims: 'int4', schedule: 'text', data: 'jsonb' } },
);

/** The claims that this process still holds: another one that has claimed a job since then counts for itself. */
const held = (claims: unknown) =>
  sql`jsonb_to_recordset(${claims}::jsonb) as held(id int8, claims int4) where j.id = held.id and j.claims = held.claims`;

const DELETE = query(
  'jobs-delete',
  (_db, $: { claims: string }) => sql<object>`delete from jobs j using ${held($.claims)}`,
);
const DELAY = query(
  'jobs-delay',
  (_db, $: { claims: string; delayMs: number }) => sql<{ id: number }>`
    update jobs j set due_at = ${DATABASE_MS} + ${$.delayMs}::int8 from ${held($.claims)} returning j.id`,
  { computed: { id: 'int8' } },
);
const REPEAT = query(
  'jobs-repeat',
  (_db, $: { claims: string; dueAt: number }) => sql<object>`
    update jobs j set due_at = ${$.dueAt}::int8, claims = 0 from ${held($.claims)}`,
);

const POLL_MS = 500;
const STOP_MS = 5_000;

/** That work could not be done yet, for a reason that its own log has. */
export const LATER = Symbol('later');

/**
 * Works on the jobs of a queue until it is stopped, one after the other or `atOnce` together. Jobs whose work fails, or
 * returns `LATER`, are repeated after a delay, and given up after many. Any number of processes may work on one queue.
 *
 * A stop abandons work that does not end in time: another process repeats it.
 */
export function workOn<Data>(
  db: Db,
  log: Logger,
  queue: QueueName,
  work: (jobs: readonly Data[]) => Promise<unknown>,
  { atOnce = 1 } = {},
): { stop(): Promise<void> } {
  return repeat(log, queue, async () => {
    const jobs = await db.run(CLAIM, { queue, limit: atOnce });
    if (jobs.length > 0) await finish(db, log, queue, jobs, () => work(jobs.map(({ data }) => data as Data)));
    return jobs.length > 0;
  });
}

/** Extends a claim. Resolves to false once another worker has the job. */
export type KeepClaim = () => Promise<boolean>;

/**
 * Works on up to `atOnce` jobs of a queue at the same time until it is stopped, and takes the next one as soon as one
 * of them has ended. They begin in the order in which they were enqueued. The rest is as with `workOn`.
 */
export function workOnEach<Data>(
  db: Db,
  log: Logger,
  queue: QueueName,
  work: (job: Data, keep: KeepClaim) => Promise<unknown>,
  { atOnce }: { readonly atOnce: number },
): { stop(): Promise<void> } {
  const running = new Set<Promise<void>>();
  const claimAndStart = async () => {
    const jobs = await db.run(CLAIM, { queue, limit: atOnce - running.size });
    for (const job of jobs.toSorted((a, b) => a.id - b.id)) {
      const one = finish(db, log, queue, [job], () => work(job.data as Data, () => extend(db, [job])))
        .catch((error: unknown) => logFailure(log, error, 'job not ended', { queue }))
        .finally(() => running.delete(one));
      running.add(one);
    }
    if (running.size === atOnce) await Promise.race(running);
    return jobs.length > 0;
  };
  return repeat(log, queue, claimAndStart, () => Promise.all(running));
}

/** Claims jobs until it is stopped, after a pause whenever there was none. `rest` is what a stop waits for as well. */
function repeat(
  log: Logger,
  queue: QueueName,
  claim: () => Promise<boolean>,
  rest: () => Promise<unknown> = async () => {},
): { stop(): Promise<void> } {
  const waker = createWaker();
  const stopping = new AbortController();
  const working = (async () => {
    while (!stopping.signal.aborted) {
      try {
        if (await claim()) continue;
      } catch (error) {
        logFailure(log, error, 'jobs not claimed', { queue });
      }
      await waker.sleep(POLL_MS, stopping.signal);
    }
    await rest();
  })();
  return {
    async stop() {
      stopping.abort();
      await Promise.race([working, pause(STOP_MS, undefined, { ref: false })]);
    },
  };
}

/** Works on claimed jobs, and deletes them or delays them. */
async function finish(
  db: Db,
  log: Logger,
  queue: QueueName,
  jobs: readonly ClaimedJob[],
  work: () => Promise<unknown>,
): Promise<void> {
  const stopExtending = keepExtending(db, log, queue, jobs);
  const result = await work().catch((error: unknown) => {
    logFailure(log, error, 'job failed', { queue });
    return LATER;
  });
  await stopExtending();
  await (result === LATER ? afterFailure(db, log, queue, jobs) : end(db, jobs));
}

const extend = async (db: Db, jobs: readonly ClaimedJob[]): Promise<boolean> =>
  (await db.run(DELAY, { claims: claimsOf(jobs), delayMs: CLAIM_MS })).length === jobs.length;

/** Extends claims until the function that it returns is called, at most for as long as the work may take. */
function keepExtending(db: Db, log: Logger, queue: QueueName, jobs: readonly ClaimedJob[]): () => Promise<void> {
  const endAt = performance.now() + QUEUES[queue].workMs;
  let last: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    if (performance.now() + CLAIM_MS >= endAt) return clearInterval(timer);
    last = extend(db, jobs).catch((error: unknown) => logFailure(log, error, 'claim not extended', { queue }));
  }, EXTEND_MS).unref();
  // A late extension would replace the delay of a retry.
  return async () => {
    clearInterval(timer);
    await last;
  };
}

/** Deletes jobs; a repeated one waits for its next time. */
async function end(database: Db, jobs: readonly ClaimedJob[]): Promise<void> {
  const repeated = jobs.filter(({ schedule }) => schedule !== null);
  const once = jobs.filter(({ schedule }) => schedule === null);
  if (once.length > 0) await database.run(DELETE, { claims: claimsOf(once) });
  for (const job of repeated) {
    await database.run(REPEAT, { claims: claimsOf([job]), dueAt: nextTime(job.schedule as string, Date.now()) });
  }
}

async function afterFailure(db: Db, log: Logger, queue: QueueName, jobs: readonly ClaimedJob[]): Promise<void> {
  const { retryMs, retryMaxMs, claims: limit } = QUEUES[queue];
  const givenUp = jobs.filter(({ claims }) => claims >= limit);
  for (const { data } of givenUp) log.error({ queue, data }, 'job given up');
  if (givenUp.length > 0) await end(db, givenUp);
  for (const [claims, same] of Map.groupBy(jobs, (job) => job.claims)) {
    if (claims >= limit) continue;
    const delayMs = Math.min(retryMaxMs, retryMs * 2 ** Math.min(claims - 1, 16));
    await db.run(DELAY, { claims: claimsOf(same), delayMs });
  }
}

const claimsOf = (jobs: readonly ClaimedJob[]): string =>
  JSON.stringify(jobs.map(({ id, claims }) => ({ id, claims })));

/** The first time of a cron expression, in UTC, after a time. Both in epoch ms. */
const nextTime = (schedule: string, afterMs: number): number =>
  CronExpressionParser.parse(schedule, { tz: 'UTC', currentDate: afterMs }).next().getTime();

const SCHEDULED = query('jobs-scheduled', (db, $: { queue: QueueName }) =>
  db.selectFrom('Job').select(['schedule', 'data']).where('queue', '=', $.queue).where('schedule', 'is not', null),
);
const SCHEDULE = query(
  'jobs-schedule',
  (_db, $: { queue: QueueName; schedule: string; dueAt: number }) => sql<object>`
    insert into jobs (queue, data, due_at, claims, schedule)
    values (${$.queue}, '{}', ${$.dueAt}::int8, 0, ${$.schedule})
    on conflict (queue) where schedule is not null
      do update set schedule = excluded.schedule, due_at = excluded.due_at, claims = 0, data = excluded.data
      where jobs.schedule <> excluded.schedule`,
);
const UNSCHEDULE = query(
  'jobs-unschedule',
  (_db, $: { queue: QueueName }) => sql<object>`
  delete from jobs where queue = ${$.queue} and schedule is not null`,
);

/**
 * Repeats a job without data at the times of a cron expression, in UTC; null: no more. There is one for all processes.
 * Times that pass while no worker runs are made up for once.
 */
export async function schedule(database: Db, queue: QueueName, expression: string | null): Promise<void> {
  if (expression === null) return void (await database.run(UNSCHEDULE, { queue }));
  const [known] = await database.run(SCHEDULED, { queue });
  // The migration to this table leaves the time until which the version before it has repeated the job.
  const { repeatedUntil = Date.now() } = (known?.data ?? {}) as { readonly repeatedUntil?: number };
  await database.run(SCHEDULE, { queue, schedule: expression, dueAt: nextTime(expression, repeatedUntil) });
}

/** The jobs of a queue that could run now. */
export interface QueueAge<Name extends string = string> {
  readonly name: Name;
  readonly waiting: number;
  /** Since when the oldest of them waits, in seconds; 0 without one. */
  readonly oldestSeconds: number;
}

/** The jobs that could run now, by queue, as a select of a statement; without the queues that have none. */
export const WAITING_JOBS = sql<QueueAge>`
  select queue as name, count(*)::int as waiting, ((${DATABASE_MS} - min(due_at)) / 1000)::int as "oldestSeconds"
    from jobs where due_at <= ${DATABASE_MS} group by queue`;
