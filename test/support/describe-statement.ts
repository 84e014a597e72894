import type pg from 'pg';

/** A column of a statement's result, as PostgreSQL describes it. */
export interface DescribedColumn {
  readonly name: string;
  /** The OID of the table that the column comes from, and the number of its column there; 0 for a computed column. */
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

/** Prepares a statement and describes its result without running it. Rejects with PostgreSQL's error. */
export function describeStatement(client: pg.Client, text: string): Promise<readonly DescribedColumn[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly DescribedColumn[]>();
  let columns: readonly DescribedColumn[] = [];
  client.query({
    submit(connection: pg.Connection) {
      connection.parse({ name: '', text, types: [] }, true);
      connection.describe({ type: 'S', name: '' }, true);
      connection.sync();
    },
    handleRowDescription({ fields }: { fields: readonly DescribedColumn[] }) {
      columns = fields;
    },
    handleError: reject,
    handleReadyForQuery: () => resolve(columns),
  } as unknown as pg.Submittable);
  return promise;
}
