import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { queryVariant } from '../platform/query.ts';
import { ITEM_COLUMNS, type ItemRecord } from './item.entity.ts';
import { filterItems, type ItemConditions, SORT_KEYS } from './item-filter.ts';
import type { ItemQuery } from './item-query.input.ts';

/** One page of a merchant's catalog. */
export interface ItemPage {
  readonly items: readonly ItemRecord[];
  /** The number of all matches. */
  readonly total: number;
  /** Counted from 0. */
  readonly page: number;
  readonly pageSize: number;
}

/** The merchant's items that match a query, in the form of `GET /api/inventory`. */
export async function listItems(deps: Pick<Deps, 'sql'>, merchant: Wallet, query: ItemQuery): Promise<ItemPage> {
  const { sort, order, limit, page } = query;
  const { name, where, parameters } = filterItems(merchant, query);
  const select = queryVariant(
    `items ${sort} ${order} ${name}`,
    (db, $: ItemConditions & { readonly limit: number; readonly offset: number }) =>
      db
        .selectFrom('Item')
        .select(ITEM_COLUMNS)
        .where((eb) => where(eb, $))
        .orderBy((eb) => SORT_KEYS[sort].of(eb), order)
        .orderBy('id', order)
        .limit($.limit)
        .offset($.offset),
  );
  const count = queryVariant(
    `count-items ${name}`,
    (db, $: ItemConditions) =>
      db
        .selectFrom('Item')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where((eb) => where(eb, $)),
    { computed: { total: 'int8' } },
  );
  const [items, [counted]] = await Promise.all([
    deps.sql.run(select, { ...parameters, limit, offset: page * limit }),
    deps.sql.run(count, parameters),
  ]);
  return { items, total: counted!.total, page, pageSize: limit };
}
