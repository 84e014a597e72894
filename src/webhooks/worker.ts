import type { KeyObject } from 'node:crypto';
import type { Job } from 'pg-boss';
import { Refusal } from '../core/errors.ts';
import { signingKey } from '../keys/signing.ts';
import type { Deps } from '../platform/deps.ts';
import { createGuardedClient, type Resolve } from '../platform/guarded-request.ts';
import { analyzeQueue, WEBHOOK_QUEUE } from '../platform/jobs.ts';
import { logFailure } from '../platform/outage.ts';
import { statement } from '../platform/sql.ts';
import { createAlarms } from './alarms.ts';
import { type AttemptResult, deliver, type PendingDelivery } from './deliver.ts';
import { createEndpoints } from './endpoint-health.ts';
import { type DeliveryJob, RETRY_DELAY_MS } from './enqueue.ts';
import { type Outcome, recordOutcomes } from './outcomes.ts';
import { secretOf } from './sign.ts';
import { listenForDeliveries } from './wake-workers.ts';

export type WorkerDeps = Pick<Deps, 'sql' | 'boss' | 'clock' | 'log' | 'settings'>;

/** Concurrency limits: in total, for a prompt endpoint, and for one that is new or slow. */
const IN_ALL = 2_000;
const TO_PROMPT = 256;
const TO_SLOW = 4;
const FETCH = 256;
const RECORD = 512;

/** The polling interval when idle and not notified. */
const POLL_MS = 500;
/** How often other endpoints are checked while prompt endpoints have jobs. */
const CAREFUL_MS = 50;
const RETRY_RECORD_MS = 250;
/** The queue's statistics are updated after this number of jobs, at most this often. */
const ANALYZE_JOBS = 2_000;
const ANALYZE_MS = 10_000;
/** How long a stop waits for running attempts. Unfinished ones are repeated by another worker and do not count. */
const STOP_MS = 6_000;

const loadDeliveries = statement(
  'webhook-deliveries-owed',
  `select id, merchant, receipt_id as "receiptId", event, url, key_id as "keyId", body, created_at as "createdAt"
   from webhook_deliveries where id = any($1)`,
);

export interface WorkerOptions {
  /** Replaces DNS resolution. */
  readonly resolve?: Resolve;
}

/**
 * Delivers webhooks until it is stopped. Claims jobs, makes one attempt for each independently of the others, and
 * writes the outcomes in batches. Any number of workers may run at once.
 */
