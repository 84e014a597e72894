import type { KeyedQuery, Query, Statement } from '../../src/platform/query.ts';
import type { Sql } from '../../src/platform/sql.ts';
import type { UnitOfWork } from '../../src/platform/unit-of-work.ts';

/** A statement of a test: plain SQL with `$1` parameters. Statements of the product use the typed builder. */
export const statement = (name: string, text: string, { slow = false } = {}): Statement => ({ name, text, slow });

/** Runs a statement of a test on the prepared-statement connections. */
export function runStatement<Row>(
  sql: Pick<Sql, 'run'>,
  { name, text, slow = false }: Statement,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const query: Query<{ values: readonly unknown[] }, Row> = {
    name,
    computed: {},
    compile: () => ({ name, text, slow, handWritten: true, values: ({ values }) => [...values] }),
  };
  return sql.run(query, { values: parameters });
}

/** Runs plain SQL with `$1` parameters in a unit of work. */
export const runIn = async <Row>({ jobs }: UnitOfWork, text: string, parameters: readonly unknown[] = []) =>
  (await jobs.executeSql(text, [...parameters])).rows as Row[];

/** A read of one row by its key, in plain SQL: one array of texts for each part of the key. */
export function keyedStatement<Row>(name: string, parts: readonly string[], text: string) {
  const compiled = { name, text, handWritten: true, values: () => [] };
  return { name, parts, computed: {}, compile: () => compiled } as unknown as KeyedQuery<Record<string, string>, Row>;
}
