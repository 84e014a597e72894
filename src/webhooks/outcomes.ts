import type { Job } from 'pg-boss';
import type { Deps } from '../platform/deps.ts';
import { WEBHOOK_QUEUE } from '../platform/jobs.ts';
import { inTransaction, type UnitOfWork } from '../platform/unit-of-work.ts';
import type { AttemptResult, OwedDelivery } from './deliver.ts';
import { jobFor, RETRY_DELAY_MS } from './owe.ts';

/** An attempt that was made under a claim of the queue. */
export interface Outcome {
  readonly job: Pick<Job, 'id' | 'retryCount'>;
  readonly turn: 1 | 2;
  readonly delivery: OwedDelivery;
  readonly result: AttemptResult;
  /** When it ended, on the monotonic clock. */
  readonly endedMs: number;
}

type OutcomeDeps = Pick<Deps, 'orm' | 'boss' | 'log'>;

const UPDATE_DELIVERIES = `
  update webhook_deliveries d
  set state = case when x.ok then 'delivered' when x.last and d.state <> 'delivered' then 'failed' else d.state end,
      finished_at = case when x.ok or (x.last and d.state <> 'delivered') then x.at else d.finished_at end
  from json_to_recordset($1::text::json) as x(id text, ok boolean, last boolean, at bigint)
  where d.id = x.id`;

const INSERT_ATTEMPTS = `
  insert into webhook_attempts (delivery_id, number, at, duration_ms, status_code, error, answer)
  select x.id,
         coalesce((select max(a.number) from webhook_attempts a where a.delivery_id = x.id), 0)
           + row_number() over (partition by x.id order by x.at),
         x.at, x.duration, x.status, x.error, x.answer
  from json_to_recordset($1::text::json)
    as x(id text, at bigint, duration integer, status integer, error text, answer text)`;

/**
 * Writes many outcomes in one transaction: the claims are settled, the attempts noted, the deliveries moved on, and second attempts enqueued. An outcome
 * whose claim was lost meanwhile is dropped: somebody else is making, or has made, that attempt, and only one of them may count. Answers how many second
 * attempts there will be.
 */
export async function recordOutcomes(deps: OutcomeDeps, outcomes: readonly Outcome[]): Promise<number> {
  const recordedMs = performance.now();
  const { retries, failed } = await inTransaction(deps, async (uow) => {
    const held = await settleClaims(deps, uow, outcomes);
    // The rows are locked by the update before the attempts are numbered, so that two workers never give the same number.
    await uow.sql(UPDATE_DELIVERIES, [JSON.stringify(movesOf(held))]);
    await uow.sql(INSERT_ATTEMPTS, [JSON.stringify(held.map(attemptRow))]);
    const retries = held.filter(({ result, turn }) => !result.ok && turn === 1);
    const jobs = retries.map(({ delivery, endedMs }) =>
      jobFor(delivery, 2, Math.max(RETRY_DELAY_MS - (recordedMs - endedMs), 1)),
    );
    if (jobs.length > 0) await deps.boss.insert(WEBHOOK_QUEUE, jobs, { db: uow.db });
    return { retries: jobs.length, failed: held.filter(({ result, turn }) => !result.ok && turn === 2) };
  });
  for (const { delivery, result } of failed) {
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
  return retries;
}

async function settleClaims({ boss }: OutcomeDeps, uow: UnitOfWork, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const claims = outcomes.map(({ job }) => ({ id: job.id, retryCount: job.retryCount }));
  const { settled } = (await boss.deleteJob(WEBHOOK_QUEUE, claims, { db: uow.db })) as { settled?: string[] };
  const held = new Set(settled);
  return outcomes.filter(({ job }) => held.has(job.id));
}

/** One row a delivery; two attempts of one delivery may end at once, when it was also sent again by hand. In the order of ids, against deadlocks. */
function movesOf(outcomes: readonly Outcome[]) {
  const moves = new Map<string, { id: string; ok: boolean; last: boolean; at: number }>();
  for (const { delivery, result, turn } of outcomes) {
    const known = moves.get(delivery.id);
    moves.set(delivery.id, {
      id: delivery.id,
      ok: result.ok || known?.ok === true,
      last: turn === 2 || known?.last === true,
      at: result.at + result.durationMs,
    });
  }
  return [...moves.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const attemptRow = ({ delivery, result }: Outcome) => ({
  id: delivery.id,
  at: result.at,
  duration: result.durationMs,
  status: result.statusCode,
  error: result.error?.replaceAll('\0', '') ?? null,
  answer: result.answer,
});
