import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';

const ERASE = query(
  'subscriptions-erase-addresses',
  (_db, $: { merchant: Wallet; email: string | null; wallet: string | null }) => sql<{ id: string }>`
    update subscriptions set email = null
     where merchant = ${$.merchant} and (lower(email) = ${$.email} or customer = ${$.wallet})
    returning id`,
  { computed: { id: 'text' }, slow: true },
);

/** Erases the address of a subscriber. Returns all subscriptions that are the buyer's. */
export async function eraseSubscriber(
  db: Db,
  merchant: Wallet,
  buyer: { readonly email: string } | { readonly wallet: Wallet },
): Promise<readonly string[]> {
  return (await db.run(ERASE, { merchant, email: null, wallet: null, ...buyer })).map(({ id }) => id);
}
