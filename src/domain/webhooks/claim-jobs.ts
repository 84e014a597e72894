import type { Job, PgBoss } from 'pg-boss';
import { analyzeQueue } from '../../base/platform/job-table.ts';
import { WEBHOOK_QUEUE } from '../../base/platform/jobs.ts';
import type { Endpoints } from './endpoint-health.ts';
import type { DeliveryJob } from './enqueue.ts';

/** The limits of concurrent requests to a prompt endpoint, and to one that is new or slow. */
const TO_PROMPT = 256;
const TO_SLOW = 4;
/** The number of jobs per claim. */
const FETCH = 256;

/** How often other endpoints are checked while prompt endpoints have jobs. */
const CAREFUL_MS = 50;

/** The queue's statistics are updated after this number of jobs, at most this often. */
const ANALYZE_JOBS = 2_000;
const ANALYZE_MS = 10_000;

/** Claims jobs that may start now. */
export interface JobClaims {
  /** Claims at most `free` jobs. */
  claim(free: number): Promise<Job<DeliveryJob>[]>;
  /** The time until jobs of all endpoints may be claimed again; at most 0 if they may be claimed now. */
  untilCarefulMs(): number;
}

/** Claims first a few jobs of every endpoint, then, once none of these is left, many of the prompt endpoints. */
export function createJobClaims(boss: PgBoss, endpoints: Endpoints): JobClaims {
  const countJobs = createAnalyzer(boss);
  let carefulAgainAt = 0;

  async function fetchJobs(batchSize: number): Promise<Job<DeliveryJob>[]> {
    const now = performance.now();
    if (now >= carefulAgainAt) {
      const jobs = await boss.fetch<DeliveryJob>(WEBHOOK_QUEUE, { batchSize, groupConcurrency: TO_SLOW });
      if (jobs.length > 0 || !endpoints.anyPrompt(now)) return jobs;
      carefulAgainAt = now + CAREFUL_MS;
    } else if (!endpoints.anyPrompt(now)) return [];
    const ignoreGroups = endpoints.slow(now);
    return boss.fetch<DeliveryJob>(WEBHOOK_QUEUE, { batchSize, groupConcurrency: TO_PROMPT, ignoreGroups });
  }

  return {
    async claim(free) {
      if (free <= 0) return [];
      const jobs = await fetchJobs(Math.min(free, FETCH));
      countJobs(jobs.length);
      return jobs;
    },
    untilCarefulMs: () => carefulAgainAt - performance.now(),
  };
}

/** Returns a function that counts jobs, and updates the queue's statistics from time to time. */
function createAnalyzer(boss: PgBoss): (jobs: number) => void {
  let jobsSince = ANALYZE_JOBS;
  let analyzedAt = Number.NEGATIVE_INFINITY;
  return (jobs) => {
    if (jobs === 0) return;
    jobsSince += jobs;
    if (jobsSince < ANALYZE_JOBS || performance.now() - analyzedAt < ANALYZE_MS) return;
    jobsSince = 0;
    analyzedAt = performance.now();
    // Without it the queue is only slower until the database updates its statistics.
    analyzeQueue(boss, WEBHOOK_QUEUE).catch(() => {});
  };
}
