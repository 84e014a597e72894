import { refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { DEFAULT_PRICING, type PricingConfig } from './pricing.ts';

const READ = statement('read-pricing', 'select pricing from merchants where wallet = $1');

/** A merchant's pricing configuration. Refuses with `not_found` if there is no such merchant. */
export async function readPricing({ sql }: Pick<Deps, 'sql'>, merchant: Wallet): Promise<PricingConfig> {
  const [row] = await sql.rows<{ pricing: Partial<PricingConfig> }>(READ, [merchant]);
  if (!row) throw refuse('not_found', 'No merchant is registered under this wallet');
  return { ...DEFAULT_PRICING, ...row.pricing };
}
