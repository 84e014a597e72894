import type { SpendersDeps } from '../../../base/onchain/spender/spender.ts';
import { chainOf } from '../../../base/platform/on-chain.ts';
import { enqueueFirstCharge, type FirstChargeJob } from '../subscriptions/first-charge.ts';
import type { ChargeReason, ChargeResult } from './charge-type.ts';
import { type DueSubscription, findToCharge } from './due-scan.ts';
import { runCharges } from './run-charges.ts';

/** How long the jobs wait for the blocks of their transactions. Then the next jobs run, and the worker follows them. */
const WAIT_MS = 2_000;
/** The delay of a subscription whose permission has not started by the chain's time. */
const NOT_STARTED_MS = 1_000;

/** The charge is sent, or its failure is recorded: the rules of past due apply to it. */
const DECIDED: readonly (ChargeReason | null)[] = [null, 'pending', 'declined', 'reverted', 'revoked', 'expired'];

/**
 * Charges new subscriptions for the first time, as the run of all due subscriptions does: of both only one charges a
 * period. A subscription whose charge is decided is left as it is. One that cannot be charged for a reason on the
 * operator's side fails the jobs, so that they are repeated.
 */
export async function chargeFirst(
  deps: SpendersDeps,
  jobs: readonly FirstChargeJob[],
  signal: AbortSignal,
): Promise<void> {
  const found = await Promise.all(jobs.map(({ subscriptionId }) => findToCharge(deps.db, subscriptionId)));
  const waiting = found.filter((one) => one !== null && isUncharged(one)) as DueSubscription[];
  const byChain = [...Map.groupBy(waiting, ({ chainId }) => chainId)];
  const settled = await Promise.allSettled(byChain.map(([chainId, some]) => chargeOn(deps, chainId, some, signal)));
  const failed = settled.find(({ status }) => status === 'rejected');
  const results = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const isEarly = ({ reason }: ChargeResult) => reason === 'not_due';
  if (failed) throw (failed as PromiseRejectedResult).reason;
  const undecided = results.filter((result) => !isEarly(result) && !DECIDED.includes(result.reason));
  const reasons = undecided.map(({ subscriptionId, reason }) => `${subscriptionId} (${reason})`).join(', ');
  if (reasons !== '') throw new Error(`no first charge of ${reasons}`);
  // Jobs that fail are repeated themselves.
  await deps.db.transaction(async (uow) => {
    for (const { subscriptionId } of results.filter(isEarly))
      await enqueueFirstCharge(uow, { subscriptionId }, NOT_STARTED_MS);
  });
}

/** Nothing has come of the first charge yet: a success and a failure both move the next one. */
const isUncharged = ({ status, nextChargeAt, permission }: DueSubscription): boolean =>
  status === 'active' && nextChargeAt === permission.start * 1000;

async function chargeOn(
  deps: SpendersDeps,
  chainId: number,
  subscriptions: readonly DueSubscription[],
  signal: AbortSignal,
): Promise<ChargeResult[]> {
  const chain = chainOf(deps, chainId);
  if (!chain) throw new Error(`this worker has no chain ${chainId}`);
  return runCharges({ ...deps, chain }, subscriptions, { waitMs: WAIT_MS, signal });
}
