import { sql } from 'kysely';
import { walkQuery } from '../../../base/platform/sweep.ts';
import { CHARGED, OPEN } from './lifecycle.ts';

const KEPT = sql.join([...OPEN, ...CHARGED].map((status) => sql.lit(status)));

/** Deletes the card checkouts that ended without a charge and were last changed before a time. */
export const DELETE_CHECKOUTS = walkQuery('onramp-sessions-delete', {
  table: 'onramp_sessions',
  key: ['merchant', 'id'],
  isDue: (before) =>
    sql`t.status not in (${KEPT}) and t.customer_total_cents is null and t.transaction_hash is null
      and t.delivery_due_at is null and t.updated_at < ${before}`,
});
