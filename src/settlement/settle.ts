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
  /** The key that deploys and releases. Null: recipients do so themselves, and the server only observes. */
  readonly privateKey: `0x${string}` | null;
  /** Wakes settlement when the watcher has advanced. */
  readonly waker: Waker;
  /** The block up to which the watcher has read at full depth; null before its first read. */
  readonly confirmed: () => number | null;
}

/** The interval between rounds without a wake-up, for retries and shares that have become due. */
const IDLE_MS = 5_000;

/**
 * Settles paid receipts until the signal is aborted: deploys splits, releases shares, and completes receipts once the
 * chain shows the releases at full depth.
 */
export async function settle(deps: SettlementDeps, options: SettlementOptions, signal: AbortSignal): Promise<void> {
  const sender = options.privateKey ? createSender(deps.chain, options.privateKey) : null;
  const settler = createSettler(deps, sender);
  while (!signal.aborted) {
    options.waker.takeWake();
    const confirmed = options.confirmed();
    if (confirmed !== null) {
      await settler(confirmed).catch((error: unknown) => {
        const code = error instanceof Refusal ? error.code : undefined;
        deps.log.warn({ code, reason: reasonOf(error) }, 'settlement round failed');
      });
    }
    await options.waker.sleep(IDLE_MS, signal);
  }
}

/** The settlement loop for the payment worker, with the configured wallet. */
export const settlementLoop =
  (deps: SettlementDeps & Pick<Deps, 'settings'>): SettlementLoop =>
  (progress, signal) =>
    settle(deps, { ...progress, privateKey: deps.settings.settlementPrivateKey }, signal);

/** Creates a function that runs one round of settlement. Rounds share their state about failures. */
export function createSettler(deps: SettlementDeps, sender: Sender | null): (confirmed: number) => Promise<void> {
  // The monotonic clock: a wall clock that is set back by an hour would delay payees by an hour.
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
    // A failed step does not prevent the later steps.
    if (failures.length > 0) throw failures[0];
  };
}
