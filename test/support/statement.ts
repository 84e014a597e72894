import { CompiledQuery } from 'kysely';
import type { Db } from '../../src/base/platform/db.ts';
import type { BatchedWrite } from '../../src/base/platform/postgres/batched-write.ts';
import type { KeyedQuery, Query, Statement } from '../../src/base/platform/postgres/query.ts';
import type { UnitOfWork } from '../../src/base/platform/unit-of-work.ts';

/** A statement of a test: plain SQL with `$1` parameters. Statements of the product use the typed builder. */
export const statement = (name: string, text: string, { slow = false } = {}): Statement => ({ name, text, slow });

/** Runs a statement of a test on the prepared-statement connections. */
export function runStatement<Row>(
  db: Pick<Db, 'run'>,
  { name, text, slow = false }: Statement,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const query: Query<{ values: readonly unknown[] }, Row> = {
    name,
    computed: {},
    compile: () => ({ name, text, slow, handWritten: true, values: ({ values }) => [...values] }),
  };
  return db.run(query, { values: parameters });
}

/** Runs plain SQL with `$1` parameters in a unit of work. */
export const runIn = async <Row>({ db }: UnitOfWork, text: string, parameters: readonly unknown[] = []) =>
  (await db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;

/** A read of one row by its key, in plain SQL: one array of texts for each part of the key. */
export function keyedStatement<Row>(name: string, parts: readonly string[], text: string) {
  const compiled = { name, text, handWritten: true, values: () => [] };
  return { name, parts, computed: {}, compile: () => compiled } as unknown as KeyedQuery<Record<string, string>, Row>;
}

/** A write of many items with the key `name`, in plain SQL. `$1` is the list of items as JSON text. */
export function batchedStatement<Item extends { readonly name: string }, Row extends { readonly name: string }>(
  name: string,
  text: string,
): BatchedWrite<Item, { readonly items: string }, Row> {
  return {
    name,
    computed: {},
    compile: () => ({ name, text, handWritten: true, values: ({ items }) => [items] }),
    listsOf: (items) => ({ items: JSON.stringify(items) }),
    keyOf: (item) => item.name,
    keyOfRow: (row) => row.name,
  };
}
