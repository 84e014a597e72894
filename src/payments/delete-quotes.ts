import { sql } from 'kysely';
import { deleteQuotes } from '../quotes/delete-quotes.ts';

/** Deletes the quotes whose reservation ended before a time. Those of receipts with a transfer stay. */
export const DELETE_QUOTES = deleteQuotes(
  sql`exists (select from transfers f where f.merchant = t.merchant and f.receipt_id = t.receipt_id)`,
);
