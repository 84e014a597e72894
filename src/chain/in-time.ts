import { refuse } from '../core/errors.ts';
import { afterLoopTime } from '../core/loop-time.ts';

/**
 * What was asked of the chain, or `chain_unavailable` once `timeoutMs` have passed: for answers that somebody waits for. Time in which this process was
 * blocked does not count.
 */
export async function inTime<T>(asked: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const answered = afterLoopTime(timeoutMs, () => reject(refuse('chain_unavailable')));
  try {
    return await Promise.race([asked, late]);
  } finally {
    answered();
  }
}
