import type { Deps } from '../../../base/platform/deps.ts';
import { expireOverdue, expirePresence, restoreHeartbeats } from './expire.ts';
import { writeHeartbeats } from './heartbeat.ts';

/** Short, so that subscribers learn of an expired user within a second. */
const EXPIRE_MS = 250;
const WRITE_MS = 1_000;
const OVERDUE_MS = 5_000;
/** The time a heartbeat may take to reach the database: normally, and after the database was unavailable. */
const SETTLE_MS = 2 * WRITE_MS;
const GRACE_MS = 10_000;

/**
 * The presence worker of a process: writes heartbeats to the database in batches, ends expired presence, and reloads
 * the heartbeat store when it may have lost data.
 */
export function startPresence(deps: Pick<Deps, 'db' | 'bus' | 'heartbeats' | 'clock' | 'log'>): {
  /** Stops the worker and tries to write the last heartbeats. */
  stop(): Promise<void>;
} {
  /*
   * A user expires only after its heartbeats had time to arrive. When the store may have lost data, all processes first
   * write their heartbeats to the database; if the database was unavailable too, that may take a few attempts.
   */
  let storeLostDataAt = Number.NEGATIVE_INFINITY;
  const startedAt = performance.now();
  let databaseFailedAt = Number.NEGATIVE_INFINITY;
  const databaseIsWell = () => performance.now() > Math.max(startedAt, databaseFailedAt) + GRACE_MS;
  const storeIsSettled = () => {
    const sinceMs = performance.now() - storeLostDataAt;
    return sinceMs > GRACE_MS || (sinceMs > SETTLE_MS && storeLostDataAt > databaseFailedAt + GRACE_MS);
  };
  const recordingFailure = async (work: Promise<void>) => {
    try {
      await work;
    } catch (error) {
      databaseFailedAt = performance.now();
      throw error;
    }
  };

  let needsRestore = true;
  const unsubscribe = deps.heartbeats.onDoubt(() => {
    storeLostDataAt = performance.now();
    needsRestore = true;
  });
  async function restore(): Promise<void> {
    needsRestore = false;
    try {
      await restoreHeartbeats(deps);
    } catch (error) {
      needsRestore = true;
      throw error;
    }
  }

  const loops = [
    every(EXPIRE_MS, async () => {
      if (needsRestore) await restore();
      if (storeIsSettled()) await expirePresence(deps);
    }),
    every(WRITE_MS, () => recordingFailure(writeHeartbeats(deps))),
    every(OVERDUE_MS, async () => {
      if (databaseIsWell()) await recordingFailure(expireOverdue(deps, GRACE_MS));
    }),
  ];

  return {
    async stop() {
      unsubscribe();
      await Promise.all(loops.map((loop) => loop.stop()));
      // A failed write is no loss: live users send their next heartbeat to another process.
      await writeHeartbeats(deps).catch(() => {});
    },
  };

  /** Runs `work` on an interval, never concurrently. A failed run is repeated at the next interval. */
  function every(intervalMs: number, work: () => Promise<void>): { stop(): Promise<void> } {
    let running: Promise<void> | null = null;
    const timer = setInterval(() => {
      running ??= work()
        .catch((error: Error) => deps.log.debug({ error: error.message }, 'presence worker failed'))
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
