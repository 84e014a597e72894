import { sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { keysetList, type Listing, listing } from '../../../base/platform/keyset.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';

export const COLUMNS = [
  ...(['id', 'issuer', 'label', 'scopes', 'unlimited', 'trustedOnly', 'limits', 'createdAt', 'revokedAt'] as const),
  ...(['expiresAt', 'lastUsedAt', 'origins', 'addresses', 'replacedBy'] as const),
] as const;

const KEYS = query('keys-of-merchant', (db, $: { merchant: Wallet }) =>
  db
    .selectFrom('ApiKey')
    .select(COLUMNS)
    .where('merchant', '=', $.merchant)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc'),
);

/** A key without its secret, as it may be shown. */
export type ListedKey = RowOf<typeof KEYS>;

/** A merchant's keys, newest first, including revoked ones. */
export async function listKeys(db: Db, merchant: Wallet): Promise<ListedKey[]> {
  return db.run(KEYS, { merchant });
}

const PAGES = keysetList('keys', {
  order: {
    name: 'keys',
    direction: 'desc',
    keys: [
      { name: 'createdAt', type: 'int8' },
      { name: 'id', type: 'text' },
    ],
  },
  from: (db, $: { merchant: Wallet }) => db.selectFrom('ApiKey').where('merchant', '=', $.merchant),
  select: (keys) => keys.select(COLUMNS),
});

/** The same as a list that is paged by cursors. */
export const keyPages = (db: Db, merchant: Wallet): Listing<ListedKey> => listing(db, PAGES, { merchant }, merchant);

const LABELS = query('key-labels', (db, $: { merchant: Wallet; ids: readonly string[] }) =>
  db
    .selectFrom('ApiKey')
    .select(['id', 'label'])
    .where('merchant', '=', $.merchant)
    .where('id', '=', sql<string>`any(${$.ids}::text[])`),
);

/** The labels of some of a merchant's keys, by id. */
export async function readKeyLabels(
  db: Db,
  merchant: Wallet,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const keys = await db.run(LABELS, { merchant, ids });
  return new Map(keys.map(({ id, label }) => [id, label]));
}

const ONE = query('key-of-merchant', (db, $: { merchant: Wallet; id: string }) =>
  db.selectFrom('ApiKey').select(COLUMNS).where('merchant', '=', $.merchant).where('id', '=', $.id),
);

/** One key of a merchant. Refuses with `not_found`. */
export async function readKey(db: Db, merchant: Wallet, id: string): Promise<ListedKey> {
  const [key] = await db.run(ONE, { merchant, id });
  if (!key) throw refuse('not_found', 'No such key');
  return key;
}
