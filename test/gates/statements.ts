import { join } from 'node:path';
import pg from 'pg';
import { entities } from '../../src/app/entities.ts';
import { defineAllPages } from '../../src/base/platform/keyset.ts';
import { createOrm } from '../../src/base/platform/orm.ts';
import { queryBuilderOf } from '../../src/base/platform/postgres/database.ts';
import { definedQueries, type Query } from '../../src/base/platform/postgres/query.ts';
import { type DescribedColumn, describeStatement } from '../support/describe-statement.ts';
import { root, sources } from './sources.ts';

type AnyQuery = Query<never, unknown>;

const MODULE = /\.ts$/;
const DEFINES = /from '[\w./-]*\/(query|keyset)\.ts'/;

/** Loads every module that defines a query, and returns all queries. */
export async function everyQuery(): Promise<readonly AnyQuery[]> {
  for (const { path, text } of sources())
    if (MODULE.test(path) && !path.includes('.test.') && DEFINES.test(text)) await import(join(root, path));
  defineAllPages();
  return definedQueries();
}

/**
 * Prepares the queries against the migrated database and compares the columns of their results with what the code
 * states: a table's column by its entity, a computed column by the type that the query states. One line per fault.
 */
export async function statementFaults(databaseUrl: string, queries: readonly AnyQuery[]): Promise<string[]> {
  const orm = await createOrm(databaseUrl, entities);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const catalog = await readCatalog(client);
    const faults: string[] = [];
    for (const query of queries) {
      const { text, handWritten } = query.compile(() => queryBuilderOf(orm.em));
      try {
        const columns = await describeStatement(client, text);
        faults.push(...columnFaults(catalog, query, columns, handWritten).map((fault) => `${query.name}: ${fault}`));
      } catch (error) {
        faults.push(`${query.name}: ${(error as Error).message}`);
      }
    }
    return faults;
  } finally {
    await Promise.all([client.end(), orm.close()]);
  }
}

function columnFaults(
  catalog: Catalog,
  { computed }: AnyQuery,
  columns: readonly DescribedColumn[],
  handWritten: boolean,
): string[] {
  const stated = new Map<string, string>(Object.entries(computed));
  const names = new Set(columns.map(({ name }) => name));
  return [
    ...[...stated.keys()].filter((name) => !names.has(name)).map((name) => `the result has no column ${name}`),
    ...columns.flatMap((column) => {
      const { name } = column;
      const kind = catalog.types.get(column.dataTypeID);
      if (name.includes('_')) return [`the column ${name} has no property name`];
      if (stated.has(name)) return stated.get(name) === kind ? [] : [`${name} is ${kind}, not ${stated.get(name)}`];
      const isTableColumn = catalog.tableColumns.has(`${column.tableID}.${column.columnID}`);
      return isTableColumn && !handWritten ? [] : [`${name} is ${kind}; state its type in 'computed'`];
    }),
  ];
}

interface Catalog {
  /** Type names by OID; an array ends with `[]`. */
  readonly types: ReadonlyMap<number, string>;
  /** `table OID.column number`. */
  readonly tableColumns: ReadonlySet<string>;
}

async function readCatalog(client: pg.Client): Promise<Catalog> {
  const types = await client.query<{ oid: number; name: string }>('select oid, typname as name from pg_type');
  const columns = await client.query<{ place: string }>(
    `select attrelid || '.' || attnum as place from pg_attribute join pg_class c on c.oid = attrelid
      where c.relnamespace = 'public'::regnamespace and attnum > 0`,
  );
  return {
    types: new Map(types.rows.map(({ oid, name }) => [oid, name.replace(/^_(.*)$/, '$1[]')])),
    tableColumns: new Set(columns.rows.map(({ place }) => place)),
  };
}
