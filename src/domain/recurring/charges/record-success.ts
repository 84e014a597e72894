import { chargeOutcomes as reports } from '../../../base/core/observed.ts';
import type { AnnouncingDeps } from '../../../base/platform/deps.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import { changeSubscriptions, type SubscriptionChange } from '../subscriptions/change-subscriptions.ts';
import type { MovedCharge } from './move-charges.ts';

/** What the event of a subscription reports about a charge. */
export const changeBy = ({ merchant, subscriptionId, at, ...charge }: MovedCharge): SubscriptionChange => ({
  ...{ merchant, subscriptionId, at },
  chargeId: charge.chargeId,
  receiptId: charge.receiptId,
  amountCents: charge.amountCents,
  feeCents: charge.feeCents,
  transactionHash: charge.transactionHash,
});

/**
 * Records charges that have succeeded in their subscriptions. A subscription that has ended meanwhile stays ended.
 * After the last period, the next charge is due at the permission's end, so that the subscription is scanned once more
 * and expires.
 *
 * @param isEarlier whether the subscription has a charge of a later period
 */
export async function recordSuccess(
  deps: AnnouncingDeps,
  uow: UnitOfWork,
  charges: readonly MovedCharge[],
  { isEarlier = false } = {},
): Promise<void> {
  uow.afterCommit(() => {
    if (reports.hasSubscribers) for (const _ of charges) reports.publish({ outcome: 'succeeded' });
  });
  const changes = charges.map((charge) => ({ ...changeBy(charge), nextChargeAt: charge.periodEnd * 1000 }));
  const active = await changeSubscriptions(deps, uow, isEarlier ? 'chargedEarlier' : 'charged', changes);
  const ended = changes.filter(({ subscriptionId }) => !active.has(subscriptionId));
  await changeSubscriptions(deps, uow, 'chargedAfterEnd', ended);
}
