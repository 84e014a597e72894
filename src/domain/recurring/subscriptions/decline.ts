import { chargeOutcomes } from '../../../base/core/observed.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { FailureCode } from '../../sales/receipts/failures.ts';
import { changeSubscriptions } from './change-subscriptions.ts';
import { COLLECTIBLE } from './lifecycle.ts';

const DAY_MS = 86_400_000;

/** A failed charge is retried this many days after its first failure, in block time; then the subscription expires. */
const RETRY_DAYS = [1, 3, 5, 7] as const;

/** A charge that failed for a reason on the customer's side. */
export interface Declined {
  readonly merchant: Wallet;
  readonly subscriptionId: string;
  readonly failure: FailureCode;
  /** The block's time, epoch ms. */
  readonly atMs: number;
  readonly chargeId?: string;
  readonly receiptId?: string;
  readonly transactionHash?: `0x${string}` | null;
}

const TO_DECLINE = query('subscription-to-decline', (db, $: { merchant: Wallet; id: string }) =>
  db
    .selectFrom('Subscription')
    .select(['attempts', 'nextChargeAt', 'pastDueSince'])
    .where('merchant', '=', $.merchant)
    .where('id', '=', $.id)
    .where('status', 'in', COLLECTIBLE)
    .forUpdate(),
);

/**
 * Records a failed charge: the subscription becomes past due and is retried on days 1, 3, 5 and 7; after the last retry
 * it expires. `ifDueAt` prevents counting one failure twice: the subscription changes only if its next charge is still
 * due at that time.
 *
 * @returns the time of the next retry, epoch ms; null if there is none
 */
export async function declineCharge(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  declined: Declined,
  ifDueAt?: number | null,
): Promise<number | null> {
  const { merchant, subscriptionId, atMs, ...details } = declined;
  const [before] = await uow.run(TO_DECLINE, { merchant, id: subscriptionId });
  if (!before) return null;
  if (ifDueAt != null && before.nextChargeAt !== ifDueAt) return before.nextChargeAt;
  const days = RETRY_DAYS[before.attempts];
  const nextChargeAt = days === undefined ? null : (before.pastDueSince ?? atMs) + days * DAY_MS;
  const change = { merchant, subscriptionId, at: atMs, nextChargeAt, ...details };
  uow.afterCommit(() => {
    // A charge whose transaction has failed is already counted.
    if (chargeOutcomes.hasSubscribers && !details.chargeId) chargeOutcomes.publish({ outcome: 'declined' });
  });
  await changeSubscriptions(deps, uow, nextChargeAt === null ? 'lastChargeFailed' : 'chargeFailed', [change]);
  return nextChargeAt;
}
