import { createSender, type Sender } from '../chain/sender.ts';
import { Refusal } from '../core/errors.ts';
import { reasonOf } from '../core/reason.ts';
import type { SettlementLoop } from '../payments/worker.ts';
import { createBackoff } from '../platform/backoff.ts';
import type { Deps } from '../platform/deps.ts';
import type { Waker } from '../platform/wake.ts';
import { createDeploymentCheck } from './check-deployments.ts';
import { completeReceipts, createCompletionSweep } from './complete.ts';
import { computeOwed } from './compute-owed.ts';
import { deploySplits } from './deploy.ts';
import { createFunds } from './funds.ts';
import { createRests, type PlaceWalk, walkPlaces } from './place-walk.ts';
import { type InFlight, releaseShares } from './release.ts';

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

/** Settlement as the payment worker runs it, with the configured wallet. */
export const settlementLoop =
  (deps: SettlementDeps & Pick<Deps, 'settings'>): SettlementLoop =>
  (progress, signal) =>
    settle(deps, { ...progress, privateKey: deps.settings.settlementPrivateKey }, signal);

/** One round of settlement after another, with the same memory of what has failed. */
export function createSettler(deps: SettlementDeps, sender: Sender | null): (confirmed: number) => Promise<void> {
  // Not the time of day: set back by an hour, it would keep payees waiting as long.
  const clock = () => performance.now();
  const backoff = createBackoff(clock);
  const funds = createFunds(deps.log, clock);
  const rests = createRests(clock);
  const inFlight: InFlight = new Map();
  const [toReckon, toRelease, toComplete] = (['reckon', 'release', 'complete'] as const).map((concern) =>
    walkPlaces(deps, concern, rests),
  ) as [PlaceWalk, PlaceWalk, PlaceWalk];
  const checkDeployments = createDeploymentCheck(deps);
  const sweep = createCompletionSweep(deps, clock);
  const steps = (confirmed: number): (() => Promise<void>)[] => [
    () => checkDeployments(confirmed),
    () => deploySplits({ ...deps, backoff, funds }, sender),
    () => computeOwed({ ...deps, rests }, toReckon, confirmed),
    async () => {
      if (sender) await releaseShares({ ...deps, backoff, inFlight, rests, funds }, toRelease, sender);
    },
    () => completeReceipts({ ...deps, rests }, toComplete, confirmed),
    sweep,
  ];
  return async (confirmed) => {
    const failures: unknown[] = [];
    for (const step of steps(confirmed)) await step().catch((error: unknown) => failures.push(error));
    // One step that fails does not keep the others from their turn.
    if (failures.length > 0) throw failures[0];
  };
}
