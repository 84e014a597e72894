import { setTimeout } from 'node:timers/promises';
import { revokeAsSpenderTransaction } from '../../../base/chain/charger.ts';
import { isRevoked } from '../../../base/chain/spend-permissions.ts';
import { Refusal } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { countSent } from '../../../base/onchain/spender/count-sent.ts';
import { sendOther } from '../../../base/onchain/spender/send-transactions.ts';
import { findSpender, type SpenderDeps, type SpendersDeps } from '../../../base/onchain/spender/spender.ts';
import { findKeyOf, openSpenderKeys, type SpenderKey } from '../../../base/onchain/spender/spender-key.ts';
import {
  CHARGE_PAID_QUEUE,
  CHARGE_QUEUE,
  enqueueJobs,
  FIRST_CHARGE_QUEUE,
  REVOKE_QUEUE,
  schedule,
  workOn,
} from '../../../base/platform/jobs.ts';
import { runAsLeader } from '../../../base/platform/leadership.ts';
import { logFailure } from '../../../base/platform/log/outage.ts';
import { chainOf } from '../../../base/platform/on-chain.ts';
import { retryStart } from '../../../base/platform/postgres/reach-database.ts';
import { createWaker } from '../../../base/platform/wake.ts';
import type { PaidChargeJob } from '../../payments/watching/enqueue-paid-charge.ts';
import { openDayBudget } from '../../shop/merchants/newcomer.ts';
import type { RevokeJob } from '../subscriptions/cancel.ts';
import type { FirstChargeJob } from '../subscriptions/first-charge.ts';
import { noticeExpiry, noticeRevocations, recordRevoked } from '../subscriptions/notice-endings.ts';
import { chargeDueSubscriptions } from './charge-batch.ts';
import { findToCharge } from './due-scan.ts';
import { chargeFirst } from './first-charges.ts';
import { ensureCharger } from './prepare-charge.ts';
import { follow } from './record-outcomes.ts';
import { settlePaidCharge } from './settle-charges.ts';

/** Interval of passes over the wallet's transactions and the chain's revocations. */
const PASS_INTERVAL_MS = 2_000;
const PAUSE_MAX_MS = 60_000;
/** First charges in one go. */
const FIRST_AT_ONCE = 50;
/** Checks for a revocation before its job fails and is retried later. */
const REVOKE_CHECKS = 15;
/**
 * Permissions that were never charged are revoked as long as so many revocations of a merchant, or of all newcomers
 * together, were not sent within a day: a stranger who subscribes and cancels pays nothing, the spender pays the gas.
 */
export const UNCHARGED_REVOKED_PER_DAY = 100;
const REVOKE_AGAIN_MS = 6 * 3_600_000;
const DAY_MS = 86_400_000;

/**
 * On each chain, with a leader of its own: follows the transactions of the charging wallets and detects revoked and
 * expired permissions. For all chains: sends enqueued revocations, settles charges whose receipts were paid otherwise,
 * charges new subscriptions, and charges due subscriptions on the schedule. Does nothing on a chain without a spender,
 * nor without its key.
 */
