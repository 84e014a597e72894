import { parseInput } from '../core/input.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { statement } from '../platform/sql.ts';
import { filterItems, SORT_KEYS } from './item-filter.ts';
import { itemQuery } from './item-query.input.ts';
import { ITEM_COLUMNS, type ItemRecord } from './item-record.ts';

/** One page of a merchant's catalog. */
export interface ItemPage {
  readonly items: readonly ItemRecord[];
  /** The number of all matches. */
  readonly total: number;
  /** Counted from 0. */
  readonly page: number;
  readonly pageSize: number;
}

/** The merchant's items that match a query, in the form of `GET /api/inventory`. Refuses with `invalid_input`. */
export async function listItems({ sql }: Pick<Deps, 'sql'>, merchant: Wallet, input: unknown): Promise<ItemPage> {
  const query = parseInput(itemQuery, input ?? {});
  const { sort, order, limit, page } = query;
  const { name, where, parameters } = filterItems(merchant, query);
  const next = parameters.length + 1;
  const select = statement(
    `items ${sort} ${order} ${name}`,
    `select ${ITEM_COLUMNS} from inventory_items where ${where}
      order by ${SORT_KEYS[sort].key} ${order}, id ${order} limit $${next} offset $${next + 1}`,
  );
  const count = statement(`count-items ${name}`, `select count(*) as total from inventory_items where ${where}`);
  const [items, [counted]] = await Promise.all([
    sql.rows<ItemRecord>(select, [...parameters, limit, page * limit]),
    sql.rows<{ total: number }>(count, parameters),
  ]);
  return { items, total: counted!.total, page, pageSize: limit };
}