export function startWebhookWorker(deps: WorkerDeps, { resolve }: WorkerOptions = {}): { stop(): Promise<void> } {
  const { boss, log, sql, clock } = deps;
  const client = createGuardedClient({ allowInsecure: deps.settings.webhookAllowInsecure, resolve });
  const endpoints = createEndpoints();
  const alarms = createAlarms(log, () => performance.now());
  const unrecorded: Outcome[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let claimed = 0;
  let carefulAgainAt = 0;
  let sinceAnalyze = ANALYZE_JOBS;
  let analyzedAt = Number.NEGATIVE_INFINITY;
  let stopping = false;
  let recording = false;
  let rung = false;
  let wake = () => {};

  const ring = () => {
    rung = true;
    wake();
  };
  const bell = listenForDeliveries(boss, log, ring);

  function ringIn(delayMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      ring();
    }, delayMs);
    timers.add(timer);
  }

  async function rest(ms: number): Promise<void> {
    if (!rung) {
      await new Promise<void>((resume) => {
        const timer = setTimeout(resume, ms);
        wake = () => {
          clearTimeout(timer);
          resume();
        };
      });
    }
    rung = false;
  }

  /**
   * Claims jobs that may start now: first a few of every endpoint, then, once none of these is left, many of the prompt
   * ones.
   */
  async function claim(): Promise<Job<DeliveryJob>[]> {
    const batchSize = Math.min(IN_ALL - claimed, FETCH);
    if (batchSize <= 0) return [];
    const now = performance.now();
    if (now >= carefulAgainAt) {
      const jobs = await boss.fetch<DeliveryJob>(WEBHOOK_QUEUE, { batchSize, groupConcurrency: TO_SLOW });
      if (jobs.length > 0 || !endpoints.anyPrompt(now)) return jobs;
      carefulAgainAt = now + CAREFUL_MS;
    } else if (!endpoints.anyPrompt(now)) return [];
    const ignoreGroups = endpoints.slow(now);
    return boss.fetch<DeliveryJob>(WEBHOOK_QUEUE, { batchSize, groupConcurrency: TO_PROMPT, ignoreGroups });
  }

  async function attempt(job: Job<DeliveryJob>, delivery: LoadedDelivery): Promise<void> {
    let key: KeyObject;
    try {
      key = secretOf(await signingKey(deps, delivery.keyId));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found')
        return note(job, delivery, unsigned(clock(), 'the signing key is missing'));
      if (!(error instanceof Refusal)) {
        alarms.keyUnusable(delivery);
        return note(job, delivery, unsigned(clock(), KEY_UNUSABLE), {
          postponeMs: postpone(clock() - delivery.createdAt),
        });
      }
      // A database failure is not an outcome: the claim expires and the job runs again.
      log.warn({ error: error.message, delivery: delivery.id }, 'webhook not signed');
      return release(1);
    }
    const end = endpoints.begin(job.groupId ?? '', performance.now());
    const result = await deliver({ client, clock }, delivery, key);
    end(performance.now());
    alarms.attempted(job.groupId ?? '', delivery, result.ok);
    note(job, delivery, result);
  }

  function note(
    job: Job<DeliveryJob>,
    delivery: PendingDelivery,
    result: AttemptResult,
    more: Pick<Outcome, 'postponeMs'> = {},
  ): void {
    unrecorded.push({ job, delivery, result, endedMs: performance.now(), ...more });
    if (!recording) void record();
  }

  /** Writes outcomes until none are left. Those that arrive during a write go into the next batch. */
  async function record(): Promise<void> {
    recording = true;
    // Responses that arrive in the same tick are written together.
    await new Promise((resume) => setImmediate(resume));
    while (unrecorded.length > 0) {
      const batch = unrecorded.splice(0, RECORD);
      try {
        if (await recordOutcomes(deps, batch)) ringIn(RETRY_DELAY_MS);
        release(batch.length);
      } catch (error) {
        logFailure(log, error, 'webhook outcomes not written yet', { outcomes: batch.length });
        unrecorded.unshift(...batch);
        await new Promise((resume) => setTimeout(resume, RETRY_RECORD_MS));
        if (stopping && claimed === unrecorded.length) break;
      }
    }
    recording = false;
  }

  function release(count: number): void {
    claimed -= count;
    ring();
  }

  async function begin(jobs: readonly Job<DeliveryJob>[]): Promise<void> {
    try {
      const rows = await sql.rows<LoadedDelivery>(loadDeliveries, [jobs.map((job) => job.data.deliveryId)]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      const orphans: Job<DeliveryJob>[] = [];
      for (const job of jobs) {
        const delivery = byId.get(job.data.deliveryId);
        if (delivery) void attempt(job, delivery);
        else orphans.push(job);
      }
      if (orphans.length > 0) {
        await boss.deleteJob(WEBHOOK_QUEUE, orphans);
        release(orphans.length);
      }
    } catch (error) {
      logFailure(log, error, 'webhook deliveries not loaded', { jobs: jobs.length });
      release(jobs.length);
    }
  }

  function analyzeSometimes(count: number): void {
    sinceAnalyze += count;
    if (sinceAnalyze < ANALYZE_JOBS || performance.now() - analyzedAt < ANALYZE_MS) return;
    sinceAnalyze = 0;
    analyzedAt = performance.now();
    // Without it the queue is only slower until the database updates its statistics.
    analyzeQueue(boss, WEBHOOK_QUEUE).catch(() => {});
  }

  async function work(): Promise<void> {
    while (!stopping) {
      try {
        const jobs = await claim();
        if (jobs.length > 0) {
          claimed += jobs.length;
          analyzeSometimes(jobs.length);
          void begin(jobs);
          continue;
        }
      } catch (error) {
        logFailure(log, error, 'webhook jobs not fetched');
        rung = false;
      }
      const untilCareful = carefulAgainAt - performance.now();
      await rest(untilCareful > 0 ? Math.min(untilCareful, POLL_MS) : POLL_MS);
    }
  }

  const working = work();
  return {
    async stop() {
      stopping = true;
      ring();
      await working;
      await bell.close();
      const until = performance.now() + STOP_MS;
      while (claimed > 0 && performance.now() < until) await rest(until - performance.now());
      for (const timer of timers) clearTimeout(timer);
      client.close();
    },
  };
}

/** A delivery with the time of its event, epoch ms. */
type LoadedDelivery = PendingDelivery & { readonly createdAt: number };

const KEY_UNUSABLE = 'the signing key cannot be decrypted: KEY_ENCRYPTION_KEY is not the one it was encrypted with';
const PUT_OFF_MIN_MS = 60_000;
const PUT_OFF_MAX_MS = 3_600_000;

/** The delay of a delivery that cannot be signed: half its age, from a minute to an hour. */
const postpone = (ageMs: number): number => Math.min(PUT_OFF_MAX_MS, Math.max(PUT_OFF_MIN_MS, ageMs / 2));

/** The outcome of an attempt that could not be signed, and so was not sent. */
const unsigned = (at: number, error: string): AttemptResult => ({
  ok: false,
  at,
  durationMs: 0,
  statusCode: null,
  error,
  answer: null,
});
