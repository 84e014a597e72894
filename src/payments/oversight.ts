import { setTimeout } from 'node:timers/promises';
import { Refusal } from '../core/errors.ts';
import { reportClock } from './chain-clock.ts';
import type { MatchDeps } from './match.ts';
import { retryErrors } from './retry-errors.ts';
import { repairStuck, reportStuck } from './stuck.ts';

/** So often is it looked after. */
const EVERY_MS = 30_000;

/**
 * Looks after what the watcher must not leave behind, beside it and until the signal is aborted: repairs receipts once at the start, then raises alarms for
 * receipts that stay `tx_mined` and for a clock that differs from the chain's, and tries transfers again that could not be matched. A fault ends one round,
 * not the loop.
 */
export async function oversee(deps: MatchDeps, signal: AbortSignal): Promise<void> {
  const reported = new Set<string>();
  const skew = { told: false };
  let repaired = false;
  const rounds = [
    async () => {
      if (!repaired) await repairStuck(deps, signal);
      repaired = true;
    },
    () => reportStuck(deps, reported),
    () => reportClock(deps, skew),
    () => retryErrors(deps),
  ];
  while (!signal.aborted) {
    for (const round of rounds) await round().catch((error: unknown) => tell(deps, error));
    await setTimeout(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** An outage of chain or database is reported by the watcher. */
function tell({ log, chain }: MatchDeps, error: unknown): void {
  if (!(error instanceof Refusal)) log.error({ chainId: chain.chainId, err: error }, 'oversight of payments failed');
}
