import type { Deps } from '../platform/deps.ts';
import { expireOverdue, expirePresence, restoreHeartbeats } from './expire.ts';
import { writeHeartbeats } from './heartbeat.ts';

/** Who leaves is told within a second. */
const EXPIRE_MS = 250;
const WRITE_MS = 1_000;
const OVERDUE_MS = 5_000;
/** How long a heartbeat may take to reach the database where all is well, and where the database was away. */
const SETTLE_MS = 2 * WRITE_MS;
const GRACE_MS = 10_000;

/**
 * Keeps presence in every process that takes heartbeats: writes them to the database in batches, ends the presence of those who fell silent, and tells
 * the store of heartbeats anew who is live whenever it may have forgotten.
 */
export function startPresence(deps: Pick<Deps, 'sql' | 'bus' | 'heartbeats' | 'clock' | 'log'>): {
  /** Writes the last heartbeats, as far as the database takes them. */
  stop(): Promise<void>;
} {
  /*
   * Nobody is declared gone before his heartbeats had the time to arrive: where the store may have forgotten, all processes write what they have to the
   * database first; where the database was away as well, they may take a few attempts.
   */
  let storeDoubtedAt = Number.NEGATIVE_INFINITY;
  const startedAt = performance.now();
  let databaseFailedAt = Number.NEGATIVE_INFINITY;
  const databaseIsWell = () => performance.now() > Math.max(startedAt, databaseFailedAt) + GRACE_MS;
  const storeIsSettled = () => {
    const sinceMs = performance.now() - storeDoubtedAt;
    return sinceMs > GRACE_MS || (sinceMs > SETTLE_MS && storeDoubtedAt > databaseFailedAt + GRACE_MS);
  };
  const noting = async (work: Promise<void>) => {
    try {
      await work;
    } catch (error) {
      databaseFailedAt = performance.now();
      throw error;
    }
  };

  let forgotten = true;
  const undoubt = deps.heartbeats.onDoubt(() => {
    storeDoubtedAt = performance.now();
    forgotten = true;
  });
  async function restore(): Promise<void> {
    forgotten = false;
    try {
      await restoreHeartbeats(deps);
    } catch (error) {
      forgotten = true;
      throw error;
    }
  }

  const loops = [
    every(EXPIRE_MS, async () => {
      if (forgotten) await restore();
      if (storeIsSettled()) await expirePresence(deps);
    }),
    every(WRITE_MS, () => noting(writeHeartbeats(deps))),
    every(OVERDUE_MS, async () => {
      if (databaseIsWell()) await noting(expireOverdue(deps, GRACE_MS));
    }),
  ];

  return {
    async stop() {
      undoubt();
      await Promise.all(loops.map((loop) => loop.stop()));
      // One that cannot be written now is no loss: whoever lives is heard again, by another process.
      await writeHeartbeats(deps).catch(() => {});
    },
  };

  /** Does something again and again, never twice at a time; what goes wrong is tried again the next time. */
  function every(intervalMs: number, work: () => Promise<void>): { stop(): Promise<void> } {
    let running: Promise<void> | null = null;
    const timer = setInterval(() => {
      running ??= work()
        .catch((error: Error) => deps.log.debug({ error: error.message }, 'presence'))
        .finally(() => {
          running = null;
        });
    }, intervalMs);
    return {
      async stop() {
        clearInterval(timer);
        await running;
      },
    };
  }
}
