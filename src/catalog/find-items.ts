import { refuse } from '../core/errors.ts';
import { isStorable } from '../core/text.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { ITEM_COLUMNS, type ItemRecord } from './item-record.ts';

const BY_IDS = statement(
  'items-by-ids',
  `select ${ITEM_COLUMNS} from inventory_items where merchant = $1 and id = any($2)`,
);
const BY_SKU = statement('item-by-sku', `select ${ITEM_COLUMNS} from inventory_items where merchant = $1 and sku = $2`);

/** The merchant's items with these ids, in one statement, by id. Unknown ids are omitted. */
export async function findItems(
  { sql }: Pick<Deps, 'sql'>,
  merchant: Wallet,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ItemRecord>> {
  const items = ids.length === 0 ? [] : await sql.rows<ItemRecord>(BY_IDS, [merchant, ids]);
  return new Map(items.map((item) => [item.id, item]));
}

/**
 * One item of the merchant's, by its id or its sku. Refuses with `not_found`, and with `invalid_input` unless exactly
 * one of the two is given.
 */
export async function findItem(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  { id, sku }: { readonly id?: string | null; readonly sku?: string | null },
): Promise<ItemRecord> {
  if ((id == null) === (sku == null)) throw refuse('invalid_input', 'Provide exactly one of id and sku');
  const item = isStorable((id ?? sku)!) ? await lookFor(deps, merchant, id ?? null, sku ?? null) : undefined;
  if (!item) throw refuse('not_found', 'Product not found');
  return item;
}

async function lookFor(deps: Pick<Deps, 'sql'>, merchant: Wallet, id: string | null, sku: string | null) {
  if (id !== null) return (await findItems(deps, merchant, [id])).get(id);
  const [item] = await deps.sql.rows<ItemRecord>(BY_SKU, [merchant, sku]);
  return item;
}
