import {
  type Compilable,
  type Expression,
  type Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  type RawBuilder,
  sql,
  ValueListNode,
  ValueNode,
} from 'kysely';
import { LETTER_FORMS } from '../../core/text.ts';
import type { Database } from './database.ts';

/**
 * A statement that is built once with the typed query builder and then runs as a prepared statement. `Parameters` are
 * its named parameters, `Row` is one row of its result.
 */
export interface Query<Parameters extends object, Row> {
  /** The name of the prepared statement: unique in the process, at most 63 bytes. */
  readonly name: string;
  /**
   * The text and the order of its parameters. The first call compiles with `db`; later calls return the same object.
   */
  compile(db: () => Kysely<Database>): CompiledStatement<Parameters>;
  /**
   * The types of the result columns that PostgreSQL computes. The types of table columns are known from the entities. A
   * test compares both with the database.
   */
  readonly computed: ColumnKinds<Row>;
  /** Never set: carries the row type. */
  readonly row?: Row;
}

/** One row of a query's result. */
export type RowOf<Defined extends { readonly row?: unknown }> = NonNullable<Defined['row']>;

/** The PostgreSQL types that a result column of a TypeScript type may have. */
type KindOf<Value> = [NonNullable<Value>] extends [number]
  ? 'int4' | 'int8' | 'float8'
  : [NonNullable<Value>] extends [boolean]
    ? 'bool'
    : [NonNullable<Value>] extends [string]
      ? 'text' | 'numeric' | 'xid' | 'tid'
      : [NonNullable<Value>] extends [string | number]
        ? 'text' | 'int4' | 'int8'
        : [NonNullable<Value>] extends [Uint8Array]
          ? 'bytea'
          : [NonNullable<Value>] extends [readonly string[]]
            ? 'text[]' | 'json' | 'jsonb'
            : 'json' | 'jsonb';

/** PostgreSQL types of result columns, by the name of the column. */
type ColumnKinds<Row> = { readonly [Column in keyof Row]?: KindOf<Row[Column]> };

/** A statement with the name under which it is prepared. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Runs on a separate connection, so that it does not block other statements. For reports and lists of an admin. */
  readonly slow?: boolean;
  /**
   * May run on a replica, which then has everything that was committed before. For lists, searches, exports and
   * statistics, whose statements only read.
   */
  readonly replica?: boolean;
}

interface CompiledStatement<Parameters extends object> extends Statement {
  /** Whether the text was written by hand, so that nothing checks its columns at compile time. */
  readonly handWritten: boolean;
  /** The values of `$1`, `$2`, … for named parameters. */
  values(parameters: Parameters): unknown[];
}

const queries = new Map<string, Query<never, unknown>>();

/** Every query that the loaded modules define. */
export const definedQueries = (): readonly Query<never, unknown>[] => [...queries.values()];

/** What `query` builds: a query of the typed builder, or a text by hand where the builder cannot express it. */
type Built<Row> = Compilable<Row> | RawBuilder<Row>;

/** The kinds of the computed columns, and where a statement runs. */
export interface QueryOptions<Row> {
  /**
   * The PostgreSQL type of each result column that is not a column of a table; of every result column if the text is
   * written by hand.
   */
  readonly computed?: ColumnKinds<NoInfer<Row>>;
  /** See `Statement.slow`. */
  readonly slow?: boolean;
  /** See `Statement.replica`. */
  readonly replica?: boolean;
}

/**
 * Defines a prepared statement. `build` receives placeholders in place of parameter values. Constants in the query
 * become literals, so that the planner sees them.
 *
 * @example
 * const NAME = query('merchant-name', (db, $: { wallet: Wallet }) =>
 *   db.selectFrom('Merchant').select('name').where('wallet', '=', $.wallet));
 * const [row] = await db.run(NAME, { wallet });
 *
 * @example
 * const TOTAL = query('receipts-total', (_db, $: { merchant: Wallet }) =>
 *   sql<{ total: number }>`select sum(total_cents)::int8 as total from receipts where merchant = ${$.merchant}`,
 *   { computed: { total: 'int8' } });
 */
export function query<Parameters extends object, Row>(
  name: string,
  build: (db: Kysely<Database>, parameters: Parameters) => Built<Row>,
  options: QueryOptions<Row> = {},
): Query<Parameters, Row> {
  return define(name, (db) => compiled(db, build(db, placeholders<Parameters>())), options);
}

/**
 * As `query`, for a statement whose text depends on the request, such as on the conditions that are given. The name
 * identifies the text: later calls with this name return the same query.
 */
export function queryVariant<Parameters extends object, Row>(
  name: string,
  build: (db: Kysely<Database>, parameters: Parameters) => Built<Row>,
  options?: QueryOptions<Row>,
): Query<Parameters, Row> {
  return (queries.get(name) as Query<Parameters, Row> | undefined) ?? query(name, build, options);
}

function compiled(db: Kysely<Database>, built: Built<unknown>): CompiledText {
  const handWritten = 'isRawBuilder' in built;
  const { sql: text, parameters } = handWritten ? built.compile(db) : built.compile();
  return { text, parameters, handWritten };
}

/** The parameters of these names, as the values of their columns. */
export const valuesOf = <Parameters extends object, Column extends keyof Parameters>(
  parameters: Parameters,
  columns: readonly Column[],
): Pick<Parameters, Column> =>
  Object.fromEntries(columns.map((column) => [column, parameters[column]])) as Pick<Parameters, Column>;

/** What a keyed query uses in place of a key's value: a column of the list of keys. */
export type KeyColumns<Key extends object> = { readonly [Part in keyof Key]: RawBuilder<Key[Part]> };

