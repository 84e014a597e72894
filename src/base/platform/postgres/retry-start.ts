import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '../log/outage.ts';

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
