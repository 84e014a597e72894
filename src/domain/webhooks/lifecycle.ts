import { defineLifecycle } from '../../base/core/lifecycle.ts';

/**
 * The state of a delivery. `pending`: attempts are due. `delivered`: the endpoint accepted one. `failed`: the last
 * attempt failed.
 *
 * A redelivery returns to `pending`, and may overlap with attempts that still run. So attempts may end a delivery that
 * is already at its end, but a failed attempt never replaces an accepted one.
 */
export const DELIVERY = defineLifecycle(['pending'], {
  pending: ['pending', 'delivered', 'failed'],
  delivered: ['pending', 'delivered'],
  failed: ['pending', 'delivered', 'failed'],
});

export type DeliveryState = (typeof DELIVERY.statuses)[number];
