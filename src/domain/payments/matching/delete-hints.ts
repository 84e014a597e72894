import { sql } from 'kysely';
import { walkQuery } from '../../../base/platform/sweep.ts';

/** Deletes the submitted transactions whose outcome was known, or whose checks ended, before a time. */
export const DELETE_HINTS = walkQuery('submitted-transactions-delete', {
  table: 'submitted_transactions',
  key: ['merchant', 'receipt_id', 'transaction_hash'],
  isDue: (before) => sql`t.closed_at < ${before}`,
});
