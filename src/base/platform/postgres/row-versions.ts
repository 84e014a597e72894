import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

/** The version of a row: a write by any process changes its `ctid` or its `xmin`. */
export const ROW_VERSION = sql<string>`ctid::text || xmin::text`;

/** One text for the versions of all rows of a query, in their order. */
export const versionOfAll = (version: RawBuilder<string>): RawBuilder<string> =>
  sql<string>`md5(coalesce(string_agg(${version}, ' '), ''))`;

/** The same text, for rows that were read with their versions, in that order. */
export const versionOf = (rows: readonly { readonly version: string }[]): string =>
  createHash('md5')
    .update(rows.map(({ version }) => version).join(' '))
    .digest('hex');
