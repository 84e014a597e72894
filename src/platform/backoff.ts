import type { Clock } from '../core/clock.ts';

/** Remembers what failed, so that it is not tried again too soon: 5 s, 10 s, … up to an hour. */
export interface Backoff {
  /** Whether it may be tried now. */
  mayTry(what: string): boolean;
  failed(what: string): void;
  /** What has this prefix and may not be tried yet, without the prefix. */
  resting(prefix: string): string[];
  succeeded(what: string): void;
}

const FIRST_MS = 5_000;
const MAX_MS = 60 * 60 * 1000;

/** @param clock in milliseconds; best one that nobody sets. */
export function createBackoff(clock: Clock): Backoff {
  const failures = new Map<string, { count: number; notBefore: number }>();
  return {
    mayTry: (what) => (failures.get(what)?.notBefore ?? 0) <= clock(),
    failed(what) {
      const count = (failures.get(what)?.count ?? 0) + 1;
      failures.set(what, { count, notBefore: clock() + Math.min(MAX_MS, FIRST_MS * 2 ** (count - 1)) });
    },
    resting(prefix) {
      const kept = [...failures].filter(([what, { notBefore }]) => what.startsWith(prefix) && notBefore > clock());
      return kept.map(([what]) => what.slice(prefix.length));
    },
    succeeded: (what) => failures.delete(what),
  };
}
