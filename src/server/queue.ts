import type { Writable } from 'node:stream';
import { LIVE_LIMITS } from './live-limits.ts';

/** What waits for one reader. */
export interface Queue {
  /** Whether something more may be written; where too much waits already, its reader is given up. */
  admits(): boolean;
  /** Resolves once so little waits that more may be read for it; a reader who stands still for too long is given up. */
  drained(): Promise<void> | void;
}

/** Below this a reader who catches up is given more. */
const LOW_BYTES = 64 * 1024;

/** Bounds what waits in a connection's buffer. */
export function createQueue(connection: Writable, giveUp: () => void): Queue {
  let waiting: Promise<void> | null = null;

  function wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        giveUp();
        done();
      }, LIVE_LIMITS.catchUpTimeoutMs);
      function done(): void {
        clearTimeout(timer);
        connection.off('drain', done).off('close', done);
        waiting = null;
        resolve();
      }
      connection.on('drain', done).on('close', done);
    });
  }

  return {
    admits() {
      if (connection.writableLength <= LIVE_LIMITS.queueBytes) return true;
      giveUp();
      return false;
    },
    drained() {
      if (connection.writableLength <= LOW_BYTES || !connection.writableNeedDrain || connection.destroyed) return;
      waiting ??= wait();
      return waiting;
    },
  };
}
