import { sql } from 'kysely';
import { walkQuery } from '../../../base/platform/sweep.ts';

/**
 * Deletes the steps that happened before a time, of receipts that stopped waiting for money before it. The last step
 * stays, because a subscriber begins with it, and the notes stay: they say what was accepted and what was oversold.
 */
export const DELETE_HISTORY = walkQuery('receipt-history-delete', {
  table: 'receipts',
  key: ['merchant', 'id'],
  reads: ['closed_at', 'seq'],
  from: { table: 'receipt_history', key: ['merchant', 'receipt_id'] },
  isDue: (before) => sql`page.closed_at < ${before} and t.at < ${before} and t.seq < page.seq and t.kind <> 'note'`,
});
