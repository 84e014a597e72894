import { sql } from 'kysely';
import { refuse } from '../../../base/core/errors.ts';
import { isStorable, plainSku } from '../../../base/core/limits.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { type KeysetOrder, keysetList, type Listing, listing, type SortKey } from '../../../base/platform/keyset.ts';
import { query, queryVariant } from '../../../base/platform/postgres/query.ts';
import { ITEM_COLUMNS, type ItemRecord } from './item.entity.ts';
import { filterItems, IN_LETTERS, type ItemConditions, type ItemFilter, SORT_KEYS } from './item-filter.ts';
import type { ItemQuery } from './item-query.input.ts';

/** One page of a merchant's catalog, by its number. */
export interface ItemPage {
  readonly items: readonly ItemRecord[];
  /** The number of all matches. */
  readonly total: number;
  /** Counted from 0. */
  readonly page: number;
  readonly pageSize: number;
}

type Sorted = Pick<ItemQuery, 'sort' | 'order'>;

/** The items of a page number, in the form of `GET /api/inventory`. */
export async function readItemPage(db: Db, merchant: Wallet, query: ItemQuery): Promise<ItemPage> {
  const { sort, order, limit, page } = query;
  const filter = filterItems(merchant, query);
  const select = queryVariant(
    `items ${sort} ${order} ${filter.name}`,
    (db, $: ItemConditions & { readonly limit: number; readonly offset: number }) =>
      db
        .selectFrom('Item')
        .select(ITEM_COLUMNS)
        .where((eb) => filter.where(eb, $))
        .orderBy(SORT_KEYS[sort].sql, order)
        .orderBy('id', order)
        .limit($.limit)
        .offset($.offset),
  );
  const [items, total] = await Promise.all([
    db.run(select, { ...filter.parameters, limit, offset: page * limit }),
    countItems(db, filter),
  ]);
  return { items, total, page, pageSize: limit };
}

async function countItems(db: Db, { name, where, parameters }: ItemFilter): Promise<number> {
  const count = queryVariant(
    `count-items ${name}`,
    (db, $: ItemConditions) =>
      db
        .selectFrom('Item')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where((eb) => where(eb, $)),
    { computed: { total: 'int8' } },
  );
  const [counted] = await db.run(count, parameters);
  return counted!.total;
}

/** The merchant's items that match a query. */
export function listItems(db: Db, merchant: Wallet, query: Omit<ItemQuery, 'limit' | 'page'>): Listing<ItemRecord> {
  const filter = filterItems(merchant, query);
  const list = keysetList(`walk ${query.sort} ${query.order} ${filter.name}`, {
    order: orderOf(query),
    from: (db, $: ItemConditions) => db.selectFrom('Item').where((eb) => filter.where(eb, $)),
    select: (items) => items.select(ITEM_COLUMNS).select(SORT_KEYS[query.sort].sql.as('sortKey')),
    computed: { sortKey: SORT_KEYS[query.sort].type },
  });
  return { ...listing(db, list, filter.parameters, merchant), count: () => countItems(db, filter) };
}

/** An SKU is unique; other keys need the id as well. */
function orderOf({ sort, order }: Sorted): KeysetOrder {
  const keys: SortKey[] = [{ name: 'sortKey', ...SORT_KEYS[sort] }];
  if (sort !== 'sku') keys.push({ name: 'id', type: 'text' });
  // A cursor of the former order of names would skip rows.
  return { name: `items ${sort === 'name' ? 'letters' : sort}`, direction: order, keys };
}

/** More are not offered as a choice. */
const MAX_CATEGORIES = 500;

const CATEGORIES = query('item-categories', (db, $: { merchant: Wallet }) =>
  db
    .selectFrom('Item')
    .select('category')
    .groupBy('category')
    .where('merchant', '=', $.merchant)
    .where('category', 'is not', null)
    .orderBy(({ ref }) => sql`${ref('category')} ${IN_LETTERS}`)
    .limit(MAX_CATEGORIES)
    .$narrowType<{ category: string }>(),
);

/** The categories of a merchant's items, in the order of their names; at most 500. */
export async function listCategories(db: Db, merchant: Wallet): Promise<string[]> {
  const rows = await db.run(CATEGORIES, { merchant });
  return rows.map(({ category }) => category);
}

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
  if ((id == null) === (sku == null))
    throw refuse('invalid_input', 'Provide exactly one of id and sku', { field: 'id' });
  const item = isStorable((id ?? sku)!) ? await lookFor(db, merchant, id ?? null, sku!) : undefined;
  if (!item) throw refuse('not_found', 'Product not found');
  return item;
}

async function lookFor(db: Db, merchant: Wallet, id: string | null, sku: string) {
  if (id !== null) return (await findItems(db, merchant, [id])).get(id);
  const [item] = await db.run(BY_SKU, { merchant, sku: plainSku(sku) });
  return item;
}
