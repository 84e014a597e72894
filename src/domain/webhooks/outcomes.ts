import { type Kysely, sql } from 'kysely';
import type { Job } from 'pg-boss';
import type { Deps } from '../../base/platform/deps.ts';
import { deleteClaimedJobs, type ReturnColumns, returnClaimedJobs } from '../../base/platform/job-table.ts';
import { WEBHOOK_QUEUE } from '../../base/platform/jobs.ts';
import type { Logger } from '../../base/platform/log/log.ts';
import type { Database } from '../../base/platform/postgres/database.ts';
import { query } from '../../base/platform/postgres/query.ts';
import type { AttemptResult, PendingDelivery } from './deliver.ts';
import { recordEndpointResults } from './endpoints/results.ts';
import { attemptOf, type DeliveryJob, retryDelayMs } from './enqueue.ts';
import { moveDeliveries } from './move-deliveries.ts';

/** An attempt made under a claim of the queue. */
export interface Outcome {
  readonly job: Pick<Job<DeliveryJob>, 'id' | 'retryCount' | 'data'>;
  readonly delivery: PendingDelivery;
  readonly result: AttemptResult;
  /** When it ended, on the monotonic clock. */
  readonly endedMs: number;
  /**
   * Set if nothing was sent because the key could not be decrypted. The attempt does not count, and is repeated after
   * this delay.
   */
  readonly postponeMs?: number;
  /** Set if nothing was sent and nothing will be: the endpoint is disabled or deleted. */
  readonly final?: true;
}

