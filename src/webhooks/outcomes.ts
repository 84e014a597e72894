import type { Job } from 'pg-boss';
import type { Deps } from '../platform/deps.ts';
import { WEBHOOK_QUEUE } from '../platform/jobs.ts';
import { statement } from '../platform/sql.ts';
import type { AttemptResult, OwedDelivery } from './deliver.ts';
import { type OwedJob, RETRY_DELAY_MS } from './enqueue.ts';

/** An attempt that was made under a claim of the queue. */
export interface Outcome {
  readonly job: Pick<Job<OwedJob>, 'id' | 'retryCount' | 'data'>;
  readonly delivery: OwedDelivery;
  readonly result: AttemptResult;
  /** When it ended, on the monotonic clock. */
  readonly endedMs: number;
  /**
   * Nothing was sent, because the key could not be decrypted: the attempt does not count, and is made after so many milliseconds. Absent where it was sent.
   */
  readonly putOffMs?: number;
}

/**
 * All that an outcome changes, in one statement and so in one transaction and one round trip: that decides how many deliveries a second there can be, and
 * is why it writes to the queue's table itself. What succeeded or was the last of its pair leaves the queue; a first failure goes back with its turn and
 * its delay; one that could not be signed goes back with the turn it had, and is noted once. The claim is compared as the queue's own functions do it: a job that was given to somebody else meanwhile is left alone, and nothing else of
 * that outcome is written.
 */
const RECORD = statement(
  'webhook-outcomes-record',
  `with outcome as (
     select * from json_to_recordset($1::text::json) as x(
       job uuid, claim integer, id text, ok boolean, last boolean, turn integer, unsent boolean, wait double precision,
       at bigint, duration integer, status integer, error text, answer text)
   ), settled as (
     delete from pgboss.job j using outcome o
     where j.name = '${WEBHOOK_QUEUE}' and j.id = o.job and j.state = 'active' and j.retry_count = o.claim
       and (o.ok or o.last)
     returning j.id
   ), postponed as (
     update pgboss.job j
     set state = 'retry', data = jsonb_set(j.data, '{turn}', to_jsonb(o.turn)), start_after = pgboss.job_now() + o.wait * interval '1 ms'
     from outcome o
     where j.name = '${WEBHOOK_QUEUE}' and j.id = o.job and j.state = 'active' and j.retry_count = o.claim
       and not (o.ok or o.last)
     returning j.id
   ), held as (
     select * from outcome where job in (select id from settled union all select id from postponed)
   ), moved as (
     update webhook_deliveries d
     set state = case when x.ok then 'delivered' when x.last and d.state <> 'delivered' then 'failed' else d.state end,
         finished_at = case when x.ok or (x.last and d.state <> 'delivered') then x.finished else d.finished_at end
     from (select id, bool_or(ok) as ok, bool_or(last) as last, max(at + duration) as finished from held group by id) x
     where d.id = x.id
   ), noted as (
     insert into webhook_attempts (delivery_id, number, at, duration_ms, status_code, error, answer)
     select h.id,
            coalesce((select max(a.number) from webhook_attempts a where a.delivery_id = h.id), 0)
              + row_number() over (partition by h.id order by h.at),
            h.at, h.duration, h.status, h.error, h.answer
     from held h
     where not (h.unsent and exists (select 1 from webhook_attempts a where a.delivery_id = h.id and a.error = h.error))
   )
   select job from held where not ok and not unsent`,
);

/**
 * Writes many outcomes at once. One whose claim was lost meanwhile is dropped: somebody else is making, or has made, that attempt, and only one of them
 * may count. Deliveries whose last attempt failed are logged. Answers whether there will be second attempts.
 */
export async function recordOutcomes(deps: Pick<Deps, 'sql' | 'log'>, outcomes: readonly Outcome[]): Promise<boolean> {
  const rows = outcomes.map(rowOf(performance.now()));
  const failed = await deps.sql.rows<{ job: string }>(RECORD, [JSON.stringify(rows)]);
  if (failed.length === 0) return false;
  const failures = new Set(failed.map(({ job }) => job));
  for (const { job, delivery, result } of outcomes) {
    if (job.data.turn === 1 || !failures.has(job.id)) continue;
    deps.log.error(
      {
        delivery: delivery.id,
        merchant: delivery.merchant,
        receiptId: delivery.receiptId,
        host: URL.parse(delivery.url)?.host,
        statusCode: result.statusCode,
        error: result.error,
      },
      'webhook not delivered: both attempts failed',
    );
  }
  return outcomes.some(({ job }) => job.data.turn === 1 && failures.has(job.id));
}

const rowOf =
  (nowMs: number) =>
  ({ job, delivery, result, endedMs, putOffMs }: Outcome) => ({
    job: job.id,
    claim: job.retryCount,
    id: delivery.id,
    ok: result.ok,
    last: job.data.turn === 2 && putOffMs === undefined,
    turn: putOffMs === undefined ? 2 : job.data.turn,
    unsent: putOffMs !== undefined,
    wait: Math.max((putOffMs ?? RETRY_DELAY_MS) - (nowMs - endedMs), 0),
    at: result.at,
    duration: result.durationMs,
    status: result.statusCode,
    error: result.error?.replaceAll('\0', '') ?? null,
    answer: result.answer,
  });
