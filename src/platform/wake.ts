import type { Bus } from './bus.ts';

/** The bus channel that rings when there may be something new on the chain: a payment was sent, a transfer assigned, a split set. */
export const HINT_CHANNEL = 'chain:hint';

/** Lets a loop sleep until its time, or until it is woken. */
export interface Waker {
  /** A wake while nobody sleeps is kept. */
  wake(): void;
  /** Whether there was a wake since it was last asked; it is taken off. */
  takeWake(): boolean;
  /** Ends at once where a wake is kept, and early when woken or when the signal says so. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

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

/** Wakes whenever the hint rings, until the returned function is called. */
export const wakeOnHint = (bus: Bus, waker: Waker): (() => void) => bus.subscribe(HINT_CHANNEL, () => waker.wake());
