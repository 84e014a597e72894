import { refuse } from '../core/errors.ts';
import { afterLoopTime } from '../core/loop-time.ts';

/**
 * Awaits a request to the chain, and throws `chain_unavailable` after `timeoutMs`. For requests that a caller waits
 * for. Time in which this process is blocked does not count.
 */
export async function inTime<T>(request: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const cancelLimit = afterLoopTime(timeoutMs, () => reject(refuse('chain_unavailable')));
  try {
    return await Promise.race([request, timeout]);
  } finally {
    cancelLimit();
  }
}