/** The parameters of a statement that looks up many keys: one array per part of the key. */
type KeyLists<Key extends object> = { readonly [Part in keyof Key]: readonly Key[Part][] };

/** A query for one row by its key. Each row of its result has the position of its key as `n`, from 1. */
export interface KeyedQuery<Key extends object, Row> extends Query<KeyLists<Key>, Row & { readonly n: number }> {
  readonly parts: readonly (keyof Key & string)[];
}

/**
 * Defines a query for one row by a key of texts. Reads of one tick run as one statement: the keys arrive as one array
 * per part.
 *
 * @example
 * type Key = KeyColumns<{ merchant: Wallet; id: string }>;
 *  const STATUS = keyedQuery('receipt-status', ['merchant', 'id'], (db, key: Key) =>
 *   db.selectFrom('Receipt as r').select(columns('r', ['status']))
 *     .where('r.merchant', '=', key.merchant).where('r.id', '=', key.id));
 * const row = await db.one(STATUS, { merchant, id });
 */
export function keyedQuery<Key extends object, Row>(
  name: string,
  parts: readonly (keyof Key & string)[],
  build: (db: Kysely<Database>, key: KeyColumns<Key>) => Expression<Row>,
  options: QueryOptions<Row> = {},
): KeyedQuery<Key, Row> {
  return Object.assign(lateralQuery<Key, object, Row>(name, parts, build, options), { parts });
}

/**
 * Defines a query for the rows of each of many keys of texts, which arrive as one array per part. Each row of its
 * result has the position of its key as `n`, from 1; the rows of one key keep their order. The lateral join looks up
 * each key on its own, so the plan does not depend on the size of the table.
 */
export function lateralQuery<Key extends object, Parameters extends object, Row>(
  name: string,
  parts: readonly (keyof Key & string)[],
  build: (db: Kysely<Database>, key: KeyColumns<Key>, parameters: Parameters) => Expression<Row>,
  { computed, ...options }: QueryOptions<Row> = {},
): Query<KeyLists<Key> & Parameters, Row & { readonly n: number }> {
  const key = Object.fromEntries(parts.map((part) => [part, sql.ref(`k.${part}`)])) as unknown as KeyColumns<Key>;
  const names = sql.join(parts.map((part) => sql.id(part)));
  type Numbered = Row & { readonly n: number };
  return define<KeyLists<Key> & Parameters, Numbered>(
    name,
    (db) => {
      const lists = placeholders<Record<string, unknown>>();
      const arrays = sql.join(parts.map((part) => sql`${lists[part]}::text[]`));
      const row = build(db, key, placeholders<Parameters>());
      const all = sql<Numbered>`select k.n::int as n, r.* from unnest(${arrays}) with ordinality as k(${names}, n)
      cross join lateral ${'isRawBuilder' in row ? sql`(${row})` : row} as r`;
      return { ...compiled(db, all), handWritten: 'isRawBuilder' in row };
    },
    { ...options, computed: { n: 'int4', ...computed } as ColumnKinds<Numbered> },
  );
}

interface CompiledText {
  readonly text: string;
  readonly parameters: readonly unknown[];
  readonly handWritten: boolean;
}

function define<Parameters extends object, Row>(
  name: string,
  build: (db: Kysely<Database>) => CompiledText,
  { computed = {}, slow, replica }: QueryOptions<Row>,
): Query<Parameters, Row> {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new Error(`The statement name ${name} is longer than ${MAX_NAME_BYTES} bytes`);
  if (queries.has(name)) throw new Error(`Two statements have the name ${name}`);
  let statement: CompiledStatement<Parameters> | null = null;
  const made: Query<Parameters, Row> = {
    name,
    computed,
    compile(db) {
      statement ??= {
        name,
        ...(slow && { slow }),
        ...(replica && { replica }),
        ...bindNames(build(db().withPlugin(new InlineConstants()))),
      };
      return statement;
    },
  };
  queries.set(name, made as Query<never, unknown>);
  return made;
}

/** PostgreSQL truncates longer names, and two of them could become equal. */
const MAX_NAME_BYTES = 63;

/** Represents the value of a parameter while a query is built. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = <Parameters extends object>(): Parameters =>
  new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) }) as Parameters;

function bindNames<Parameters extends object>({ text, parameters, handWritten }: CompiledText) {
  const names = parameters.map((parameter) => (parameter as Placeholder).name as keyof Parameters);
  return { text, handWritten, values: (given: Parameters) => names.map((name) => given[name]) };
}

/** Writes the constants of a query into its text: a prepared statement is planned without its parameters' values. */
class InlineConstants extends OperationNodeTransformer implements KyselyPlugin {
  transformQuery({ node, queryId }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    return this.transformNode(node, queryId);
  }

  async transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    return result;
  }

  protected override transformValue(node: ValueNode): ValueNode {
    return inlined(node.value);
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): never {
    // The compiler prints a list of value nodes in the same way.
    return ValueListNode.create(node.values.map(inlined)) as never;
  }
}

function inlined(value: unknown): ValueNode {
  if (value instanceof Placeholder) return ValueNode.create(value);
  return ValueNode.createImmediate(typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
}

/** A value for a column of type `jsonb`, for a query builder. As a parameter, an array would be an array of SQL. */
export const jsonb = <Value>(value: Value) => sql<Value>`${JSON.stringify(value)}::jsonb`;

/** `fold` of `core/text.ts`, in a statement. */
export const folded = (text: unknown) =>
  sql`translate(lower(normalize(${text}, NFC)), ${sql.lit(LETTER_FORMS.forms)}, ${sql.lit(LETTER_FORMS.letters)})`;
