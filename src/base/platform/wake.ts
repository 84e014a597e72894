import type { Bus } from './bus.ts';

/** The bus channel for hints that the chain may have news: a payment was sent, a transfer assigned, a split set. */
export const HINT_CHANNEL = 'chain:hint';

/** Lets a loop sleep until a timeout or a wake. */
export interface Waker {
  /** Wakes the sleeping loop. Without one, the wake is remembered. */
  wake(): void;
  /** Whether there was a wake since the last call, and resets it. */
  takeWake(): boolean;
  /** Resolves after `ms`, on a wake or on an abort; at once if a wake is remembered. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Creates the waker of one loop: it remembers one wake, and one `sleep` may run at a time. */
export function createWaker(): Waker {
  let awake = false;
  let end: (() => void) | null = null;
  return {
    wake() {
      awake = true;
      end?.();
    },
    takeWake() {
      const woken = awake;
      awake = false;
      return woken;
    },
    sleep(ms, signal) {
      return new Promise<void>((resolve) => {
        if (awake || signal.aborted) return resolve();
        const timer = setTimeout(done, ms);
        signal.addEventListener('abort', done, { once: true });
        end = done;
        function done() {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          end = null;
          resolve();
        }
      });
    },
  };
}

/** Wakes on each message of the hint channel. Returns a function that ends it. */
export const wakeOnHint = (bus: Bus, waker: Waker): (() => void) => bus.subscribe(HINT_CHANNEL, () => waker.wake());
