import type { Writable } from 'node:stream';
import { LIVE_LIMITS } from './live-connections.ts';

/** The outgoing buffer of one reader. */
export interface Queue {
  /** Whether more may be written. Drops the reader if its buffer is full. */
  admits(): boolean;
  /** Resolves once the buffer is almost empty. Drops a reader that stalls for too long. */
  drained(): Promise<void> | void;
}

/** Below this size a reader that catches up receives more. */
const LOW_BYTES = 64 * 1024;

/** Limits the buffer of a connection. `giveUp` drops the reader. */
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
