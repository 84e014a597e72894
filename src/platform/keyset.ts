import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { CursorScope, KeyType, Place } from '../core/cursor.ts';
import type { Database } from './database.ts';
import type { Deps } from './deps.ts';
import { type Query, type QueryOptions, queryVariant } from './query.ts';

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
  const [next, previous] = order.direction === 'asc' ? ['>', '<'] : ['<', '>'];
  const opposite = order.direction === 'asc' ? 'desc' : 'asc';
  type Bounds = Readonly<Record<string, string | number>>;
  const list: KeysetList<Parameters, Row> = {
    order,
    page: (kind) =>
      queryVariant(
        `${name} ${kind}`,
        (db, $: Parameters & { readonly limit: number }) => {
          const bounds = $ as unknown as Bounds;
          const direction = kind.startsWith('f') ? order.direction : opposite;
          let rows = select(from(db, $), $);
          if (kind.includes('a')) rows = rows.where(isBeyond(order, bounds, 'after', next as string));
          if (kind.slice(1).includes('b')) rows = rows.where(isBeyond(order, bounds, 'before', previous as string));
          for (const key of order.keys) rows = rows.orderBy(expressionOf(key), direction);
          return rows.limit($.limit);
        },
        options,
      ),
    total: () =>
      queryVariant(`${name} n`, (db, $: Parameters) => from(db, $).select(sql<number>`count(*)`.as('total')) as never, {
        ...(options.slow && { slow: true }),
        computed: { total: 'int8' },
      } as never),
  };
  lists.set(name, list as unknown as KeysetList<never, unknown>);
  return list;
}

const expressionOf = ({ name, sql: expression }: SortKey) => expression ?? sql.ref(name);

/** Compares a row's keys with the parameters `after0`, `after1`, … or `before0`, …. */
function isBeyond({ keys }: KeysetOrder, $: Readonly<Record<string, unknown>>, cursor: string, comparison: string) {
  const bounds = keys.map(({ type }, i) => sql`${$[`${cursor}${i}`]}::${sql.raw(type)}`);
  return sql<boolean>`(${sql.join(keys.map(expressionOf))}) ${sql.raw(comparison)} (${sql.join(bounds)})`;
}

const boundsOf = (cursor: string, place: Place) =>
  Object.fromEntries(place.map((value, i) => [`${cursor}${i}`, value] as const));

/** Reads a page of a list, in the order of reading. */
function readPage<Parameters extends object, Row>(
  { sql: db }: Pick<Deps, 'sql'>,
  list: KeysetList<Parameters, Row>,
  parameters: Parameters,
  { limit, after, before, backward = false }: PageRequest,
): Promise<Row[]> {
  const kind = `${backward ? 'b' : 'f'}${after ? 'a' : ''}${before ? 'b' : ''}` as PageKind;
  return db.run(list.page(kind), {
    ...parameters,
    ...(after && boundsOf('after', after)),
    ...(before && boundsOf('before', before)),
    limit,
  });
}

/** What the cursors of an owner's list belong to. */
const cursorScope = ({ name, direction, keys }: KeysetOrder, owner: string): CursorScope => ({
  name: `${name} ${direction} ${owner}`,
  types: keys.map(({ type }) => type),
});

/** The place of a row in an order. */
const placeIn = ({ keys }: KeysetOrder, row: unknown): Place =>
  keys.map(({ name }) => (row as Readonly<Record<string, string | number>>)[name]!);

/** The list of an owner. `recordsOf` turns its rows into records, in their order. */
export function listing<Parameters extends object, Row, Record = Row>(
  deps: Pick<Deps, 'sql'>,
  list: KeysetList<Parameters, Row>,
  parameters: Parameters,
  owner: string,
  recordsOf: (rows: readonly Row[]) => readonly Record[] | Promise<readonly Record[]> = (rows) =>
    rows as readonly never[],
): Listing<Record> {
  return {
    scope: cursorScope(list.order, owner),
    async read(page) {
      const rows = await readPage(deps, list, parameters, page);
      const records = await recordsOf(rows);
      return records.map((row, i) => ({ row, place: placeIn(list.order, rows[i]) }));
    },
    async count() {
      const [counted] = await deps.sql.run(list.total(), parameters);
      return counted!.total;
    },
  };
}
