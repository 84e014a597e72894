import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import { query } from '../../../base/platform/postgres/query.ts';

/** Erases where the card checkouts of receipts return their buyers to: the merchant's address may name the buyer. */
export const ERASE_REDIRECTS = query('onramp-sessions-erase', (db, $: { merchant: Wallet; ids: readonly string[] }) =>
  db
    .updateTable('OnrampSession')
    .set({ redirectUrl: null })
    .where('merchant', '=', $.merchant)
    .where('receiptId', '=', sql<string>`any(${$.ids}::text[])`)
    .where('redirectUrl', 'is not', null),
);
