import { sql } from 'kysely';
import { walkQuery } from '../../../base/platform/sweep.ts';

/** Deletes the quotes that ended before a time. Those of version 0.1 without an end count from their creation. */
export const DELETE_QUOTES = walkQuery('quotes-delete', {
  table: 'quotes',
  key: ['merchant', 'id'],
  isDue: (before) => sql`coalesce(expires_at, created_at) < ${before}`,
});
