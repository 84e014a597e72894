import { z } from 'zod';
import { parseInput } from '../../../base/core/input.ts';
import { payoutFilter } from '../../../domain/settlement/payouts/payout.input.ts';
import { splitInput } from '../../../domain/shop/splits/split.input.ts';
import type { PayoutsQueryVariables, SplitInput } from '../generated/graphql.ts';
import {
  DeploySplitDocument,
  PayoutsDocument,
  SplitDocument,
  SplitTransactionsDocument,
} from '../generated/graphql.ts';
import type { Reader } from './reader.ts';
import { cursorText, limitUpTo, readsBody, readsQuery } from './reader.ts';
import { admin, anyKey, type RetiredRoute, type Route, route, scope } from './route.ts';

/** The `address` of `GET /api/split/transactions`. */
const addressQuery = readsQuery(z.object({ address: z.string().optional() }), ({ address = null }) => address);

/** The body of `POST /api/split/deploy`. */
const splitBody = readsBody(splitInput, (checked): SplitInput => checked, { mayBeMissing: true });

const payoutsQuery = z.object({
  limit: limitUpTo(200).describe('1 to 200.'),
  cursor: cursorText,
  ...payoutFilter.shape,
});

/** The query of `GET /api/payouts`. */
const payoutsReader: Reader<PayoutsQueryVariables> = {
  schema: payoutsQuery,
  read({ query }) {
    const { limit: first, cursor, ...filter } = parseInput(payoutsQuery, query);
    return { first, after: cursor || null, filter };
  },
};

/** The split and its payments. */
export const splitRoutes: readonly (Route | RetiredRoute)[] = [
  route({
    method: 'GET',
    path: '/api/split/deploy',
    access: scope('split:read'),
    summary: 'Read the split',
    refuses: [],
    operation: SplitDocument,
    variables: () => ({}),
    answer: ({ split }) => ({ body: { split } }),
  }),
  route({
    method: 'POST',
    path: '/api/split/deploy',
    access: admin,
    summary: 'Configure the split',
    detail: 'A second call returns the existing split.',
    body: splitBody,
    refuses: ['invalid_wallet', 'platform_recipient_not_configured', 'not_found', 'chain_unavailable'],
    operation: DeploySplitDocument,
    variables: ({ body }) => ({ input: body }),
    answer: ({ deploySplit: { split, idempotent } }) => ({
      body: { ok: true, split, ...(idempotent ? { idempotent } : {}) },
    }),
  }),
  route({
    method: 'GET',
    path: '/api/split/transactions',
    access: scope('split:read'),
    summary: 'List split payments',
    detail: 'The newest first.',
    query: addressQuery,
    refuses: [],
    operation: SplitTransactionsDocument,
    variables: ({ query }) => ({ address: query }),
    answer: ({ splitTransactions }) => ({ body: splitTransactions.nodes }),
  }),
  route({
    method: 'GET',
    path: '/api/payouts',
    access: scope('split:read'),
    summary: 'List payouts',
    detail:
      'Who got or gets what from which receipt; the newest payments first. `nextCursor` is the `cursor` of the next page, null on the last.',
    query: payoutsReader,
    refuses: ['bad_cursor'],
    operation: PayoutsDocument,
    variables: ({ query }) => query,
    answer: ({ payouts: { nodes, pageInfo } }) => ({
      body: { payouts: nodes, nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null },
    }),
  }),
  {
    method: 'POST',
    path: '/api/split/withdraw',
    access: anyKey,
    rate: 'others',
    summary: 'Withdraw (retired)',
    detail: 'Recipients collect, then call `release` of the split contract, with their own wallets.',
    reason: 'use_connected_wallet',
    sinceS: Date.UTC(2025, 0, 1) / 1000,
  },
];
