import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { CursorScope, KeyType, Place } from '../core/cursor.ts';
import type { Db } from './db.ts';
import type { Database } from './postgres/database.ts';
import {
  type KeyedQuery,
  keyedQuery,
  lateralQuery,
  type Query,
  type QueryOptions,
  queryVariant,
} from './postgres/query.ts';

/** A sort key. Its values are never null. */
export interface SortKey {
  /** The property of the row that holds its value. */
  readonly name: string;
  readonly type: KeyType;
  /** Its expression. Default: the column of this name. */
  readonly sql?: RawBuilder<unknown>;
}

/** The order of a list. All keys have one direction, so that one index serves both ways of reading. */
export interface KeysetOrder {
  /** Identifies the list and its keys. A cursor belongs to one name, one direction and one owner. */
  readonly name: string;
  readonly direction: 'asc' | 'desc';
  /** Together they are unique within an owner's list. */
  readonly keys: readonly SortKey[];
}

/** A part of a list. The cursors' places are exclusive. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: Place | null;
  readonly before?: Place | null;
  /** Reads from the end. */
  readonly backward?: boolean;
}

/** A row with its place. */
export interface Placed<Row> {
  readonly row: Row;
  readonly place: Place;
}

/** An owner's list, which is read page by page. */
export interface Listing<Row> {
  readonly scope: CursorScope;
  /** At most `limit` rows, in the order of reading: from the end, the last row is the first. */
  read(page: PageRequest): Promise<readonly Placed<Row>[]>;
  /** The number of all rows. */
  count(): Promise<number>;
}

const KINDS = ['f', 'fa', 'fb', 'fab', 'b', 'ba', 'bb', 'bab'] as const;
/** The way of reading (`f`orward or `b`ackward), and which cursors are given (`a`fter, `b`efore). */
type PageKind = (typeof KINDS)[number];

/** The statements of a list. Each kind of page has its own, and so its own plan. */
export interface KeysetList<Parameters extends object, Row> {
  readonly order: KeysetOrder;
  page(kind: PageKind): Query<Parameters & { readonly limit: number }, Row>;
  total(): Query<Parameters, { readonly total: number }>;
}

interface KeysetSource<Parameters, DB, TB extends keyof DB, Row, WideDB, WideTB extends keyof WideDB>
  extends QueryOptions<Row> {
  readonly order: KeysetOrder;
  /** The rows of the list, without columns. */
  readonly from: (db: Kysely<Database>, $: Parameters) => SelectQueryBuilder<DB, TB, object>;
  /** Adds columns, and joins that they need but that add or remove no row. */
  readonly select: (rows: SelectQueryBuilder<DB, TB, object>, $: Parameters) => SelectQueryBuilder<WideDB, WideTB, Row>;
}

const lists = new Map<string, KeysetList<never, unknown>>();

/** Defines the statements of every list, for a test that prepares them. */
export function defineAllPages(): void {
  for (const list of lists.values()) {
    list.total();
    for (const kind of KINDS) list.page(kind);
  }
}

/**
 * Defines a list that is paged by the values of its sort keys. A page costs the same at any position, and writes
 * neither skip nor repeat a row. `name` begins the names of its prepared statements; a later call with this name
 * returns the same list, so that lists with optional conditions have one name for each combination.
 *
 * @example
 * const PLANS = keysetList('plans', {
 *   order: { name: 'plans', direction: 'asc', keys: [CREATED_AT, ID] },
 *   from: (db, $: { merchant: Wallet }) => db.selectFrom('Plan').where('merchant', '=', $.merchant),
 *   select: (plans) => plans.select(COLUMNS),
 * });
 */
export function keysetList<
  Parameters extends object,
  DB,
  TB extends keyof DB,
  Row,
  WideDB,
  WideTB extends keyof WideDB,
>(
  name: string,
  { order, from, select, ...options }: KeysetSource<Parameters, DB, TB, Row, WideDB, WideTB>,
): KeysetList<Parameters, Row> {
  const known = lists.get(name);
  if (known) return known as unknown as KeysetList<Parameters, Row>;
  const list: KeysetList<Parameters, Row> = {
    order,
    page: (kind) =>
      queryVariant(
        `${name} ${kind}`,
        (db, $: Parameters & { readonly limit: number }) => cutTo(kind, order, select(from(db, $), $), $),
        { ...options, replica: true },
      ),
    total: () =>
      queryVariant(`${name} n`, (db, $: Parameters) => from(db, $).select(sql<number>`count(*)`.as('total')) as never, {
        ...(options.slow && { slow: true }),
        replica: true,
        computed: { total: 'int8' },
      } as never),
  };
  lists.set(name, list as unknown as KeysetList<never, unknown>);
  return list;
}

/** Cuts a list down to a page of a kind. */
function cutTo<DB, TB extends keyof DB, Row>(
  kind: PageKind,
  order: KeysetOrder,
  rows: SelectQueryBuilder<DB, TB, Row>,
  $: { readonly limit: number },
): SelectQueryBuilder<DB, TB, Row> {
  const [next, previous] = order.direction === 'asc' ? ['>', '<'] : ['<', '>'];
  const opposite = order.direction === 'asc' ? 'desc' : 'asc';
  const direction = kind.startsWith('f') ? order.direction : opposite;
  const bounds = $ as unknown as Readonly<Record<string, string | number>>;
  let cut = rows;
  if (kind.includes('a')) cut = cut.where(isBeyond(order, bounds, 'after', next as string));
  if (kind.slice(1).includes('b')) cut = cut.where(isBeyond(order, bounds, 'before', previous as string));
  for (const key of order.keys) cut = cut.orderBy(expressionOf(key), direction);
  return cut.limit($.limit);
}

const expressionOf = ({ name, sql: expression }: SortKey) => expression ?? sql.ref(name);

