import type { Job } from 'pg-boss';
import type { Deps } from '../platform/deps.ts';
import { WEBHOOK_QUEUE } from '../platform/jobs.ts';
import { statement } from '../platform/sql.ts';
import type { AttemptResult, PendingDelivery } from './deliver.ts';
import { type DeliveryJob, RETRY_DELAY_MS } from './enqueue.ts';

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
}

/**
 * Writes all effects of an outcome in one statement, so in one transaction and one round trip. This determines the
 * delivery rate, and is why the statement writes to the queue's table directly.
 *
 * - A success or the last attempt of a pair removes the job from the queue.
 * - A first failure returns the job with the next turn and its delay.
 * - An attempt that could not be signed returns the job with the same turn, and is recorded once.
 *
 * The claim is compared as in the queue's own functions: if another worker has claimed the job meanwhile, nothing of
 * the outcome is written.
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
 * Writes many outcomes at once. An outcome whose claim was lost is dropped, because another worker makes that attempt
 * and only one may count. Logs deliveries whose last attempt failed. Returns whether there will be second attempts.
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
  ({ job, delivery, result, endedMs, postponeMs }: Outcome) => ({
    job: job.id,
    claim: job.retryCount,
    id: delivery.id,
    ok: result.ok,
    last: job.data.turn === 2 && postponeMs === undefined,
    turn: postponeMs === undefined ? 2 : job.data.turn,
    unsent: postponeMs !== undefined,
    wait: Math.max((postponeMs ?? RETRY_DELAY_MS) - (nowMs - endedMs), 0),
    at: result.at,
    duration: result.durationMs,
    status: result.statusCode,
    error: result.error?.replaceAll('\0', '') ?? null,
    answer: result.answer,
  });
