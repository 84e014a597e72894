import type { Wallet } from '../../base/core/wallet.ts';
import { query } from '../../base/platform/postgres/query.ts';

/** The brand that the events of a merchant name. */
export const BRAND_KEY = query('webhook-brand-key', (db, $: { merchant: Wallet }) =>
  db.selectFrom('Merchant').select('brandKey').where('wallet', '=', $.merchant),
);
