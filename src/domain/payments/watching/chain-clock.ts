import { readHead } from '../../../base/chain/blocks.ts';
import type { Deps } from '../../../base/platform/deps.ts';

/**
 * Coin quotes are valid for 15 minutes of block time: a clock that is off by a third of that changes their validity
 * noticeably.
 */
const SKEW_MAX_MS = 5 * 60 * 1000;

/** Whether the alert was raised, so that each clock difference is reported once. */
export interface Skew {
  reported: boolean;
}

/**
 * Compares this machine's clock with the newest block's time and logs `alert: 'clock_skew'` if they differ by more than
 * five minutes: the clock is wrong, or the chain or the node has stopped. A local chain makes blocks on demand, so
 * there only a block time in the future counts.
 */
export async function reportClock(deps: Pick<Deps, 'chain' | 'clock' | 'log'>, skew: Skew): Promise<void> {
  const { chain, clock, log } = deps;
  const head = await readHead(chain);
  const aheadMs = clock() - head.timeMs;
  const isOff = chain.mayRestart ? aheadMs < -SKEW_MAX_MS : Math.abs(aheadMs) > SKEW_MAX_MS;
  if (isOff && !skew.reported) {
    log.error(
      { alert: 'clock_skew', chainId: chain.chainId, aheadMs, block: Number(head.number) },
      'clock and newest block time differ by more than five minutes',
    );
  }
  skew.reported = isOff;
}
