import { type Expression, sql } from 'kysely';

/** The labels of the lines that an order adds to its items. */
export const TAX = 'Tax';
export const PROCESSING_FEE = 'Processing Fee';

/**
 * The amount of the line with a label among the lines of a receipt, in cents; null without one. An item of the catalog
 * with that label is not meant.
 */
export const labelledCents = (lineItems: Expression<unknown>, label: string) =>
  sql<number | null>`(jsonb_path_query_first(${lineItems},
    ${sql.lit(`$[*] ? (@.label == "${label}" && !exists(@.itemId)).priceCents`)}))::int8`;
