import pg from 'pg';
import type { Logger } from './log.ts';
import { logFailure } from './outage.ts';

/** What a leader is asked to do: it ends soon after the signal is aborted. */
export type LeaderTask = (signal: AbortSignal) => Promise<void>;

export interface Leadership {
  /** Releases leadership and waits until the duty has ended. */
  stop(): Promise<void>;
}

/** A duty throws it to let another process lead. */
export class YieldLeadership extends Error {
  override readonly name = 'YieldLeadership';
}

interface LeadOptions {
  readonly databaseUrl: string;
  readonly name: string;
  readonly log: Logger;
  readonly duty: LeaderTask;
  /** Whether this process could do the duty now. It is asked after the duty has yielded, before this process leads again. */
  readonly isAble?: () => Promise<boolean>;
}

const RETRY_MS = 1_000;
/** A process that yields waits so long, so that one that stands by is first. */
const YIELD_MS = 3_000;
const CONNECT_TIMEOUT_MS = 1_500;
/** How often the connection is asked whether it is still there: a silent network drops it without a word. */
const HEARTBEAT_MS = 5_000;
const QUERY_TIMEOUT_MS = 4_000;

/**
 * Does the duty in one process at a time: in the one that holds PostgreSQL's advisory lock of this name, on a connection of its own. Where the connection
 * is lost the lock is free, the duty is called off here, and another process takes over. A duty that throws `YieldLeadership` frees the lock for another
 * process; this one leads again only when it is able to.
 */
export function runAsLeader(options: LeadOptions): Leadership {
  const { log, name, isAble = async () => true } = options;
  const stopping = new AbortController();
  const running = (async () => {
    let hasYielded = false;
    while (!stopping.signal.aborted) {
      try {
        if (!hasYielded || (await isAble())) await serveOnce(options, stopping.signal);
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

async function serveOnce({ databaseUrl, name, log, duty }: LeadOptions, stopping: AbortSignal): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: `quittance ${name}`,
  });
  const office = new AbortController();
  client.on('error', () => office.abort());
  client.on('end', () => office.abort());
  const signal = AbortSignal.any([stopping, office.signal]);
  try {
    await client.connect();
    if (!(await takeOffice(client, name, signal))) return;
    log.info({ name }, 'leads');
    const heart = keepBeating(client, office, signal);
    await duty(signal).finally(() => office.abort());
    await heart;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Waits for the lock by asking again and again: a query that waits would not notice that it should stop. */
async function takeOffice(client: pg.Client, name: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken',
      [name],
    );
    if (rows[0]?.taken) return true;
    await pause(RETRY_MS, signal);
  }
  return false;
}

async function keepBeating(client: pg.Client, office: AbortController, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(HEARTBEAT_MS, signal);
    if (signal.aborted) return;
    await client.query('select 1').catch(() => office.abort());
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
