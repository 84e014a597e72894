import type { Kysely } from 'kysely';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { REFUND, type RefundState } from './lifecycle.ts';

/**
 * The only update of a refund's state: moves refunds that may move to `to`. The caller adds which ones.
 *
 * @param refundedAt when the whole amount was proven, epoch ms
 */
export const moveRefunds = (db: Kysely<Database>, to: RefundState, refundedAt: number | null) =>
  db
    .updateTable('Refund')
    .set({ state: to, refundedAt })
    .where('state', '=', (eb) => eb.fn.any(eb.val(REFUND.before(to))));
