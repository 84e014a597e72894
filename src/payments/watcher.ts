import { Refusal } from '../core/errors.ts';
import { YieldLeadership } from '../platform/leadership.ts';
import { logFailure } from '../platform/outage.ts';
import type { Waker } from '../platform/wake.ts';
import type { LagAlarm } from './lag.ts';
import type { MatchDeps } from './match.ts';
import { readHeadSnapshot, type Scan, scan } from './scan.ts';
import { followHints } from './transaction-hints.ts';

/** After a fault the next look waits longer and longer, up to this. */
const PAUSE_MAX_MS = 10_000;
/** A ring may be lost, so that it looks now and then though the head has not changed. */
const LOOK_ANYWAY_MS = 5_000;
/** After so many faults of the RPC in a row another process may try with its own. */
const YIELD_FAULTS = 5;

export interface WatchOptions {
  /** Between two looks. */
  readonly pollMs: number;
  /** Ends its sleep. */
  readonly waker: Waker;
  /** After each look, and after each range of a long one. */
  readonly onProgress: (scan: Pick<Scan, 'cursor'>) => void;
  readonly alarm: LagAlarm;
}

/**
 * Watches the chain until the signal is aborted: one look after another, `pollMs` after the last, or at once when woken. An RPC or a database that does
 * not answer stops nothing; the next look goes on where the last one ended. Throws `YieldLeadership` where the RPC has failed five times in a row.
 */
export async function watch(
  deps: MatchDeps,
  { waker, onProgress, pollMs, alarm }: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  let rested: string | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let faults = 0;
  let rpcFaults = 0;
  const onAdvance = (cursor: Scan['cursor']) => {
    alarm.reaches(cursor);
    onProgress({ cursor });
  };
  while (!signal.aborted) {
    let pauseMs = pollMs;
    try {
      const woken = waker.takeWake();
      const sight = await readHeadSnapshot(deps.chain);
      const { head } = sight;
      alarm.sees(Number(head.number));
      if (woken || head.hash !== rested || performance.now() - lookedAt > LOOK_ANYWAY_MS) {
        lookedAt = performance.now();
        const look = await scan(deps, { sight, signal, onAdvance });
        alarm.reaches(look.cursor);
        await followHints(deps, look.cursor);
        onProgress(look);
        rested = look.again ? null : head.hash;
        if (look.again) pauseMs = Math.min(pollMs, 50);
      }
      faults = 0;
      rpcFaults = 0;
    } catch (error) {
      if (signal.aborted) return;
      rested = null;
      faults += 1;
      pauseMs = Math.min(PAUSE_MAX_MS, pollMs * 2 ** faults);
      tell(deps, error, faults);
      rpcFaults = error instanceof Refusal && error.code === 'chain_unavailable' ? rpcFaults + 1 : 0;
      if (rpcFaults >= YIELD_FAULTS) throw new YieldLeadership('the RPC does not answer');
    }
    await waker.sleep(pauseMs, signal);
  }
}

/** An outage of the chain is logged once as it begins, and then at every thirtieth failure. */
function tell({ log, chain }: MatchDeps, error: unknown, faults: number): void {
  if (error instanceof Refusal && error.code !== 'datastore_unavailable') {
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    if (faults === 1 || faults % 30 === 0)
      log.warn({ chainId: chain.chainId, code: error.code, cause }, 'cannot watch the chain');
  } else {
    logFailure(log, error, 'the chain watcher failed', { chainId: chain.chainId }, 'error');
  }
}
