import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';

/** Rows as one parameter of a query, which reads them with `rowsIn`. */
export type RowList<Row> = string & { readonly row?: Row };

/** Makes the parameter of rows. */
export const rowList = <Row extends object>(rows: readonly Row[]): RowList<Row> => JSON.stringify(rows);

/** The PostgreSQL type of each column. */
export type ColumnTypes<Row> = {
  readonly [Column in keyof Row]-?: 'text' | 'bigint' | 'numeric' | 'integer' | 'boolean' | 'jsonb';
};

/** The rows of a parameter as a table of the statement, and its columns. */
export interface RowsIn<Row, Alias extends string> {
  readonly table: AliasedRawBuilder<Row, Alias>;
  readonly columns: { readonly [Column in keyof Row]-?: RawBuilder<Row[Column]> };
  /** Columns to select under their own names. */
  select<Name extends keyof Row & string>(
    names: readonly Name[],
  ): { [Column in Name]: AliasedRawBuilder<Row[Column], Column> }[Name][];
}

/**
 * Reads the rows of a parameter as a table. A property that is missing is null.
 *
 * @example
 * query('restock', (db, $: { rows: RowList<Added> }) => {
 *   const { table, columns } = rowsIn($.rows, 'added', { sku: 'text', qty: 'bigint' });
 *   return db.updateTable('Item').from(table).set({ qty: columns.qty }).where('Item.sku', '=', columns.sku);
 * });
 */
export function rowsIn<Row extends object, Alias extends string>(
  rows: RowList<Row>,
  alias: Alias,
  types: ColumnTypes<Row>,
): RowsIn<Row, Alias> {
  const names = Object.keys(types) as (keyof Row & string)[];
  const defined = sql.join(names.map((name) => sql`${sql.id(name)} ${sql.raw(types[name])}`));
  return {
    table: sql<Row>`jsonb_to_recordset(${rows}::jsonb)`.as<Alias>(sql`${sql.id(alias)}(${defined})`),
    columns: Object.fromEntries(names.map((name) => [name, sql.id(alias, name)])) as RowsIn<Row, Alias>['columns'],
    select: (selected) => selected.map((name) => sql<never>`${sql.id(alias, name)}`.as(name)),
  };
}
