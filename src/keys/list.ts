import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { query, type RowOf } from '../platform/query.ts';

const KEYS = query('keys-of-merchant', (db, $: { merchant: Wallet }) =>
  db
    .selectFrom('ApiKey')
    .select(['id', 'label', 'scopes', 'unlimited', 'trustedOnly', 'limits', 'createdAt', 'revokedAt'])
    .where('merchant', '=', $.merchant)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc'),
);

/** A key without its secret, as it may be shown. */
export type ListedKey = RowOf<typeof KEYS>;

/** A merchant's keys, newest first, including revoked ones. */
export async function listKeys(deps: Pick<Deps, 'sql'>, merchant: Wallet): Promise<ListedKey[]> {
  return deps.sql.run(KEYS, { merchant });
}
