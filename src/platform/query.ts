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
  /** Never set: carries the row type. */
  readonly row?: Row;
}

/** A statement with the name under which it is prepared. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Runs on a separate connection, so that it does not block other statements. For reports and lists of an admin. */
  readonly slow?: boolean;
}

export interface CompiledStatement<Parameters extends object> extends Statement {
  /** The values of `$1`, `$2`, … for named parameters. */
  values(parameters: Parameters): unknown[];
}

const queries = new Map<string, Query<never, unknown>>();

/** Every query that the loaded modules define. */
export const definedQueries = (): readonly Query<never, unknown>[] => [...queries.values()];

/**
 * Defines a prepared statement. `build` receives placeholders in place of parameter values. Constants in the query
 * become literals, so that the planner sees them.
 *
 * @example
 * const NAME = query('merchant-name', (db, $: { wallet: Wallet }) =>
 *   db.selectFrom('Merchant').select('name').where('wallet', '=', $.wallet));
 * const [row] = await sql.run(NAME, { wallet });
 */
export function query<Parameters extends object, Row>(
  name: string,
  build: (db: Kysely<Database>, parameters: Parameters) => Compilable<Row>,
): Query<Parameters, Row> {
  return define(name, (db) => build(db, placeholders<Parameters>()).compile());
}

/** What a keyed query uses in place of a key's value: a column of the list of keys. */
export type KeyColumns<Key extends object> = { readonly [Part in keyof Key]: RawBuilder<Key[Part]> };

/** A query for one row by its key. Each row of its result has the position of its key as `n`, from 1. */
export interface KeyedQuery<Key extends object, Row>
  extends Query<{ readonly [Part in keyof Key]: readonly Key[Part][] }, Row & { readonly n: number }> {
  readonly parts: readonly (keyof Key & string)[];
}

/**
 * Defines a query for one row by a key of texts. Reads of one tick run as one statement: the keys arrive as one array
 * per part. The lateral join looks up each key on its own, so the plan does not depend on the size of the table.
 *
 * @example
 * type Key = KeyColumns<{ merchant: Wallet; id: string }>;
 *  const STATUS = keyedQuery('receipt-status', ['merchant', 'id'], (db, key: Key) =>
 *   db.selectFrom('Receipt as r').select(columns('r', ['status']))
 *     .where('r.merchant', '=', key.merchant).where('r.id', '=', key.id));
 * const row = await sql.one(STATUS, { merchant, id });
 */
export function keyedQuery<Key extends object, Row>(
  name: string,
  parts: readonly (keyof Key & string)[],
  build: (db: Kysely<Database>, key: KeyColumns<Key>) => Expression<Row>,
): KeyedQuery<Key, Row> {
  const key = Object.fromEntries(parts.map((part) => [part, sql.ref(`k.${part}`)])) as unknown as KeyColumns<Key>;
  const names = sql.join(parts.map((part) => sql.id(part)));
  const made = define<{ readonly [Part in keyof Key]: readonly Key[Part][] }, Row & { readonly n: number }>(
    name,
    (db) => {
      const lists = placeholders<Record<string, unknown>>();
      const arrays = sql.join(parts.map((part) => sql`${lists[part]}::text[]`));
      return sql<
        Row & { readonly n: number }
      >`select k.n::int as n, r.* from unnest(${arrays}) with ordinality as k(${names}, n)
      cross join lateral ${build(db, key)} as r`.compile(db);
    },
  );
  return { ...made, parts };
}

interface CompiledText {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

function define<Parameters extends object, Row>(
  name: string,
  build: (db: Kysely<Database>) => CompiledText,
): Query<Parameters, Row> {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw new Error(`The statement name ${name} is longer than ${MAX_NAME_BYTES} bytes`);
  if (queries.has(name)) throw new Error(`Two statements have the name ${name}`);
  let compiled: CompiledStatement<Parameters> | null = null;
  const made: Query<Parameters, Row> = {
    name,
    compile(db) {
      compiled ??= bindNames(name, build(db().withPlugin(new InlineConstants())));
      return compiled;
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

function bindNames<Parameters extends object>(name: string, compiled: CompiledText): CompiledStatement<Parameters> {
  const names = compiled.parameters.map((parameter) => (parameter as Placeholder).name as keyof Parameters);
  return { name, text: compiled.sql, values: (given) => names.map((parameter) => given[parameter]) };
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
