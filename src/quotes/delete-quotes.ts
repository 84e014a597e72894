import { type RawBuilder, sql } from 'kysely';
import { walkQuery } from '../platform/sweep.ts';
import { reservationEnd } from './reserve.ts';

/**
 * Defines a statement that deletes the quotes whose reservation ended before a time.
 *
 * @param isUsed whether a quote `t` has to stay
 */
export const deleteQuotes = (isUsed: RawBuilder<boolean>) =>
  walkQuery('quotes-delete', {
    table: 'quotes',
    key: ['merchant', 'id'],
    isDue: (before) => sql`${reservationEnd} < ${before} and not ${isUsed}`,
  });
