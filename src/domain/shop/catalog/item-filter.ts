import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { KeyType } from '../../../base/core/cursor.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { folded } from '../../../base/platform/postgres/query.ts';
import type { ItemQuery } from './item-query.input.ts';

/** Items of limited stock with at most this many pieces left are low. */
export const LOW_STOCK = 5;

/** The parameters of a query's conditions. A condition without a value is absent. */
export interface ItemConditions {
  readonly merchant: Wallet;
  readonly q: string;
  readonly category: string;
  readonly taxable: boolean;
  readonly stock: boolean;
  /** Items of limited stock with at most this many pieces left. */
  readonly maxStock: number;
  readonly min: number;
  readonly max: number;
  /** Items have at least one of these tags. */
  readonly any: readonly string[];
  /** Items have all of these tags. */
  readonly all: readonly string[];
}

type Items = ExpressionBuilder<Database, 'Item'>;

/** The item's price in its own currency: exactly one of the two is set. */
const price = (eb: Items) => eb.fn.coalesce('priceUsdCents', 'priceCents').$notNull();

/** A text in which one letter has one form (NFC). */
const composed = (text: unknown) => sql`normalize(${text}, NFC)`;
const composedAll = (texts: unknown) => sql`array(select ${composed(sql`t`)} from unnest(${texts}) t)`;

/** The text that a search covers. The separator cannot occur in a search, so no match spans two fields. */
const searched = ({ ref }: Items) =>
  folded(sql`concat_ws(E'\\x01', ${ref('name')}, ${ref('sku')}, ${ref('description')}, ${ref('category')},
    array_to_string(${ref('tags')}, E'\\x01'))`);

/** Searches compare literal text, so `%` and `_` have no special meaning. */
const CONDITIONS: {
  readonly [Name in keyof ItemConditions]: (eb: Items, $: ItemConditions) => Expression<SqlBool>;
} = {
  merchant: (eb, $) => eb('merchant', '=', $.merchant),
  q: (eb, $) => sql`strpos(${searched(eb)}, ${folded(sql`${$.q}::text`)}) > 0`,
  category: (eb, $) => sql`${composed(eb.ref('category'))} = ${composed(sql`${$.category}::text`)}`,
  taxable: (eb, $) => eb('taxable', '=', $.taxable),
  stock: (eb, $) => sql`(${eb.ref('stockQty')} <> 0) = ${$.stock}`,
  maxStock: (eb, $) => sql`${eb.ref('stockQty')} between 0 and ${$.maxStock}`,
  min: (eb, $) => eb(price(eb), '>=', $.min),
  max: (eb, $) => eb(price(eb), '<=', $.max),
  any: (eb, $) => sql`${composedAll(eb.ref('tags'))} && ${composedAll(sql`${$.any}::text[]`)}`,
  all: (eb, $) => sql`${composedAll(eb.ref('tags'))} @> ${composedAll(sql`${$.all}::text[]`)}`,
};

/** A query's conditions. */
export interface ItemFilter {
  /** Identifies the combination of conditions without their values; part of the prepared statement's name. */
  readonly name: string;
  readonly where: (eb: Items, parameters: ItemConditions) => Expression<SqlBool>;
  readonly parameters: ItemConditions;
}

/** Only given conditions are included, so that each combination has its own query plan. */
export function filterItems(merchant: Wallet, query: Omit<ItemQuery, 'limit' | 'page'>): ItemFilter {
  const tags = (mode: ItemQuery['tagsMode']) =>
    query.tagsMode === mode && query.tags.length > 0 ? query.tags : undefined;
  const values: { readonly [Name in keyof ItemConditions]: ItemConditions[Name] | undefined } = {
    merchant,
    q: query.q,
    category: query.category,
    taxable: query.taxable,
    stock: query.stock === 'in' || query.stock === 'out' ? query.stock === 'in' : undefined,
    maxStock: query.stock === 'low' ? LOW_STOCK : undefined,
    min: query.priceMinCents,
    max: query.priceMaxCents,
    any: tags('any'),
    all: tags('all'),
  };
  const names = (Object.keys(CONDITIONS) as (keyof ItemConditions)[]).filter((name) => values[name] !== undefined);
  return {
    name: names.filter((name) => name !== 'merchant').join(' '),
    where: (eb, $) => eb.and(names.map((name) => CONDITIONS[name](eb, $))),
    parameters: values as ItemConditions,
  };
}

/** The order of letters in all languages (Unicode, CLDR root): an accent comes after the letter, not after Z. */
export const IN_LETTERS = sql`collate "und-x-icu"`;

/** The sort keys of items, with their PostgreSQL types. Keys are never null. */
export const SORT_KEYS: Readonly<
  Record<ItemQuery['sort'], { readonly sql: RawBuilder<string | number>; readonly type: KeyType }>
> = {
  name: { sql: sql<string>`lower(${sql.ref('name')}) ${IN_LETTERS}`, type: 'text' },
  sku: { sql: sql<string>`${sql.ref('sku')}`, type: 'text' },
  priceUsd: { sql: sql<number>`coalesce(${sql.ref('priceUsdCents')}, ${sql.ref('priceCents')})`, type: 'int8' },
  stockQty: { sql: sql<number>`${sql.ref('stockQty')}`, type: 'int4' },
  updatedAt: { sql: sql<number>`${sql.ref('updatedAt')}`, type: 'int8' },
};
