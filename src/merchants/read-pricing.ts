import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import { merchantNotFound } from './find.ts';
import { DEFAULT_PRICING, type PricingConfig } from './pricing.ts';

const READ = query('read-pricing', (db, $: { merchant: Wallet }) =>
  db.selectFrom('Merchant').select('pricing').where('wallet', '=', $.merchant),
);

/** A merchant's pricing configuration. Refuses with `not_found` if there is no such merchant. */
export async function readPricing({ sql }: Pick<Deps, 'sql'>, merchant: Wallet): Promise<PricingConfig> {
  const [row] = await sql.run(READ, { merchant });
  if (!row) throw merchantNotFound();
  return { ...DEFAULT_PRICING, ...row.pricing };
}
