import { availableParallelism, loadavg } from 'node:os';

/** How many times longer anything may take on a machine that has other work as well. */
const SLACK = 6;

/**
 * The limit for an assertion on elapsed time. The product promises `promisedMs` on a machine that is not overloaded; a
 * test may run on one that is, and must fail for what hangs or waits for its turn, not for a busy processor: with more
 * programs than processors everything takes longer still.
 */
export const busyMs = (promisedMs: number): number =>
  promisedMs * SLACK * Math.max(1, loadavg()[0]! / availableParallelism());
