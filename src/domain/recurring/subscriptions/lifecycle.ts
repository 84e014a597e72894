import { defineLifecycle } from '../../../base/core/lifecycle.ts';

/**
 * `active`: charged when due. `past_due`: the last charge failed and will be retried. `cancelled`: by the customer,
 * here or on the chain, or by the merchant. `expired`: the permission has ended, or every retry failed.
 *
 * A successful charge moves to `active`, a failed one to `past_due`, also from the same status.
 */
export const SUBSCRIPTION = defineLifecycle(['active'], {
  active: ['active', 'past_due', 'cancelled', 'expired'],
  past_due: ['active', 'past_due', 'cancelled', 'expired'],
  cancelled: [],
  expired: [],
});

export type SubscriptionStatus = (typeof SUBSCRIPTION.statuses)[number];

/** The statuses in which a subscription is charged when it is due. */
export const COLLECTIBLE = ['active', 'past_due'] as const satisfies readonly SubscriptionStatus[];

/** The final statuses. */
export const ENDED = ['cancelled', 'expired'] as const satisfies readonly SubscriptionStatus[];

/** Whether a subscription is charged when it is due. */
export const isCollectible = ({ status }: { readonly status: SubscriptionStatus }): boolean =>
  (COLLECTIBLE as readonly SubscriptionStatus[]).includes(status);
