import type { Jurisdiction } from '../../../base/core/jurisdiction.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { catalogueOf, JURISDICTION_COLUMNS } from './jurisdictions.ts';

const OWN = query('own-jurisdictions', (db, $: { merchant: Wallet }) =>
  db.selectFrom('MerchantJurisdiction').select(JURISDICTION_COLUMNS).where('merchant', '=', $.merchant).orderBy('code'),
);

/** A merchant's own jurisdictions, and the public ones that they do not replace. */
export async function taxCatalogue(db: Db, merchant: Wallet): Promise<Jurisdiction[]> {
  return catalogueOf(await db.run(OWN, { merchant }));
}
