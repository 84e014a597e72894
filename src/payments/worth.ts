import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * What counts for the depth of a payment, in US cents: the receipt's total, so that a large price cannot be split into
 * small transfers, or the transfer's value if it is more than 1 % higher, because a surplus may be refunded. 0 for an
 * unmatched transfer.
 */
export const worthCents = (
  totalCents: Expression<number | null>,
  usd: Expression<string | null>,
): RawBuilder<number> => sql<number>`case when ${usd}::numeric * 100 > coalesce(${totalCents}, 0) * 1.01
  then floor(${usd}::numeric * 100) else coalesce(${totalCents}, 0) end::int8`;
