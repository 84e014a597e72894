import { type Kysely, sql } from 'kysely';
import { DATABASE_MS } from '../../../base/platform/jobs.ts';
import type { Logger } from '../../../base/platform/log/log.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type ResultDeps, recordEndpointResults } from '../endpoints/results.ts';
import type { Outcome } from './send.ts';
import { moveDeliveries } from './state.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The delay before each further attempt of a receipt's webhook, after the failure of the one before. */
const RECEIPT_DELAYS_MS: readonly number[] = [5 * SECOND_MS];
/** The same for an event that is sent to an endpoint. */
const ENDPOINT_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** The delay after the failure of a delivery's attempt with this number; null after the last one. */
const retryDelayMs = ({ endpointId }: { readonly endpointId: string | null }, attempt: number): number | null =>
  (endpointId === null ? RECEIPT_DELAYS_MS : ENDPOINT_DELAYS_MS)[attempt - 1] ?? null;

/** An outcome as a row of the statement. */
interface OutcomeRow {
  readonly job: number;
  readonly claim: number;
  /** The number of the attempt that follows, and the delay before it in milliseconds. */
  readonly attempt: number;
  readonly delay: number;
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
            job int8, claim int, attempt int, delay int8, id text, ok boolean, last boolean, unsent boolean,
            at int8, duration int, status int, error text, answer text))`,
      )
      .with(
        'settled',
        () => sql<{ job: number }>`
          (delete from webhook_jobs j using outcome o
            where j.id = o.job and j.claims = o.claim and (o.ok or o.last) returning j.id as job)`,
      )
      .with(
        'repeated',
        () => sql<{ job: number }>`
          (update webhook_jobs j set due_at = ${DATABASE_MS} + o.delay, attempt = o.attempt from outcome o
            where j.id = o.job and j.claims = o.claim and not (o.ok or o.last) returning j.id as job)`,
      )
      .with('held', (cte) =>
        cte
          .selectFrom('outcome')
          .selectAll()
          .where('job', 'in', (eb) =>
            eb.selectFrom('settled').select('job').unionAll(eb.selectFrom('repeated').select('job')),
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
      .select('job')
      .where(sql<boolean>`not ok and not unsent`),
  { computed: { job: 'int8' } },
);

const endDeliveries = (db: Kysely<Database>, to: 'delivered' | 'failed') =>
  moveDeliveries(db, to, sql<number>`x.finished`).from(ENDED).whereRef('Delivery.id', '=', 'x.id');

/**
 * Writes many outcomes at once. An outcome whose claim was lost is dropped, because another worker makes that attempt
 * and only one may count. Logs deliveries whose last attempt failed. Returns the delays after which failed attempts are
 * repeated.
 */
async function recordOutcomes(deps: ResultDeps, outcomes: readonly Outcome[]): Promise<ReadonlySet<number>> {
  const { db, log } = deps;
  const rows = outcomes.map(rowOf(performance.now()));
  const failed = new Set((await db.run(RECORD, { outcomes: JSON.stringify(rows) })).map(({ job }) => job));
  await recordEndpointResults(deps, outcomes);
  const delaysMs = new Set<number>();
  for (const outcome of outcomes) {
    if (!failed.has(outcome.job.job) || outcome.final) continue;
    const delayMs = retryDelayMs(outcome.delivery, outcome.job.attempt);
    if (delayMs === null) logFailedDelivery(log, outcome);
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
    const delayMs = unsent ? postponeMs : final ? null : retryDelayMs(delivery, job.attempt);
    return {
      job: job.job,
      claim: job.claim,
      attempt: unsent ? job.attempt : job.attempt + 1,
      delay: Math.max(Math.ceil((delayMs ?? 0) - (nowMs - endedMs)), 0),
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

/** The most outcomes per statement. */
const BATCH = 512;
/** The delay after a failed write. */
const RETRY_MS = 250;

export interface OutcomeWriterOptions {
  /** These outcomes were written. Failed attempts are repeated after these delays, in milliseconds. */
  readonly onWritten: (outcomes: readonly Outcome[], retryDelaysMs: ReadonlySet<number>) => void;
  /** Whether to stop after a failed write, with this number of outcomes left. */
  readonly givesUp: (unwritten: number) => boolean;
}

/** Returns a function that writes outcomes in batches, until they are written. */
export function createOutcomeWriter(
  deps: ResultDeps,
  { onWritten, givesUp }: OutcomeWriterOptions,
): (outcome: Outcome) => void {
  const unwritten: Outcome[] = [];
  let writing = false;

  /** Outcomes that arrive during a write go into the next batch. */
  async function write(): Promise<void> {
    writing = true;
    // Responses that arrive in the same tick are written together.
    await new Promise((resume) => setImmediate(resume));
    while (unwritten.length > 0) {
      const batch = unwritten.splice(0, BATCH);
      try {
        onWritten(batch, await recordOutcomes(deps, batch));
      } catch (error) {
        logFailure(deps.log, error, 'webhook outcomes not written yet', { outcomes: batch.length });
        unwritten.unshift(...batch);
        await new Promise((resume) => setTimeout(resume, RETRY_MS));
        if (givesUp(unwritten.length)) break;
      }
    }
    writing = false;
  }

  return (outcome) => {
    unwritten.push(outcome);
    if (!writing) void write();
  };
}