/** Compares a row's keys with the parameters `after0`, `after1`, … or `before0`, …. */
function isBeyond({ keys }: KeysetOrder, $: Readonly<Record<string, unknown>>, cursor: string, comparison: string) {
  const bounds = keys.map(({ type }, i) => sql`${$[`${cursor}${i}`]}::${sql.raw(type)}`);
  return sql<boolean>`(${sql.join(keys.map(expressionOf))}) ${sql.raw(comparison)} (${sql.join(bounds)})`;
}

const boundsOf = (cursor: string, place: Place) =>
  Object.fromEntries(place.map((value, i) => [`${cursor}${i}`, value] as const));

/** The kind of a page and its parameters. */
function statementOf({ limit, after, before, backward = false }: PageRequest) {
  return {
    kind: `${backward ? 'b' : 'f'}${after ? 'a' : ''}${before ? 'b' : ''}` as PageKind,
    bounds: { ...(after && boundsOf('after', after)), ...(before && boundsOf('before', before)), limit },
  };
}

/** What the cursors of an owner's list belong to. */
export const cursorScope = ({ name, direction, keys }: KeysetOrder, owner: string): CursorScope => ({
  name: `${name} ${direction} ${owner}`,
  types: keys.map(({ type }) => type),
});

/** The place of a row in an order. */
const placeIn = ({ keys }: KeysetOrder, row: unknown): Place =>
  keys.map(({ name }) => (row as Readonly<Record<string, string | number>>)[name]!);

/** The list of an owner. `recordsOf` turns its rows into records, in their order. */
export function listing<Parameters extends object, Row, Record = Row>(
  db: Db,
  list: KeysetList<Parameters, Row>,
  parameters: Parameters,
  owner: string,
  recordsOf: (rows: readonly Row[]) => readonly Record[] | Promise<readonly Record[]> = (rows) =>
    rows as readonly never[],
): Listing<Record> {
  return {
    scope: cursorScope(list.order, owner),
    async read(page) {
      const { kind, bounds } = statementOf(page);
      const rows = await db.run(list.page(kind), { ...parameters, ...bounds });
      const records = await recordsOf(rows);
      return records.map((row, i) => ({ row, place: placeIn(list.order, rows[i]) }));
    },
    async count() {
      const [counted] = await db.run(list.total(), parameters);
      return counted!.total;
    },
  };
}

/** The statements of a list that each of many owners has, such as the charges of subscriptions. */
export interface NestedList<Row> {
  readonly order: KeysetOrder;
  /** The same page of the list of each owner. */
  readonly pages: Readonly<Record<PageKind, Query<OwnersPage, Row & { readonly n: number }>>>;
  readonly total: KeyedQuery<Owner, { readonly total: number }>;
}

interface Owner {
  readonly owner: string;
}
interface OwnersPage {
  readonly owner: readonly string[];
  readonly limit: number;
}

interface NestedSource<DB, TB extends keyof DB, Row> extends QueryOptions<Row> {
  readonly order: KeysetOrder;
  /** The rows of an owner's list, without columns. */
  readonly from: (db: Kysely<Database>, owner: RawBuilder<string>) => SelectQueryBuilder<DB, TB, object>;
  /** Adds columns. */
  readonly select: (rows: SelectQueryBuilder<DB, TB, object>) => SelectQueryBuilder<DB, TB, Row>;
}

/**
 * Defines a list that each of many owners has. It is paged as a `keysetList`, and one statement reads the pages of all
 * owners of a response.
 *
 * @example
 * const CHARGES = nestedList('charges-of', {
 *   order: { name: 'charges-of', direction: 'desc', keys: [PERIOD_START] },
 *   from: (db, owner) => db.selectFrom('Charge').where('subscriptionId', '=', owner),
 *   select: (charges) => charges.select(COLUMNS),
 * });
 */
export function nestedList<DB, TB extends keyof DB, Row>(
  name: string,
  { order, from, select, ...options }: NestedSource<DB, TB, Row>,
): NestedList<Row> {
  const pageOf = (kind: PageKind) =>
    lateralQuery<Owner, { readonly limit: number }, Row>(
      `${name} ${kind}`,
      ['owner'],
      (db, { owner }, $) => cutTo(kind, order, select(from(db, owner)), $),
      options,
    );
  return {
    order,
    pages: Object.fromEntries(KINDS.map((kind) => [kind, pageOf(kind)])) as NestedList<Row>['pages'],
    total: keyedQuery<Owner, { readonly total: number }>(
      `${name} n`,
      ['owner'],
      (db, { owner }) => from(db, owner).select(sql<number>`count(*)`.as('total')) as never,
      { computed: { total: 'int8' } },
    ),
  };
}

/** A page of an owner's list. */
export interface OwnedPage extends Owner {
  readonly page: PageRequest;
}

/** Reads pages of the lists of many owners, in their order: one statement for all that differ only in their owner. */
export async function readNested<Row>(
  db: Db,
  { order, pages }: NestedList<Row>,
  wanted: readonly OwnedPage[],
): Promise<Placed<Row>[][]> {
  const found = new Map<OwnedPage, Placed<Row>[]>(wanted.map((one) => [one, []]));
  const alike = Map.groupBy(wanted, ({ page }) => JSON.stringify(page));
  const readAlike = async (group: readonly OwnedPage[]) => {
    const { kind, bounds } = statementOf(group[0]!.page);
    const rows = await db.run(pages[kind], { ...bounds, owner: group.map(({ owner }) => owner) });
    for (const row of rows) found.get(group[row.n - 1]!)!.push({ row, place: placeIn(order, row) });
  };
  await Promise.all([...alike.values()].map(readAlike));
  return wanted.map((one) => found.get(one)!);
}
