import { z } from 'zod';
import { parseInput, shownAs } from '../../../base/core/input.ts';
import { payoutFilter } from '../../../domain/settlement/payouts/payout.input.ts';
import type { PayoutsQueryVariables } from '../generated/graphql.ts';
import type { Reader } from '../reader.ts';

const MOST = 200;
const LIMIT_WANTED = `must be a whole number from 1 to ${MOST}`;

const payoutsQuery = z.object({
  limit: shownAs(
    z
      .string()
      .regex(/^\d{1,3}$/, { error: LIMIT_WANTED })
      .transform(Number)
      .refine((value) => value >= 1 && value <= MOST, { error: LIMIT_WANTED }),
    { type: 'integer', minimum: 1, maximum: MOST, default: 100 },
  )
    .default(100)
    .describe(`1 to ${MOST}.`),
  cursor: z.string().max(1_000).optional().describe('The `nextCursor` of the page before; empty for the first page.'),
  ...payoutFilter.shape,
});

/** The query of `GET /api/payouts`. */
export const payoutsReader: Reader<PayoutsQueryVariables> = {
  schema: payoutsQuery,
  read({ query }) {
    const { limit: first, cursor, ...filter } = parseInput(payoutsQuery, query);
    return { first, after: cursor || null, filter };
  },
};
