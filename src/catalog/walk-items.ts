import { type SqlBool, sql } from 'kysely';
import { refuse } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { isStorable } from '../core/text.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { queryVariant } from '../platform/query.ts';
import { ITEM_COLUMNS, type ItemRecord } from './item.entity.ts';
import { filterItems, type ItemConditions, type Items, SORT_KEYS, type SortKey } from './item-filter.ts';
import type { ItemQuery } from './item-query.input.ts';

/** An item with its sort key. */
export interface PlacedItem extends ItemRecord {
  readonly sortKey: string | number;
}

/** Where to continue. Cursors are exclusive. `inverted` reads from the end and returns that order. */
export interface Walk {
  readonly after?: string;
  readonly before?: string;
  readonly limit: number;
  readonly inverted: boolean;
}

/** The sort key and the id of an item. */
type Place = readonly [key: string | number, id: string];

interface PlaceParameters {
  readonly afterKey: string | number;
  readonly afterId: string;
  readonly beforeKey: string | number;
  readonly beforeId: string;
  readonly limit: number;
}

/**
 * The merchant's items that match a query, after a cursor. Paging neither skips nor repeats items when others are added
 * or removed, and costs the same at any position. Refuses a cursor of another order with `invalid_input`.
 */
export async function walkItems(
  deps: Pick<Deps, 'sql'>,
  merchant: Wallet,
  query: ItemQuery,
  { after, before, limit, inverted }: Walk,
): Promise<PlacedItem[]> {
  const sort = SORT_KEYS[query.sort];
  const filter = filterItems(merchant, query);
  const [next, previous] = query.order === 'asc' ? (['>', '<'] as const) : (['<', '>'] as const);
  const direction = (query.order === 'asc') !== inverted ? 'asc' : 'desc';
  const cursors = `${after === undefined ? '' : 'a'}${before === undefined ? '' : 'b'}${inverted ? 'i' : ''}`;
  const select = queryVariant(
    `walk ${query.sort} ${query.order} ${cursors} ${filter.name}`,
    (db, $: ItemConditions & PlaceParameters) => {
      const beyond = (eb: Items, [key, id]: Place, comparison: '<' | '>') =>
        sql<SqlBool>`(${sort.of(eb)}, ${eb.ref('id')}) ${sql.raw(comparison)} (${key}::${sql.raw(sort.type)}, ${id})`;
      return db
        .selectFrom('Item')
        .select(ITEM_COLUMNS)
        .select((eb) => sort.of(eb).as('sortKey'))
        .where((eb) => filter.where(eb, $))
        .$if(after !== undefined, (items) => items.where((eb) => beyond(eb, [$.afterKey, $.afterId], next)))
        .$if(before !== undefined, (items) => items.where((eb) => beyond(eb, [$.beforeKey, $.beforeId], previous)))
        .orderBy((eb) => sort.of(eb), direction)
        .orderBy('id', direction)
        .limit($.limit);
    },
    { computed: { sortKey: sort.type } },
  );
  const [afterKey, afterId] = readCursor(after, sort);
  const [beforeKey, beforeId] = readCursor(before, sort);
  return deps.sql.run(select, { ...filter.parameters, afterKey, afterId, beforeKey, beforeId, limit });
}

/** An item's position as an opaque cursor. */
export function cursorOf({ sortKey, id }: PlacedItem): string {
  return Buffer.from(JSON.stringify([sortKey, id])).toString('base64url');
}

/** Without a cursor the place is not a parameter of the statement. */
function readCursor(cursor: string | undefined, { type }: SortKey): Place {
  if (cursor === undefined) return ['', ''];
  const read = parseJson(Buffer.from(cursor, 'base64url').toString());
  const [sortKey, id, ...rest]: unknown[] = Array.isArray(read) ? read : [];
  const fits = type === 'text' ? isText(sortKey) : Number.isSafeInteger(sortKey);
  if (!fits || !isText(id) || rest.length > 0)
    throw refuse('invalid_input', 'The cursor does not belong to this list and order');
  return [sortKey as string | number, id as string];
}

const isText = (value: unknown) => typeof value === 'string' && isStorable(value);
