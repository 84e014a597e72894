import { readHead } from '../../../base/chain/blocks.ts';
import { refuse } from '../../../base/core/errors.ts';
import type { SpendersDeps } from '../../../base/onchain/spender/deps.ts';
import { chainOf } from '../../../base/platform/on-chain.ts';
import { isCollectible } from '../subscriptions/lifecycle.ts';
import { type ChargeResult, notCharged } from './charge-result.ts';
import { findToCharge } from './due-scan.ts';
import { runCharges } from './run-charges.ts';

/** How long a caller waits for the transaction's block. A request ends within ten seconds. */
const WAIT_MS = 6_000;

/**
 * Charges one subscription immediately, if it is due by the time of the latest block of its chain. Of concurrent calls
 * one charges, and all return its result.
 *
 * Refuses with `not_found`, `subscription_not_active`, `spender_not_configured`, `chain_unavailable`, and
 * `charge_failed`, whose `reason` is one of `declined` (with `failureCode` and `nextChargeAt`), `reverted`, `revoked`,
 * `expired`, `split_required`, `merchant_suspended`, `payments_paused`, `spender_out_of_funds`, `fees_too_high`, or
 * `pending` (sent, but in no block yet; the worker follows it).
 */
export async function chargeSubscription(all: SpendersDeps, subscriptionId: string): Promise<ChargeResult> {
  const found = await findToCharge(all.db, subscriptionId);
  if (!found) throw refuse('not_found', 'Subscription not found');
  if (!isCollectible(found)) throw refuse('subscription_not_active');
  const chain = chainOf(all, found.chainId);
  if (!chain) throw refuse('chain_unavailable', `This server has no chain ${found.chainId} any more`);
  const deps = { ...all, chain };
  const head = await readHead(chain);
  if (found.nextChargeAt === null || found.nextChargeAt > head.timeMs)
    return notCharged(subscriptionId, { reason: 'not_due', nextChargeAt: found.nextChargeAt });
  const [result] = await runCharges(deps, [found], { waitMs: WAIT_MS });
  if (result!.success || result!.reason === 'not_due') return result!;
  const { reason, failureCode, nextChargeAt, transactionHash } = result!;
  throw refuse('charge_failed', undefined, {
    subscriptionId,
    reason,
    ...(failureCode === null ? {} : { failureCode }),
    ...(transactionHash === null ? {} : { transactionHash }),
    nextChargeAt,
  });
}
