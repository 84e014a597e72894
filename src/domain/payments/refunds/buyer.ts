import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';

const OWN_SPLIT = query('refunds-own-split', (db, $: { merchant: Wallet; address: Wallet }) =>
  db.selectFrom('Split').select('id').where('merchant', '=', $.merchant).where('address', '=', $.address).limit(1),
);

/** Refuses a buyer that is the merchant or its split, because that money does not leave the merchant. */
export async function requireBuyer(reader: Pick<Db, 'run'>, merchant: Wallet, buyer: Wallet): Promise<void> {
  const own = buyer === merchant || (await reader.run(OWN_SPLIT, { merchant, address: buyer })).length > 0;
  if (own) throw refuse('invalid_buyer', 'buyer must not be the merchant or its split', { field: 'buyer' });
}