/** An outcome as a row of the statement. */
interface OutcomeRow extends ReturnColumns {
  /** The delivery. */
  readonly id: string;
  readonly ok: boolean;
  /** Whether no attempt follows if this one failed. */
  readonly last: boolean;
  /** Whether nothing was sent, because the key could not be decrypted. */
  readonly unsent: boolean;
  /** When the attempt began, epoch ms. */
  readonly at: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

/** The last attempts and the accepted ones of this statement, by delivery. */
const ENDED = sql<{ id: string; ok: boolean; finished: number }>`ended`.as('x');

/**
 * Writes all effects of an outcome in one statement, so in one transaction and one round trip.
 *
 * - A success or the last attempt removes the job from the queue.
 * - Another failure returns the job with the number of the next attempt and its delay.
 * - An attempt that could not be signed returns the job with the same number, and is recorded once.
 *
 * If another worker has claimed the job meanwhile, nothing of the outcome is written.
 */
const RECORD = query(
  'webhook-outcomes-record',
  (db, $: { outcomes: string }) =>
    db
      .with(
        'outcome',
        () => sql<OutcomeRow>`
          (select * from json_to_recordset(${$.outcomes}::text::json) as x(
            job uuid, claim int, data jsonb, delay float8, id text, ok boolean, last boolean, unsent boolean,
            at int8, duration int, status int, error text, answer text))`,
      )
      .with('finished', (cte) => cte.selectFrom('outcome').select(['job', 'claim']).where(sql<boolean>`ok or last`))
      .with('repeated', (cte) =>
        cte.selectFrom('outcome').select(['job', 'claim', 'data', 'delay']).where(sql<boolean>`not (ok or last)`),
      )
      .with('settled', () => deleteClaimedJobs(WEBHOOK_QUEUE, 'finished'))
      .with('postponed', () => returnClaimedJobs(WEBHOOK_QUEUE, 'repeated'))
      .with('held', (cte) =>
        cte
          .selectFrom('outcome')
          .selectAll()
          .where('job', 'in', (eb) =>
            eb.selectFrom('settled').select('job').unionAll(eb.selectFrom('postponed').select('job')),
          ),
      )
      .with('ended', (cte) =>
        cte
          .selectFrom('held')
          .select(['id', sql`bool_or(ok)`.as('ok'), sql`max(at + duration)`.as('finished')])
          .groupBy('id')
          .having(sql<boolean>`bool_or(ok or last)`),
      )
      .with('delivered', () => endDeliveries(db, 'delivered').where('x.ok', '=', true))
      .with('failed', () => endDeliveries(db, 'failed').where('x.ok', '=', false))
      .with('noted', (cte) =>
        cte
          .insertInto('Attempt')
          .columns(['deliveryId', 'number', 'at', 'durationMs', 'statusCode', 'error', 'answer'])
          .expression(() =>
            cte
              .selectFrom('held as h')
              .select([
                'h.id',
                (eb) =>
                  sql<number>`coalesce(${eb.selectFrom('Attempt as a').select(sql`max(a.number)`.as('number')).whereRef('a.deliveryId', '=', 'h.id')}, 0)
                    + row_number() over (partition by h.id order by h.at)`.as('number'),
                'h.at',
                'h.duration',
                'h.status',
                'h.error',
                'h.answer',
              ])
              .where(({ and, exists, not, selectFrom }) =>
                not(
                  and([
                    sql<boolean>`h.unsent`,
                    exists(
                      selectFrom('Attempt as a')
                        .select(sql`1`.as('one'))
                        .whereRef('a.deliveryId', '=', 'h.id')
                        .whereRef('a.error', '=', 'h.error'),
                    ),
                  ]),
                ),
              ),
          ),
      )
      .selectFrom('held')
      .select(sql<string>`job::text`.as('job'))
      .where(sql<boolean>`not ok and not unsent`),
  { computed: { job: 'text' } },
);

const endDeliveries = (db: Kysely<Database>, to: 'delivered' | 'failed') =>
  moveDeliveries(db, to, sql<number>`x.finished`).from(ENDED).whereRef('Delivery.id', '=', 'x.id');

/**
 * Writes many outcomes at once. An outcome whose claim was lost is dropped, because another worker makes that attempt
 * and only one may count. Logs deliveries whose last attempt failed. Returns the delays after which failed attempts are
 * repeated.
 */
export async function recordOutcomes(
  deps: Pick<Deps, 'sql' | 'log'>,
  outcomes: readonly Outcome[],
): Promise<ReadonlySet<number>> {
  const rows = outcomes.map(rowOf(performance.now()));
  const failed = new Set((await deps.sql.run(RECORD, { outcomes: JSON.stringify(rows) })).map(({ job }) => job));
  await recordEndpointResults(deps, outcomes);
  const delaysMs = new Set<number>();
  for (const outcome of outcomes) {
    if (!failed.has(outcome.job.id) || outcome.final) continue;
    const delayMs = retryDelayMs(outcome.delivery, attemptOf(outcome.job.data));
    if (delayMs === null) logFailedDelivery(deps.log, outcome);
    else delaysMs.add(delayMs);
  }
  return delaysMs;
}

function logFailedDelivery(log: Logger, { delivery, result: { statusCode, error } }: Outcome): void {
  const { id, merchant, receiptId, endpointId, url } = delivery;
  const host = URL.parse(url)?.host;
  log.error(
    { delivery: id, merchant, ...(endpointId === null ? { receiptId } : { endpointId }), host, statusCode, error },
    'webhook not delivered: all attempts failed',
  );
}

const rowOf =
  (nowMs: number) =>
  ({ job, delivery, result, endedMs, postponeMs, final }: Outcome): OutcomeRow => {
    const unsent = postponeMs !== undefined;
    const attempt = attemptOf(job.data);
    const delayMs = unsent ? postponeMs : final ? null : retryDelayMs(delivery, attempt);
    return {
      job: job.id,
      claim: job.retryCount,
      data: { attempt: unsent ? attempt : attempt + 1 },
      delay: Math.max((delayMs ?? 0) - (nowMs - endedMs), 0),
      id: delivery.id,
      ok: result.ok,
      last: delayMs === null,
      unsent,
      at: result.at,
      duration: result.durationMs,
      status: result.statusCode,
      error: result.error?.replaceAll('\0', '') ?? null,
      answer: result.answer,
    };
  };
