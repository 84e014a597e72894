import { setTimeout } from 'node:timers/promises';
import { Refusal } from '../../../base/core/errors.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { spreadSplits } from '../../shop/splits/spread.ts';
import type { MatchDeps } from '../matching/match.ts';
import { reportClock } from './chain-clock.ts';
import { createDailyReading } from './coin-watches.ts';
import { checkTags } from './finality.ts';
import { retryErrors } from './retry-errors.ts';
import { repairStuck, reportStuck } from './stuck.ts';

/** The interval between rounds. */
const EVERY_MS = 30_000;

/**
 * Runs checks beside the watcher until the signal is aborted: adds the merchants' splits to the chain, repairs receipts
 * and reports unknown block tags once at the start; then raises alerts for receipts that stay `tx_mined` and for a
 * clock that differs from the chain's, retries transfers that could not be matched, and reads the coins of old
 * addresses. An error ends one round, not the loop.
 */
export async function oversee(deps: MatchDeps & Pick<Deps, 'chains' | 'settings'>, signal: AbortSignal): Promise<void> {
  const reported = new Set<string>();
  const skew = { reported: false };
  let isSpread = false;
  const readOldCoins = createDailyReading();
  let repaired = false;
  let tagsChecked = false;
  const rounds = [
    async () => {
      if (!isSpread) isSpread = await spreadSplits(deps);
    },
    async () => {
      if (!repaired) await repairStuck(deps, signal);
      repaired = true;
    },
    async () => {
      if (!tagsChecked) await checkTags(deps);
      tagsChecked = true;
    },
    () => reportStuck(deps, reported),
    () => reportClock(deps, skew),
    () => retryErrors(deps),
    () => readOldCoins(deps),
  ];
  while (!signal.aborted) {
    for (const round of rounds) await round().catch((error: unknown) => logFault(deps, error));
    await setTimeout(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** Outages of the chain or the database are reported by the watcher instead. */
function logFault({ log, chain }: MatchDeps, error: unknown): void {
  if (!(error instanceof Refusal)) log.error({ chainId: chain.chainId, err: error }, 'payment checks failed');
}
