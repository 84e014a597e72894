import pg from 'pg';
import { configFault } from '../config/variable-fault.ts';
import type { Logger } from '../log/log.ts';
import { retryStart } from './retry-start.ts';

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
