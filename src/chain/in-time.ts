import { setTimeout } from 'node:timers/promises';
import { refuse } from '../core/errors.ts';

/** What was asked of the chain, or `chain_unavailable` once `timeoutMs` have passed: for answers that somebody waits for. */
export async function inTime<T>(asked: Promise<T>, timeoutMs: number): Promise<T> {
  const answered = new AbortController();
  const late = setTimeout(timeoutMs, undefined, { signal: answered.signal }).then(() => {
    throw refuse('chain_unavailable');
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    answered.abort();
    // Whichever lost the race ends in an abort that nobody waits for.
    late.catch(() => {});
  }
}
