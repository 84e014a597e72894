import { sql } from 'kysely';
import { walkQuery } from '../../base/platform/sweep.ts';

/** Deletes the deliveries whose last attempt ended before a time, with their attempts. A pending one stays. */
export const DELETE_DELIVERIES = walkQuery('webhook-deliveries-delete', {
  table: 'webhook_deliveries',
  key: ['id'],
  isDue: (before) => sql`t.state <> 'pending' and t.finished_at < ${before}`,
  also: sql`, attempts as (delete from webhook_attempts a using gone where a.delivery_id = gone.id)`,
});
