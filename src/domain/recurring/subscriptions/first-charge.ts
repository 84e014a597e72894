import { enqueueJobs, FIRST_CHARGE_QUEUE } from '../../../base/platform/jobs.ts';
import type { UnitOfWork } from '../../../base/platform/unit-of-work.ts';
import type { SubscriptionRecord } from './read-subscriptions.ts';

/** The payload of a job that charges a new subscription. */
export interface FirstChargeJob {
  readonly subscriptionId: string;
}

/** Enqueues the first charge of a subscription in the caller's transaction. It is due after the delay. */
export const enqueueFirstCharge = (uow: UnitOfWork, job: FirstChargeJob, delayMs: number): Promise<void> =>
  enqueueJobs(uow, FIRST_CHARGE_QUEUE, [job], { delayMs });

/**
 * What has come of the first charge. `pending`: it is due or comes when the permission starts. `done`: a charge has
 * succeeded. `failed`: it failed, or the subscription ended before it.
 */
export type FirstCharge = 'pending' | 'done' | 'failed';

/** The first charge of a subscription: without a success only an attempt that fails moves it away from `active`. */
export function firstChargeOf({
  status,
  chargeCount,
}: Pick<SubscriptionRecord, 'status' | 'chargeCount'>): FirstCharge {
  if (chargeCount > 0) return 'done';
  return status === 'active' ? 'pending' : 'failed';
}
