import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../../base/platform/db.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { DATABASE_MS, type QueueAge } from '../../../base/platform/jobs.ts';
import type { Logger } from '../../../base/platform/log/log.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { type Listener, startListener } from '../../../base/platform/pg-notifications.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { PreviousSecret } from '../endpoints/endpoint.entity.ts';
import type { EndpointState } from '../endpoints/state.ts';
import type { Endpoints, Room } from './endpoint-health.ts';

/** The queue of due webhook deliveries, as metrics and operators see it. */
export const WEBHOOK_QUEUE = 'webhooks';

/** The channel on which the workers of every process are woken. */
const CHANNEL = 'webhooks_owed';

/** Each row of a transaction is later than the rows before it, so the jobs of a receipt keep their order. */
const INSERTED_MS = sql`floor(extract(epoch from clock_timestamp()) * 1000)::int8`;

const ENQUEUE = query(
  'webhook-jobs-enqueue',
  (_db, $: { jobs: string }) => sql<object>`
    with added as (
      insert into webhook_jobs (delivery_id, endpoint, attempt, due_at, claims)
      select given.id, given.endpoint, 1, ${INSERTED_MS}, 0
        from jsonb_to_recordset(${$.jobs}::jsonb) as given(id text, endpoint text))
    select from pg_notify(${sql.lit(CHANNEL)}, '')`,
);

/** Enqueues deliveries in the caller's transaction, from their first attempt on. The commit wakes the workers. */
export async function enqueueDeliveries(
  uow: UnitOfWork,
  deliveries: readonly { readonly id: string; readonly url: string }[],
): Promise<void> {
  const jobs = deliveries.map(({ id, url }) => ({ id, endpoint: endpointOf(url) }));
  await uow.run(ENQUEUE, { jobs: JSON.stringify(jobs) });
}

/**
 * The endpoint of a delivery: a digest of scheme, host and path without the query. An unresponsive endpoint delays only
 * its own jobs.
 */
function endpointOf(url: string): string {
  const parsed = URL.parse(url);
  const endpoint = parsed ? parsed.origin + parsed.pathname : url;
  return createHash('sha256').update(endpoint).digest('base64url').slice(0, 22);
}

/** Wakes on each commit that has enqueued deliveries. Workers also poll: this only makes them faster. */
export const listenForDeliveries = (settings: Settings, log: Logger, wake: () => void): Promise<Listener> =>
  startListener(settings.databaseSessionUrl, { [CHANNEL]: wake }, log);

/** What an attempt needs of a delivery, with the present address and secrets of its endpoint. */
export interface DueDelivery {
  readonly id: string;
  readonly merchant: string;
  /** The receipt of a per-receipt webhook; null for an event that is sent to an endpoint. */
  readonly receiptId: string | null;
  readonly event: string;
  readonly url: string;
  /** The API key that signs a per-receipt webhook. */
  readonly keyId: string | null;
  /** The event that is sent to an endpoint. */
  readonly eventId: string | null;
  readonly endpointId: string | null;
  readonly body: string;
  /** When the event happened, epoch ms. */
  readonly createdAt: number;
  /** Null: there is none, or none any more. */
  readonly state: EndpointState | null;
  readonly sealedSecret: string | null;
  readonly previousSecrets: readonly PreviousSecret[] | null;
}

/** A job that this process has claimed. */
export interface ClaimedJob {
  readonly job: number;
  /** The number of the claim. It is lost once another process has claimed the job. */
  readonly claim: number;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The digest of the endpoint. */
  readonly endpoint: string;
}

/** Its delivery; null if it was deleted meanwhile. */
type ClaimedRow = ClaimedJob & { readonly delivery: DueDelivery | null };

/** Longer than an attempt and the write of its outcome take. Then the job is due again: its worker counts as dead. */
const CLAIM_MS = 10_000;

interface Claims {
  /** Endpoints that receive nothing more now. */
  readonly full: readonly string[];
  /** Only for these endpoints; null: for all others too. */
  readonly only: readonly string[] | null;
  /** For how many jobs known endpoints have room, as `Room[]`. */
  readonly room: string;
  /** For how many jobs other endpoints have room. */
  readonly others: number;
  readonly limit: number;
}

/**
 * Claims due jobs, the oldest first, at most as many for each endpoint as it has room. Claims of several processes do
 * not wait for each other. The table is short: a job is deleted when its delivery ends.
 */
