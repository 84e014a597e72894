import { refuse } from '../core/errors.ts';
import { parseInput } from '../core/input.ts';
import { isStorable } from '../core/text.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { filterItems, SORT_KEYS } from './item-filter.ts';
import { itemQuery } from './item-query.input.ts';
import { ITEM_COLUMNS, type ItemRecord } from './item-record.ts';

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

/**
 * The merchant's items that match a query, after a cursor. Paging neither skips nor repeats items when others are added
 * or removed, and costs the same at any position. Refuses with `invalid_input`, also for a cursor of another order.
 */
export async function walkItems(
  { sql }: Pick<Deps, 'sql'>,
  merchant: Wallet,
  input: unknown,
  { after, before, limit, inverted }: Walk,
): Promise<PlacedItem[]> {
  const query = parseInput(itemQuery, input ?? {});
  const { key, type } = SORT_KEYS[query.sort];
  const filter = filterItems(merchant, query);
  const parameters = [...filter.parameters];
  const clauses = [filter.where];
  const ascending = query.order === 'asc';
  const beyond = (cursor: string | undefined, comparison: '>' | '<') => {
    if (cursor === undefined) return '';
    parameters.push(...readCursor(cursor, type));
    clauses.push(`(${key}, id) ${comparison} ($${parameters.length - 1}::${type}, $${parameters.length})`);
    return comparison;
  };
  const bounds = beyond(after, ascending ? '>' : '<') + beyond(before, ascending ? '<' : '>');
  const direction = ascending !== inverted ? 'asc' : 'desc';
  parameters.push(limit);
  const select = statement(
    `walk-items ${query.sort} ${direction} ${bounds} ${filter.name}`,
    `select ${ITEM_COLUMNS}, ${key} as "sortKey" from inventory_items where ${clauses.join(' and ')}
      order by ${key} ${direction}, id ${direction} limit $${parameters.length}`,
  );
  return sql.rows<PlacedItem>(select, parameters);
}

/** An item's position as an opaque cursor. */
export function cursorOf({ sortKey, id }: PlacedItem): string {
  return Buffer.from(JSON.stringify([sortKey, id])).toString('base64url');
}

function readCursor(
  cursor: string,
  type: (typeof SORT_KEYS)[keyof typeof SORT_KEYS]['type'],
): [string | number, string] {
  const [sortKey, id, ...rest] = readJson(Buffer.from(cursor, 'base64url').toString());
  const fits = type === 'text' ? isText(sortKey) : Number.isSafeInteger(sortKey);
  if (!fits || !isText(id) || rest.length > 0)
    throw refuse('invalid_input', 'The cursor does not belong to this list and order');
  return [sortKey as string | number, id as string];
}

const isText = (value: unknown) => typeof value === 'string' && isStorable(value);

function readJson(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
