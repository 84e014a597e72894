import type { Wallet } from '../core/wallet.ts';
import type { ItemQuery } from './item-query.input.ts';

/** The conditions of a query, as SQL over `inventory_items`. */
export interface ItemFilter {
  /** Names the combination of conditions, whatever their values: the statement is prepared under it. */
  readonly name: string;
  readonly where: string;
  readonly parameters: readonly unknown[];
}

export type ItemConditions = Pick<
  ItemQuery,
  'q' | 'category' | 'taxable' | 'stock' | 'priceMinCents' | 'priceMaxCents' | 'tags' | 'tagsMode'
>;

/** The item's own price, in its own currency: exactly one of the two is set. */
const PRICE = 'coalesce(price_usd_cents, price_cents)';

/** What a search looks through: fields parted by a character that no search can carry across them unseen. */
const HAYSTACK = `lower(concat_ws(E'\\x01', name, sku, description, category, array_to_string(tags, E'\\x01')))`;

/**
 * Turns conditions into SQL; only those that are there, so that each combination is planned by itself. Searches compare text position by position, so
 * that `%` and `_` mean themselves.
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

/** What each order sorts by; never null, and the id decides between equals. */
export const SORT_KEYS = {
  name: { key: 'lower(name)', type: 'text' },
  sku: { key: 'sku', type: 'text' },
  priceUsd: { key: PRICE, type: 'bigint' },
  stockQty: { key: 'stock_qty', type: 'int' },
  updatedAt: { key: 'updated_at', type: 'bigint' },
} as const;
