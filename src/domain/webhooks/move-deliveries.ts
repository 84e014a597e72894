import type { Expression, Kysely } from 'kysely';
import type { Database } from '../../base/platform/postgres/database.ts';
import { DELIVERY, type DeliveryState } from './lifecycle.ts';

/**
 * The only update of a delivery's state: moves deliveries that may move to `to`. The caller adds which ones.
 *
 * @param finishedAt when the last attempt ended, epoch ms; null for a delivery that is pending again
 */
export const moveDeliveries = (db: Kysely<Database>, to: DeliveryState, finishedAt: Expression<number> | null) =>
  db.updateTable('Delivery').set({ state: to, finishedAt }).where('Delivery.state', 'in', DELIVERY.before(to));
