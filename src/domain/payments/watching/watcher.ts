import { Refusal } from '../../../base/core/errors.ts';
import { YieldLeadership } from '../../../base/platform/leadership.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import type { Waker } from '../../../base/platform/wake.ts';
import type { MatchDeps } from '../matching/match.ts';
import { followHints } from '../matching/transaction-hints.ts';
import type { LagAlarm } from './lag.ts';
import { readMissedAddresses } from './rescan.ts';
import { readHeadSnapshot, type Scan, scan } from './scan.ts';

/** The maximum pause after repeated failures. */
const PAUSE_MAX_MS = 10_000;
/** A wake-up may be lost, so the chain is scanned at this interval even if the head is unchanged. */
const SCAN_ANYWAY_MS = 5_000;
/** The least time between two readings of balances, however fast the blocks are. */
const COINS_EVERY_MS = 4_000;
/** The number of consecutive RPC failures after which another process may take over with its own RPC. */
const YIELD_FAULTS = 5;

export interface WatchOptions {
  /** The pause between two rounds. */
  readonly pollMs: number;
  /** Ends the pause early. */
  readonly waker: Waker;
  /** Called after each round, and after each range of a long one. */
  readonly onProgress: (scan: Pick<Scan, 'cursor'>) => void;
  readonly alarm: LagAlarm;
}

/**
 * Watches the chain until the signal is aborted: one round after another, with a pause of `pollMs` or until woken. If
 * the RPC or the database does not respond, the next round continues from the cursor. Throws `YieldLeadership` if the
 * RPC has failed five times in a row.
 */
export async function watch(
  deps: MatchDeps,
  { waker, onProgress, pollMs, alarm }: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  let knowsAddresses = false;
  let scannedHash: string | null = null;
  let scannedAt = Number.NEGATIVE_INFINITY;
  let coinsReadAt = Number.NEGATIVE_INFINITY;
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
      if (!knowsAddresses) await readMissedAddresses(deps);
      knowsAddresses = true;
      const snapshot = await readHeadSnapshot(deps.chain);
      const { head } = snapshot;
      alarm.sees(Number(head.number));
      if (woken || head.hash !== scannedHash || performance.now() - scannedAt > SCAN_ANYWAY_MS) {
        scannedAt = performance.now();
        const readsCoins = woken || performance.now() - coinsReadAt >= COINS_EVERY_MS;
        if (readsCoins) coinsReadAt = performance.now();
        const result = await scan(deps, { snapshot, signal, onAdvance, readsCoins });
        alarm.reaches(result.cursor);
        await followHints(deps, result.cursor);
        onProgress(result);
        scannedHash = result.again ? null : head.hash;
        if (result.again) pauseMs = Math.min(pollMs, 50);
      }
      faults = 0;
      rpcFaults = 0;
    } catch (error) {
      if (signal.aborted) return;
      scannedHash = null;
      faults += 1;
      pauseMs = Math.min(PAUSE_MAX_MS, pollMs * 2 ** faults);
      logFault(deps, error, faults);
      rpcFaults = error instanceof Refusal && error.code === 'chain_unavailable' ? rpcFaults + 1 : 0;
      if (rpcFaults >= YIELD_FAULTS) throw new YieldLeadership('the RPC does not respond');
    }
    await waker.sleep(pauseMs, signal);
  }
}

/** Logs an outage of the chain when it begins, and then every thirtieth failure. */
function logFault({ log, chain }: MatchDeps, error: unknown, faults: number): void {
  if (error instanceof Refusal && error.code !== 'datastore_unavailable') {
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    if (faults === 1 || faults % 30 === 0)
      log.warn({ chainId: chain.chainId, code: error.code, cause }, 'chain unavailable to the watcher');
  } else {
    logFailure(log, error, 'chain watcher failed', { chainId: chain.chainId }, 'error');
  }
}