const CLAIM = query(
  'webhook-jobs-claim',
  (_db, $: Claims) => sql<ClaimedRow>`
    with due as (
      select id, endpoint, due_at from webhook_jobs
       where due_at <= ${DATABASE_MS} and endpoint <> all(${$.full}::text[])
         and (${$.only}::text[] is null or endpoint = any(${$.only}::text[]))
       order by due_at, id limit ${$.limit}::int4 for update skip locked),
    ranked as (
      select id, endpoint, row_number() over (partition by endpoint order by due_at, id) as place from due),
    claimed as (
      update webhook_jobs j set due_at = ${DATABASE_MS} + ${sql.lit(CLAIM_MS)}, claims = claims + 1
        from ranked left join jsonb_to_recordset(${$.room}::jsonb) as room(endpoint text, free int4) using (endpoint)
       where j.id = ranked.id and place <= coalesce(room.free, ${$.others}::int4)
      returning j.id, j.claims, j.attempt, j.endpoint, j.delivery_id)
    select c.id as job, c.claims as claim, c.attempt, c.endpoint,
           case when d.id is not null then jsonb_build_object(
             'id', d.id, 'merchant', d.merchant, 'receiptId', d.receipt_id, 'event', d.event, 'keyId', d.key_id,
             'url', coalesce(e.url, d.url), 'eventId', d.event_id, 'endpointId', d.endpoint_id, 'body', d.body,
             'createdAt', d.created_at, 'state', e.state, 'sealedSecret', e.sealed_secret,
             'previousSecrets', e.previous_secrets) end as delivery
      from claimed c left join webhook_deliveries d on d.id = c.delivery_id
           left join webhook_endpoints e on e.merchant = d.merchant and e.id = d.endpoint_id`,
  { computed: { job: 'int8', claim: 'int4', attempt: 'int4', endpoint: 'text', delivery: 'jsonb' } },
);

/** Deletes claimed jobs without a delivery. */
const DELETE = query(
  'webhook-jobs-delete',
  (_db, $: { jobs: readonly number[] }) => sql<object>`delete from webhook_jobs where id = any(${$.jobs}::int8[])`,
);

const ANALYZE = query('webhook-jobs-analyze', () => sql<object>`analyze webhook_jobs`, { slow: true });

/** The most jobs of a claim. */
const AT_ONCE = 256;
/** How often other endpoints are asked for while some are full: each time reads past what waits for the full ones. */
const OTHERS_MS = 50;
/**
 * The planner's statistics are updated after this number of jobs, at most this often. The table starts empty and fills
 * within seconds, but autovacuum analyzes it only after a minute; until then a claim may read the whole table.
 */
const ANALYZE_JOBS = 2_000;
const ANALYZE_MS = 10_000;

/** A claimed job with its delivery. */
export type Claimed = ClaimedJob & { readonly delivery: DueDelivery };

/** Claims jobs for the endpoints that have room. */
export interface Claimer {
  /** Claims at most `free` jobs. */
  claim(free: number): Promise<Claimed[]>;
  /** The time until jobs of all endpoints may be claimed again, in milliseconds; at most 0 if they may be now. */
  untilOthersMs(): number;
}

export function createClaimer(database: Db, log: Logger, endpoints: Endpoints): Claimer {
  let othersAt = 0;
  let sinceAnalyzed = ANALYZE_JOBS;
  let analyzedAt = Number.NEGATIVE_INFINITY;

  function analyze(jobs: number): void {
    sinceAnalyzed += jobs;
    const now = performance.now();
    if (jobs === 0 || sinceAnalyzed < ANALYZE_JOBS || now - analyzedAt < ANALYZE_MS) return;
    sinceAnalyzed = 0;
    analyzedAt = now;
    database.run(ANALYZE, {}).catch((error: unknown) => logFailure(log, error, 'webhook jobs not analyzed'));
  }

  return {
    async claim(free) {
      if (free <= 0) return [];
      const now = performance.now();
      const { full, room, others } = endpoints.room(now);
      const asksOthers = now >= othersAt;
      if (!asksOthers && room.length === 0) return [];
      const rows = await database.run(CLAIM, {
        full,
        only: asksOthers ? null : room.map(({ endpoint }: Room) => endpoint),
        room: JSON.stringify(room),
        others,
        limit: Math.min(free, AT_ONCE),
      });
      if (asksOthers && rows.length === 0 && full.length > 0) othersAt = performance.now() + OTHERS_MS;
      analyze(rows.length);
      const orphans = rows.filter(({ delivery }) => delivery === null);
      if (orphans.length > 0) await database.run(DELETE, { jobs: orphans.map(({ job }) => job) });
      return rows.filter((row): row is Claimed => row.delivery !== null);
    },
    untilOthersMs: () => othersAt - performance.now(),
  };
}

/** The deliveries that could be attempted now, as a select of a statement; no row without any. */
export const WAITING_DELIVERIES = sql<QueueAge>`
  select ${sql.lit(WEBHOOK_QUEUE)} as name, count(*)::int as waiting,
         ((${DATABASE_MS} - min(due_at)) / 1000)::int as "oldestSeconds"
    from webhook_jobs where due_at <= ${DATABASE_MS} having count(*) > 0`;
