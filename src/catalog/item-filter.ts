import type { Wallet } from '../core/wallet.ts';
import type { ItemQuery } from './item-query.input.ts';

/** A query's conditions, as SQL over `inventory_items`. */
export interface ItemFilter {
  /** Identifies the combination of conditions without their values; part of the prepared statement's name. */
  readonly name: string;
  readonly where: string;
  readonly parameters: readonly unknown[];
}

export type ItemConditions = Pick<
  ItemQuery,
  'q' | 'category' | 'taxable' | 'stock' | 'priceMinCents' | 'priceMaxCents' | 'tags' | 'tagsMode'
>;

/** The item's price in its own currency: exactly one of the two is set. */
const PRICE = 'coalesce(price_usd_cents, price_cents)';

/** The text that a search covers. The separator cannot occur in a search, so no match spans two fields. */
const HAYSTACK = `lower(concat_ws(E'\\x01', name, sku, description, category, array_to_string(tags, E'\\x01')))`;

/**
 * Converts conditions to SQL. Only given conditions are included, so that each combination has its own query plan.
 * Searches compare literal text, so `%` and `_` have no special meaning.
 */
export function filterItems(merchant: Wallet, query: ItemConditions): ItemFilter {
  const names: string[] = [];
  const clauses: string[] = [];
  const parameters: unknown[] = [];
  const add = (name: string, clause: (parameter: string) => string, value: unknown) => {
    if (value === undefined) return;
    names.push(name);
    parameters.push(value);
    clauses.push(clause(`$${parameters.length}`));
  };
  add('merchant', ($) => `merchant = ${$}`, merchant);
  add('q', ($) => `strpos(${HAYSTACK}, lower(${$})) > 0`, query.q);
  add('category', ($) => `category = ${$}`, query.category);
  add('taxable', ($) => `taxable = ${$}`, query.taxable);
  add('stock', ($) => `(stock_qty <> 0) = ${$}`, query.stock === 'any' ? undefined : query.stock === 'in');
  add('min', ($) => `${PRICE} >= ${$}`, query.priceMinCents);
  add('max', ($) => `${PRICE} <= ${$}`, query.priceMaxCents);
  const tags = query.tags.length > 0 ? query.tags : undefined;
  add(`tags-${query.tagsMode}`, ($) => `tags ${query.tagsMode === 'all' ? '@>' : '&&'} ${$}::text[]`, tags);
  return { name: names.join(' '), where: clauses.join(' and '), parameters };
}

/** The sort key of each order. Keys are never null, and the id orders equal keys. */
export const SORT_KEYS = {
  name: { key: 'lower(name)', type: 'text' },
  sku: { key: 'sku', type: 'text' },
  priceUsd: { key: PRICE, type: 'bigint' },
  stockQty: { key: 'stock_qty', type: 'int' },
  updatedAt: { key: 'updated_at', type: 'bigint' },
} as const;
