import type { Expression, Kysely } from 'kysely';
import { defineLifecycle } from '../../../base/core/lifecycle.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';

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

/**
 * The only update of a delivery's state: moves deliveries that may move to `to`. The caller adds which ones.
 *
 * @param finishedAt when the last attempt ended, epoch ms; null for a delivery that is pending again
 */
export const moveDeliveries = (db: Kysely<Database>, to: DeliveryState, finishedAt: Expression<number> | null) =>
  db.updateTable('Delivery').set({ state: to, finishedAt }).where('Delivery.state', 'in', DELIVERY.before(to));