export async function startChargeWorker(deps: SpendersDeps): Promise<{ stop(): Promise<void> }> {
  const { settings, log } = deps;
  const places = deps.chains.map((chain) => ({ ...deps, chain })).filter((place) => findSpender(place) !== null);
  if (places.length === 0 || settings.spenderPrivateKey === null) return { stop: async () => {} };
  const stopping = new AbortController();
  const leaderships = places.map((place) =>
    runAsLeader({
      databaseUrl: settings.databaseSessionUrl,
      name: `charges of chain ${place.chain.chainId}`,
      log,
      task: (signal) => followChain(place, signal),
    }),
  );
  await retryStart(() => schedule(deps.db, CHARGE_QUEUE, settings.chargeSchedule));
  const parts = [
    ...leaderships,
    workOn(deps.db, deps.log, CHARGE_QUEUE, async () => {
      const { failedChains } = await chargeDueSubscriptions(deps, stopping.signal);
      // The job is retried: the other chains then have nothing due.
      const failed = failedChains.map(({ chainId, reason }) => `${chainId} (${reason})`).join(', ');
      if (failed !== '') throw new Error(`no charges on chain ${failed}`);
    }),
    // As many as there are chains, so that one that does not answer holds up no other.
    ...places.map(() =>
      workOn<FirstChargeJob>(
        deps.db,
        deps.log,
        FIRST_CHARGE_QUEUE,
        (jobs) => chargeFirst(deps, jobs, stopping.signal),
        {
          atOnce: FIRST_AT_ONCE,
        },
      ),
    ),
    workOn<RevokeJob>(deps.db, deps.log, REVOKE_QUEUE, (jobs) => revokeAll(deps, jobs, stopping.signal)),
    workOn<PaidChargeJob>(deps.db, deps.log, CHARGE_PAID_QUEUE, async (jobs) => {
      for (const job of jobs) await settlePaidCharge(deps, job);
    }),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

async function followChain(deps: SpenderDeps, signal: AbortSignal): Promise<void> {
  const waker = createWaker();
  let faults = 0;
  while (!signal.aborted) {
    try {
      const keys = openSpenderKeys(deps);
      for (const key of keys) await follow(deps, key, { signal });
      await noticeExpiry(deps);
      // All permissions of a chain are revoked at one manager.
      await noticeRevocations(deps, keys[0]);
      faults = 0;
    } catch (error) {
      faults += 1;
      const code = error instanceof Refusal ? error.code : undefined;
      if (faults === 1 || code === undefined)
        logFailure(deps.log, error, 'charge worker failed', { code, chainId: deps.chain.chainId });
    }
    await waker.sleep(Math.min(PAUSE_MAX_MS, PASS_INTERVAL_MS * 2 ** Math.min(faults, 5)), signal);
  }
}

/** A job ends once the revocation is on chain; a job that takes longer fails and is retried. */
async function revokeAll(deps: SpendersDeps, jobs: readonly RevokeJob[], signal: AbortSignal): Promise<void> {
  for (const job of jobs) {
    for (let checks = 0; !(await revokeAsSpender(deps, job)); checks++) {
      if (checks === REVOKE_CHECKS || signal.aborted) throw new Error('the revocation is in no block yet');
      await setTimeout(Math.min(1_000, deps.chain.client.pollingInterval));
    }
  }
}

/**
 * Revokes a subscription's permission as its spender, on the permission's chain. Returns true once the revocation is on
 * chain and recorded, if it is enqueued for later, or if this server cannot revoke it; call again until it does.
 */
export async function revokeAsSpender(all: SpendersDeps, { subscriptionId }: RevokeJob): Promise<boolean> {
  const subscription = await findToCharge(all.db, subscriptionId);
  if (!subscription) return true;
  const { permission, merchant, chainId, chargeCount } = subscription;
  const chain = chainOf(all, chainId);
  if (!chain) return true;
  const deps = { ...all, chain };
  const key = findSpender(deps) && findKeyOf(deps, permission.spender);
  if (!key) return true;
  if (!(await ensureCharger(deps, key))) return false;
  if (await isRevoked(deps.chain, key.manager, permission)) {
    await recordRevoked(deps, { merchant, subscriptionId });
    return true;
  }
  if (chargeCount === 0 && (await isDayUsedUp(deps, key, merchant))) {
    const later = [{ merchant, subscriptionId }] satisfies RevokeJob[];
    await deps.db.transaction((uow) => enqueueJobs(uow, REVOKE_QUEUE, later, { delayMs: REVOKE_AGAIN_MS }));
    return true;
  }
  const call = revokeAsSpenderTransaction(key.charger.address, permission);
  await sendOther(deps, key, { purpose: 'revoke', merchant, subjectId: subscriptionId, call });
  return false;
}

async function isDayUsedUp(deps: SpenderDeps, key: SpenderKey, merchant: Wallet): Promise<boolean> {
  const sent = await countSent(deps, key, { purpose: 'revoke', since: deps.clock() - DAY_MS });
  const limits = { perDay: UNCHARGED_REVOKED_PER_DAY, total: null };
  return (await openDayBudget(deps.db, limits, sent, [merchant]))(merchant) !== null;
}
