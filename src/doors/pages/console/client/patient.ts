import type { CombinedError } from '@urql/core';

/** Why an answer is waited for: the limit of requests in a minute is reached, or the server is not. */
export type Wait = 'limit' | 'connection';

/** Used where the server does not say when it takes further requests, and where it is not reached. */
const PAUSE_MS = 3_000;

export interface Patience {
  readonly signal: AbortSignal;
  /** Called when it begins to wait, and with null when it goes on. */
  onWait(why: Wait | null): void;
}

/** Why a request is worth sending again, and from when; null if the server has answered it. */
function waitOf(error: CombinedError | undefined): { readonly why: Wait; readonly until: number } | null {
  if (!error) return null;
  const [refusal] = error.graphQLErrors;
  const { code, resetAt } = (refusal?.extensions ?? {}) as { readonly code?: string; readonly resetAt?: number };
  if (code === 'rate_limited') return { why: 'limit', until: (resetAt ?? Date.now() + PAUSE_MS) + 50 };
  const isAway = !refusal || code === 'datastore_unavailable';
  return isAway ? { why: 'connection', until: Date.now() + PAUSE_MS } : null;
}

/**
 * Sends a request that may be repeated until the server answers it: it waits for the limit of requests, and for a
 * connection that is lost. After the signal it gives the last result.
 */
export async function askPatiently<Result extends { readonly error?: CombinedError | undefined }>(
  { signal, onWait }: Patience,
  ask: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const result = await ask();
    const wait = waitOf(result.error);
    if (wait === null || signal.aborted) return result;
    onWait(wait.why);
    await pause(wait, signal);
    if (signal.aborted) return result;
    onWait(null);
  }
}

/** Waits for a time, or for the browser to be connected again. */
function pause({ why, until }: { readonly why: Wait; readonly until: number }, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const end = () => {
      clearTimeout(timer);
      ended.abort();
      resolve();
    };
    const timer = setTimeout(end, Math.max(0, until - Date.now()));
    signal.addEventListener('abort', end, { signal: ended.signal });
    if (why === 'connection') addEventListener('online', end, { signal: ended.signal });
  });
}
