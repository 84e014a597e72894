import { Refusal } from '../../../base/core/errors.ts';
import { reasonOf } from '../../../base/core/reason.ts';
import { awaitMined, followTransactions } from '../../../base/onchain/spender/follow-transactions.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import { createBackoff } from '../../../base/platform/backoff.ts';
import type { Waker } from '../../../base/platform/wake.ts';
import type { SettlementLoop } from '../../payments/watching/worker.ts';
import { createCollector } from './collect.ts';
import { completeReceipts, createCompletionSweep } from './complete.ts';
import { computeOwed, forgetMixedShares } from './compute-owed.ts';
import { createDeploymentCheck, deploySplits, findUndeployed } from './deploy.ts';
import { createPause, type SendDeps, type SettlementDeps } from './deps.ts';
import { noticeOutcomes, settlementOutcomes } from './outcomes.ts';
import { createAskedPlaces, createRests, type PlaceWalk, walkPlaces } from './place-walk.ts';
import { releaseShares } from './release.ts';

interface SettlementOptions {
  /** The wallet that deploys and releases. Null: recipients do so themselves, and the server only observes. */
  readonly wallet: SigningWallet | null;
  /** Wakes settlement when the watcher has advanced. */
  readonly waker: Waker;
  /** The block up to which the watcher has read at full depth; null before its first read. */
  readonly confirmed: () => number | null;
}

/** The interval between rounds without a wake-up, for retries and shares that have become due. */
const IDLE_MS = 5_000;
/**
 * How long a round waits for the blocks of its transactions. After that a later round follows them, and the server can
 * shut down.
 */
const WAIT_MS = 5_000;

/**
 * Settles paid receipts until the signal is aborted: deploys splits, releases shares, and completes receipts once the
 * chain shows the releases at full depth.
 */
async function settle(deps: SettlementDeps, options: SettlementOptions, signal: AbortSignal): Promise<void> {
  const settler = createSettler(deps, options.wallet, signal);
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
export const settlementLoop = (deps: SettlementDeps): SettlementLoop => {
  const { settlementPrivateKey } = deps.settings;
  const wallet = settlementPrivateKey === null ? null : openWallet('settlement', settlementPrivateKey);
  return (progress, signal) => settle(deps, { ...progress, wallet }, signal);
};

/** Creates a function that runs one round of settlement. Rounds share their state about failures. */
export function createSettler(
  deps: SettlementDeps,
  wallet: SigningWallet | null,
  signal?: AbortSignal,
): (confirmed: number) => Promise<void> {
  // The monotonic clock: a wall clock that is set back by an hour would delay payees by an hour.
  const clock = () => performance.now();
  const backoff = createBackoff(clock);
  const rests = createRests(clock);
  const pause = createPause(clock);
  const asked = createAskedPlaces(deps.db, deps.chain);
  const [toReckon, toRelease, toComplete] = (['reckon', 'release', 'complete'] as const).map((concern) =>
    walkPlaces(deps.db, deps.chain, concern, rests),
  ) as [PlaceWalk, PlaceWalk, PlaceWalk];
  const checkDeployments = createDeploymentCheck(deps);
  const sweep = createCompletionSweep(deps, clock);
  const collect = createCollector();
  let hasForgotten = false;

  return async (confirmed) => {
    const failures: unknown[] = [];
    /** A failed step does not prevent the later steps. */
    const step = async <T>(work: () => Promise<T>): Promise<T | null> => {
      try {
        return await work();
      } catch (error) {
        failures.push(error);
        return null;
      }
    };
    const sending: Omit<SendDeps, 'open'> | null = wallet && { ...deps, wallet, backoff, rests, pause, asked };
    await step(() => checkDeployments(confirmed));
    const send = sending && (await step(() => follow(sending, signal)));
    const undeployed = await step(() => findUndeployed({ ...deps, backoff, wallet }));
    const deployed = send && undeployed && (await step(() => deploySplits(send, undeployed)));
    const collected = send && (await step(() => collect(send, confirmed)));
    if (!hasForgotten)
      hasForgotten = (await step(() => forgetMixedShares(deps.db, deps.chain).then(() => true))) ?? false;
    await step(() => computeOwed({ ...deps, rests }, toReckon, confirmed));
    const released = send && (await step(() => releaseShares(send, toRelease)));
    const nonces = [deployed, collected, released].flatMap((sent) => sent ?? []);
    if (send && nonces.length > 0) await step(() => awaitBlocks(send, nonces, signal));
    await step(() => completeReceipts({ ...deps, rests }, toComplete, confirmed));
    await step(sweep);
    if (failures.length > 0) throw failures[0];
  };
}

/** Follows the wallet's transactions. Returns the dependencies with the subjects that are still in no block. */
async function follow(sending: Omit<SendDeps, 'open'>, signal: AbortSignal | undefined): Promise<SendDeps> {
  const { wallet } = sending;
  const { open, outcomes } = await followTransactions(sending, wallet, settlementOutcomes(sending), { signal });
  const send = { ...sending, open: new Set(open.map(({ subjectId }) => subjectId)) };
  await noticeOutcomes(send, outcomes);
  return send;
}

async function awaitBlocks(send: SendDeps, nonces: readonly number[], signal: AbortSignal | undefined): Promise<void> {
  const options = { waitMs: WAIT_MS, signal };
  await noticeOutcomes(send, await awaitMined(send, send.wallet, settlementOutcomes(send), nonces, options));
}
