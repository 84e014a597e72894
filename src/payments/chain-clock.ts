import { readHead } from '../chain/blocks.ts';
import type { Deps } from '../platform/deps.ts';

/** Quotes of coins hold for 15 minutes by the blocks' time: a clock that is off by a third of that shortens or lengthens them. */
const SKEW_MAX_MS = 5 * 60 * 1000;

/** Whether the alarm was raised, so that it is raised once each time the clocks part. */
export interface Skew {
  told: boolean;
}

/**
 * Compares this machine's clock with the newest block's time and raises an alarm (`alert: 'clock_skew'` in the log) where they differ by more than five
 * minutes: either the clock is wrong, or the chain or the node stands still. A local chain makes blocks only when asked, so only its future counts there.
 */
export async function reportClock(deps: Pick<Deps, 'chain' | 'clock' | 'log'>, skew: Skew): Promise<void> {
  const { chain, clock, log } = deps;
  const head = await readHead(chain);
  const aheadMs = clock() - head.timeMs;
  const isOff = chain.mayRestart ? aheadMs < -SKEW_MAX_MS : Math.abs(aheadMs) > SKEW_MAX_MS;
  if (isOff && !skew.told) {
    log.error(
      { alert: 'clock_skew', chainId: chain.chainId, aheadMs, block: Number(head.number) },
      'this clock and the time of the newest block differ by more than five minutes',
    );
  }
  skew.told = isOff;
}
