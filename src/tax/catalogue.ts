import type { Jurisdiction } from '../core/jurisdiction.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { catalogueOf } from './jurisdictions.ts';

const OWN = statement(
  'own-jurisdictions',
  `select code, display_name as "displayName", rate, components, updated_at as "updatedAt"
     from merchant_jurisdictions where merchant = $1 order by code`,
);

/** A merchant's own jurisdictions, and the public ones that they do not replace. */
export async function taxCatalogue({ sql }: Pick<Deps, 'sql'>, merchant: Wallet): Promise<Jurisdiction[]> {
  return catalogueOf(await sql.rows<Jurisdiction>(OWN, [merchant]));
}
