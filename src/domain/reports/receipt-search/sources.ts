import { type RawBuilder, sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import { queryVariant } from '../../../base/platform/postgres/query.ts';
import { type Conditions, matches } from './conditions.ts';
import { type Bounds, KEY_COLUMNS, type ReceiptOrder, within } from './order.ts';
import { IS_PART_ENTRY } from './parts.ts';

/**
 * Where a search reads candidates from. Those of `streamQuery` are in the order of the list, so that a full page ends
 * the reading. Those of `collectQuery` are few, and sorted.
 */
export type Driver =
  /** All receipts of the merchant. */
  | { readonly kind: 'all' }
  /** The receipts with an entry, in the order of their creation. */
  | { readonly kind: 'entry'; readonly entry: string }
  /** The receipts with the facets of the filter. */
  | { readonly kind: 'facets' }
  | { readonly kind: 'attention' }
  /** The receipts with entries in a range. */
  | { readonly kind: 'entries'; readonly first: string; readonly last: string }
  /** The receipts with entries in a range, with a part in an entry, or with a total or its entry. */
  | ({ readonly kind: 'parts' } & PartParameters)
  /** The receipts that the filter names. */
  | { readonly kind: 'named' }
  | { readonly kind: 'paid' }
  | { readonly kind: 'totals' };

/** The parameters of a page. */
export type PageParameters = Conditions & Bounds & DriverParameters & { readonly limit: number };

/** What finds the receipts of a word. Without `pattern` no part is looked for, without `cents` no amount. */
export interface PartParameters {
  readonly first: string;
  readonly last: string;
  readonly pattern: string | null;
  readonly cents: number | null;
  readonly amountEntry: string | null;
}

/** The receipts of a word as `merchant` and `id`, each as often as it is found. Every part of it reads an index. */
export const receiptsOfWord = ($: PartParameters & { readonly merchant: Wallet }) => sql`
  select merchant, receipt_id as id from receipt_terms
   where merchant = ${$.merchant} and entry between ${$.first} and ${$.last}
  union all select merchant, receipt_id from receipt_terms
   where merchant = ${$.merchant} and entry = ${$.amountEntry}
  union all select merchant, id from receipt_search
   where merchant = ${$.merchant} and total_cents = ${$.cents}::int8
  union all select merchant, receipt_id from receipt_terms
   where merchant = ${$.merchant} and entry like ${$.pattern} and ${IS_PART_ENTRY}`;

/** The parameters of the drivers; those of another driver are absent. */
interface DriverParameters {
  readonly entry?: string;
  readonly first?: string;
  readonly last?: string;
  readonly pattern?: string | null;
  readonly cents?: number | null;
  readonly amountEntry?: string | null;
}

/** The parameters that a driver adds. */
export function parametersOf(driver: Driver): DriverParameters {
  if (driver.kind === 'entry') return { entry: driver.entry };
  if (driver.kind === 'parts') {
    const { kind: _, ...parameters } = driver;
    return parameters;
  }
  return driver.kind === 'entries' ? { first: driver.first, last: driver.last } : {};
}

export interface Found {
  readonly id: string;
  readonly key: number;
}

/** Candidates as `merchant`, `id` and `key`, within the bounds, in the order of an index. */
function streamOf(driver: Driver, field: ReceiptOrder['field'], $: PageParameters): RawBuilder<Found> {
  if (field !== 'createdAt') {
    const column = sql.raw(KEY_COLUMNS[field]);
    return sql`select merchant, id, ${column} as key from receipt_search
      where merchant = ${$.merchant} and ${column} is not null and ${within(KEY_COLUMNS[field], 'id', $)}`;
  }
  switch (driver.kind) {
    case 'entry':
      return sql`select merchant, receipt_id as id, created_at as key from receipt_terms
        where merchant = ${$.merchant} and entry = ${$.entry} and ${within('created_at', 'receipt_id', $)}`;
    case 'facets':
      return sql`select merchant, id, created_at as key from receipt_search
        where merchant = ${$.merchant} and facet = f.facet and ${within('created_at', 'id', $)}`;
    case 'attention':
      return sql`select merchant, id, created_at as key from receipt_search
        where merchant = ${$.merchant} and (attention or mined_since is not null) and ${within('created_at', 'id', $)}`;
    default:
      return sql`select merchant, id, created_at as key from receipts
        where merchant = ${$.merchant} and ${within('created_at', 'id', $)}`;
  }
}

/**
 * The search row `s` of the candidate `t`, looked up by its key. In a plan for the values of one merchant, the planner
 * would take another index for a merchant that its statistics do not know, and read a range of it for each candidate.
 * `t.merchant` has no value that it knows, and `offset 0` keeps other conditions out of the look-up.
 */
export const ROW = sql`(select * from receipt_search s
  where s.merchant = t.merchant and s.id = t.id offset 0) s`;

/** Candidates of a driver as `merchant` and `id`, in any order. */
function collectionOf(driver: Driver, $: PageParameters): RawBuilder<Pick<Found, 'id'>> {
  switch (driver.kind) {
    case 'entries':
      // A receipt may have several terms with one beginning.
      return sql`select distinct merchant, receipt_id as id from receipt_terms
        where merchant = ${$.merchant} and entry between ${$.first} and ${$.last}`;
    case 'parts':
      return sql`select distinct merchant, id from (${receiptsOfWord($ as PageParameters & PartParameters)}) t`;
    case 'named':
      return sql`select distinct merchant, id from receipt_search
        where merchant = ${$.merchant} and id = any(${$.receiptIds}::text[])`;
    case 'facets':
      return sql`select merchant, id from receipt_search
        where merchant = ${$.merchant} and facet = any(${$.facets}::text[]) offset 0`;
    case 'attention':
      return sql`select merchant, id from receipt_search
        where merchant = ${$.merchant} and (attention or mined_since is not null) offset 0`;
    case 'paid':
      return sql`select merchant, id from receipt_search
        where merchant = ${$.merchant} and paid_at between ${$.paidFrom}::int8 and ${$.paidTo}::int8 offset 0`;
    case 'totals':
      return sql`select merchant, id from receipt_search
        where merchant = ${$.merchant} and total_cents between ${$.totalMin}::int8 and ${$.totalMax}::int8 offset 0`;
    default:
      throw new Error(`The candidates of ${driver.kind} are not collected`);
  }
}

const COMPUTED = { id: 'text', key: 'int8' } as const;

/**
 * The page of a driver whose candidates come in the order of the list. Each facet gives a page of its own, and these
 * pages are sorted into one.
 */
export const streamQuery = (driver: Driver, { field, direction }: ReceiptOrder) =>
  queryVariant<PageParameters, Found>(
    `receipts-stream ${driver.kind} ${field} ${direction}`,
    (_db, $) => {
      const order = sql.raw(direction);
      const page = sql<Found>`select t.id, t.key from (${streamOf(driver, field, $)}) t
        cross join lateral (select from ${ROW} where ${matches($)} limit 1) s
        order by t.key ${order}, t.id ${order} limit ${$.limit}`;
      if (driver.kind !== 'facets') return page;
      return sql<Found>`select p.id, p.key from unnest(${$.facets}::text[]) f(facet) cross join lateral (${page}) p
        order by p.key ${order}, p.id ${order} limit ${$.limit}`;
    },
    { replica: true, computed: COMPUTED },
  );

/** A candidate of a scan: whether it matches. */
export interface Scanned extends Found {
  readonly matched: boolean;
}

/**
 * The next candidates of a driver in the order of creation, with whether each matches. However few match, a statement
 * reads no more than `limit` candidates. Without a driver, all receipts of the merchant, which all match.
 */
export const scanQuery = (driver: Driver | null, direction: ReceiptOrder['direction']) =>
  queryVariant<PageParameters, Scanned>(
    `receipts-scan ${driver?.kind ?? 'every'} ${direction}`,
    (_db, $) => {
      const order = sql.raw(direction);
      const candidates = sql`${streamOf(driver ?? { kind: 'all' }, 'createdAt', $)}
        order by key ${order}, id ${order} limit ${$.limit}`;
      if (driver === null) return sql<Scanned>`select t.id, t.key, true as matched from (${candidates}) t`;
      return sql<Scanned>`select t.id, t.key, coalesce(s.matched, false) as matched from (${candidates}) t
        left join lateral (select true as matched from ${ROW} where ${matches($)} limit 1) s on true
        order by t.key ${order}, t.id ${order}`;
    },
    { replica: true, computed: { ...COMPUTED, matched: 'bool' } },
  );

/** The page of a driver with few candidates. */
export const collectQuery = (driver: Driver, { field, direction }: ReceiptOrder) =>
  queryVariant<PageParameters, Found>(
    `receipts-collect ${driver.kind} ${field} ${direction}`,
    (_db, $) => {
      const order = sql.raw(direction);
      const column = sql.raw(KEY_COLUMNS[field]);
      return sql<Found>`select s.id, s.key from (${collectionOf(driver, $)}) t
        cross join lateral (select s.id, s.${column} as key from ${ROW}
          where s.${column} is not null and ${within(`s.${KEY_COLUMNS[field]}`, 's.id', $)} and ${matches($)} limit 1) s
        order by s.key ${order}, s.id ${order} limit ${$.limit}`;
    },
    { replica: true, computed: COMPUTED },
  );
