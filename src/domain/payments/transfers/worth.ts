import { type Expression, type RawBuilder, sql } from 'kysely';

/**
 * What counts for the depth of a payment, in US cents: the receipt's total, so that a large price cannot be split into
 * small transfers, or the transfer's value if it is more than 1 % higher, because a surplus may be refunded. 0 for an
 * unmatched transfer. A token with an open mint can be sent in any amount, so the value is cut to a safe integer.
 */
export const worthCents = (
  totalCents: Expression<number | null>,
  usd: Expression<string | null>,
): RawBuilder<number> => sql<number>`least(case when ${usd}::numeric * 100 > coalesce(${totalCents}, 0) * 1.01
  then floor(${usd}::numeric * 100) else coalesce(${totalCents}, 0) end, ${sql.lit(Number.MAX_SAFE_INTEGER)})::int8`;
