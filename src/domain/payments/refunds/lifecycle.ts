import type { Kysely } from 'kysely';
import { defineLifecycle } from '../../../base/core/lifecycle.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';

/**
 * The state of a refund. `requested`: transactions have not proven the whole amount. `refunded`: they have. `declined`:
 * a person has declined what was not proven. A refund that is recorded with its proof begins as `refunded`.
 */
export const REFUND = defineLifecycle(['requested', 'refunded'], {
  requested: ['refunded', 'declined'],
  refunded: [],
  declined: [],
});

export type RefundState = (typeof REFUND.statuses)[number];

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
