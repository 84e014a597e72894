import type { Clock } from '../core/clock.ts';

/** Delays retries of failed tasks: 5 s, 10 s, … up to an hour. */
export interface Backoff {
  /** Whether the task may be tried now. */
  mayTry(task: string): boolean;
  failed(task: string): void;
  /** Whether the task failed when it was last tried. */
  hasFailed(task: string): boolean;
  /** The tasks with this prefix that may not be tried yet, without the prefix. */
  delayed(prefix: string): string[];
  succeeded(task: string): void;
}

const FIRST_MS = 5_000;
const MAX_MS = 60 * 60 * 1000;

/** @param clock in milliseconds; preferably monotonic. */
export function createBackoff(clock: Clock): Backoff {
  const failures = new Map<string, { count: number; notBefore: number }>();
  return {
    mayTry: (task) => (failures.get(task)?.notBefore ?? 0) <= clock(),
    hasFailed: (task) => failures.has(task),
    failed(task) {
      const count = (failures.get(task)?.count ?? 0) + 1;
      failures.set(task, { count, notBefore: clock() + Math.min(MAX_MS, FIRST_MS * 2 ** (count - 1)) });
    },
    delayed(prefix) {
      const waiting = [...failures].filter(([task, { notBefore }]) => task.startsWith(prefix) && notBefore > clock());
      return waiting.map(([task]) => task.slice(prefix.length));
    },
    succeeded: (task) => failures.delete(task),
  };
}
