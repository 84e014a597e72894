import { sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import { isStorable, plainSku } from '../../../base/core/limits.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { ITEM_COLUMNS, type ItemRecord } from './item.entity.ts';

const BY_IDS = query('items-by-ids', (db, $: { merchant: Wallet; ids: readonly string[] }) =>
  db
    .selectFrom('Item')
    .select(ITEM_COLUMNS)
    .where('merchant', '=', $.merchant)
    .where('id', '=', sql<string>`any(${$.ids}::text[])`),
);
const BY_SKU = query('item-by-sku', (db, $: { merchant: Wallet; sku: string }) =>
  db.selectFrom('Item').select(ITEM_COLUMNS).where('merchant', '=', $.merchant).where('sku', '=', $.sku),
);

/** The merchant's items with these ids, in one statement, by id. Unknown ids are omitted. */
export async function findItems(
  db: Db,
  merchant: Wallet,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ItemRecord>> {
  const items = ids.length === 0 ? [] : await db.run(BY_IDS, { merchant, ids });
  return new Map(items.map((item) => [item.id, item]));
}

/**
 * One item of the merchant's, by its id or its sku. Refuses with `not_found`, and with `invalid_input` unless exactly
 * one of the two is given.
 */
export async function findItem(
  db: Db,
  merchant: Wallet,
  { id, sku }: { readonly id?: string | null; readonly sku?: string | null },
): Promise<ItemRecord> {
  if ((id == null) === (sku == null)) throw refuse('invalid_input', 'Provide exactly one of id and sku');
  const item = isStorable((id ?? sku)!) ? await lookFor(db, merchant, id ?? null, sku!) : undefined;
  if (!item) throw refuse('not_found', 'Product not found');
  return item;
}

async function lookFor(db: Db, merchant: Wallet, id: string | null, sku: string) {
  if (id !== null) return (await findItems(db, merchant, [id])).get(id);
  const [item] = await db.run(BY_SKU, { merchant, sku: plainSku(sku) });
  return item;
}
