import { createSender, type Sender } from '../chain/sender.ts';
import { Refusal } from '../core/errors.ts';
import type { Deps } from '../platform/deps.ts';
import { createBackoff } from './backoff.ts';
import { completeReceipts, type Round } from './complete.ts';
import { deploySplits } from './deploy.ts';
import { reckonOwed } from './owed.ts';
import { reasonOf } from './reason.ts';
import { type InFlight, releaseShares } from './release.ts';
import type { Waker } from './wake.ts';

export type SettlementDeps = Pick<Deps, 'orm' | 'sql' | 'boss' | 'bus' | 'chain' | 'clock' | 'log'>;

export interface SettlementOptions {
  /** Deploys and releases; null: recipients do so themselves, and we only watch. */
  readonly privateKey: `0x${string}` | null;
  /** Rings when the watcher has come further. */
  readonly waker: Waker;
  /** The block up to which the watcher has read at full depth; null before its first look. */
  readonly confirmed: () => number | null;
}

/** Without news it looks again after so long: something may have failed, or be due again. */
const IDLE_MS = 5_000;

/** Passes on what was paid, until the signal is aborted: deploys splits, releases shares, and completes receipts once the chain shows it at full depth. */
export async function settle(deps: SettlementDeps, options: SettlementOptions, signal: AbortSignal): Promise<void> {
  const sender = options.privateKey ? createSender(deps.chain, options.privateKey) : null;
  const settler = createSettler(deps, sender);
  while (!signal.aborted) {
    options.waker.takeWake();
    const confirmed = options.confirmed();
    if (confirmed !== null) {
      await settler(confirmed).catch((error: unknown) => {
        const code = error instanceof Refusal ? error.code : undefined;
        deps.log.warn({ code, reason: reasonOf(error) }, 'settlement has to wait');
      });
    }
    await options.waker.sleep(IDLE_MS, signal);
  }
}

/** One round of settlement after another, with the same memory of what has failed. */
export function createSettler(deps: SettlementDeps, sender: Sender | null): (confirmed: number) => Promise<void> {
  // Not by the time of day: set back by an hour, it would keep payees waiting as long.
  const backoff = createBackoff(() => performance.now());
  const inFlight: InFlight = new Map();
  const round: Round = { after: '' };
  return async (confirmed) => {
    await deploySplits({ ...deps, backoff }, sender);
    await reckonOwed(deps, confirmed);
    if (sender) await releaseShares({ ...deps, backoff, inFlight }, sender);
    await completeReceipts(deps, round, confirmed);
  };
}
