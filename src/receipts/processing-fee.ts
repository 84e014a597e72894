import { type Expression, sql } from 'kysely';

/**
 * The processing fee among the lines of an order, in cents; null without one. An item of the catalog with that label is
 * not the fee.
 */
export const processingFee = (lineItems: Expression<unknown>) =>
  sql<number | null>`(jsonb_path_query_first(${lineItems},
    '$[*] ? (@.label == "Processing Fee" && !exists(@.itemId)).priceCents'))::int8`;
