import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { configFault } from '../config/variable-fault.ts';
import type { Logger } from '../log/log.ts';
import { isOutage } from '../log/outage.ts';

const TIMEOUT_MS = 5_000;

type Variable = 'DATABASE_URL' | 'DATABASE_SESSION_URL';

/**
 * Connects to the database of a variable, so that a wrong URL is reported before the start. Throws `ConfigFaults`.
 *
 * @param end ends the wait with `StartEnded`
 * @param awaitedBy for a process that stays: it waits 30 seconds for a database that does not answer, and says so here
 */
export async function reachDatabase(
  name: Variable,
  connectionString: string,
  awaitedBy?: Logger,
  end?: AbortSignal,
): Promise<void> {
  if (!awaitedBy) return connectOnce(name, connectionString);
  let reported = false;
  await retryStart(async () => {
    try {
      await connectOnce(name, connectionString);
    } catch (error) {
      if (!reported) awaitedBy.warn({ reason: (error as Error).message }, 'waits for the database');
      reported = true;
      throw error;
    }
  }, end);
}

async function connectOnce(name: Variable, connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    // The message is empty if a name has several addresses.
    const { message, code } = error as NodeJS.ErrnoException;
    throw configFault(name, `cannot be connected to: ${message || code}`);
  } finally {
    await client.end().catch(() => {});
  }
}

const RETRY_MS = 250;
/** How long a start waits for the database. */
const START_MS = 30_000;

/** The process is to end while it waits for the database. */
export class StartEnded extends Error {}

/**
 * Runs a first use of the database, and again while the database does not answer. The limits of requests are short: a
 * database that has just started, or a machine on which much starts at once, needs longer. Throws the last error after
 * 30 seconds, any other error at once, and `StartEnded` once `end` is aborted.
 */
export async function retryStart<T>(use: () => Promise<T>, end?: AbortSignal): Promise<T> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    try {
      return await use();
    } catch (error) {
      if (!isOutage(error) || performance.now() > deadline) throw error;
    }
    await pause(RETRY_MS, undefined, { signal: end }).catch(() => {});
    if (end?.aborted) throw new StartEnded();
  }
}
