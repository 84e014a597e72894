import type pg from 'pg';
import type { Logger } from './log/log.ts';
import { logFailure } from './log/outage.ts';
import { lockConnection, tryLock } from './postgres/advisory-lock.ts';

/** The task of a leader. It must end soon after the signal is aborted. It never starts with an aborted signal. */
type LeaderTask = (signal: AbortSignal) => Promise<void>;

export interface Leadership {
  /** Releases leadership and waits for the task to finish. */
  stop(): Promise<void>;
}

/** Thrown by a task to let another process lead. */
export class YieldLeadership extends Error {
  override readonly name = 'YieldLeadership';
}

interface LeadOptions {
  readonly databaseUrl: string;
  readonly name: string;
  readonly log: Logger;
  readonly task: LeaderTask;
  /**
   * Whether this process can run the task now. It is called after the task has yielded, before this process leads
   * again.
   */
  readonly isAble?: () => Promise<boolean>;
}

const RETRY_MS = 1_000;
/** A process that yields waits this long, so that a standby process takes over first. */
const YIELD_MS = 3_000;
/** The interval of a query that detects a lost connection. */
const HEARTBEAT_MS = 5_000;
const QUERY_TIMEOUT_MS = 4_000;

/**
 * Runs the task in one process at a time: in the leader, which holds PostgreSQL's advisory lock of this name on its own
 * connection. If the connection is lost, the lock is released, the task is aborted, and another process takes over. A
 * task that throws `YieldLeadership` releases the lock for another process; this process leads again only when `isAble`
 * resolves to true.
 */
export function runAsLeader(options: LeadOptions): Leadership {
  const { log, name, isAble = async () => true } = options;
  const stopping = new AbortController();
  const running = (async () => {
    let hasYielded = false;
    while (!stopping.signal.aborted) {
      try {
        if (!hasYielded || (await isAble())) await leadOnce(options, stopping.signal);
      } catch (error) {
        const yields = error instanceof YieldLeadership;
        logFailure(log, error, yields ? 'yields leadership' : 'cannot lead', { name });
        hasYielded = yields;
        if (yields) await pause(YIELD_MS, stopping.signal);
      }
      await pause(RETRY_MS, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function leadOnce({ databaseUrl, name, log, task }: LeadOptions, stopping: AbortSignal): Promise<void> {
  const client = lockConnection(databaseUrl, name, { query_timeout: QUERY_TIMEOUT_MS });
  const lockLost = new AbortController();
  client.on('end', () => lockLost.abort());
  const signal = AbortSignal.any([stopping, lockLost.signal]);
  try {
    await client.connect();
    if (!(await acquireLock(client, name, signal))) return;
    log.info({ name }, 'leads');
    const watching = watchConnection(client, lockLost, signal);
    await task(signal).finally(() => lockLost.abort());
    await watching;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Polls for the lock. A query that waits for it could not be aborted. Returns false if the signal is aborted. */
async function acquireLock(client: pg.Client, name: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await tryLock(client, name)) return !signal.aborted;
    await pause(RETRY_MS, signal);
  }
  return false;
}

async function watchConnection(client: pg.Client, lockLost: AbortController, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(HEARTBEAT_MS, signal);
    if (signal.aborted) return;
    await client.query('select 1').catch(() => lockLost.abort());
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
