import type { Token } from '../../../base/chain/token.ts';
import { toDecimal } from '../../../base/chain/tokens.ts';
import { merchantOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { type Holding, readHoldings } from './holdings.ts';
import { type Recommendation, type ReserveBalance, readReserve, recommendReserve, WINDOW_DAYS } from './reserve.ts';
import { usageInput } from './usage.input.ts';
import { readUsage, type Usage } from './usage.ts';

const readers = { scope: 'shop:read', may: 'reports' } as const;

/** Base units as whole tokens. */
const whole = (amount: bigint, { decimals }: Token): number => Number(toDecimal(amount, decimals));

const BillingBalanceType = builder.objectRef<Holding>('BillingBalance').implement({
  ...throughParent,
  description: 'A merchant’s balance of one token, in whole tokens.',
  fields: (t) => ({
    currency: t.string({ description: 'The token’s symbol.', resolve: ({ token }) => token.symbol }),
    available: t.float({
      description: 'Balance of the wallet plus what its splits can release, minus `reserved`.',
      resolve: ({ token, available }) => whole(available, token),
    }),
    reserved: t.float({
      description:
        'The merchant’s share of payments that are not final (unconfirmed, or with a wrong amount), minus refunds.',
      resolve: ({ token, reserved }) => whole(reserved, token),
    }),
  }),
});

const BillingUsageType = builder.objectRef<Usage>('BillingUsage').implement({
  ...throughParent,
  description: 'A merchant’s usage in a calendar month (UTC), with the sums of the statistics.',
  fields: (t) => ({
    monthUsd: t.field({
      type: 'Usd',
      description: 'Total of the receipts paid in the month, before refunds, whenever they were created.',
      resolve: (usage) => usdFromCents(usage.monthCents),
    }),
    orders: t.exposeInt('orders', { description: 'Number of receipts created in the month, paid or not.' }),
    feesUsd: t.field({
      type: 'Usd',
      description: 'The processing fees included in `monthUsd`.',
      resolve: (usage) => usdFromCents(usage.feesCents),
    }),
    lastUpdatedAt: t.expose('lastUpdatedAt', { type: 'Millis', description: 'When the values were computed.' }),
  }),
});

interface Billing {
  readonly balances: readonly Holding[];
  readonly usage: Usage;
}

const BillingType = builder.objectRef<Billing>('Billing').implement({
  description: 'A merchant’s balances and its usage this month.',
  authScopes: readers,
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: (_own, _args, { caller }) => globalId('Billing', merchantOf(caller)),
    }),
    balances: t.field({
      type: [BillingBalanceType],
      description: 'One for each token of the chain.',
      resolve: ({ balances }) => [...balances],
    }),
    usage: t.expose('usage', { type: BillingUsageType, description: 'The current calendar month (UTC).' }),
  }),
});

const ReserveBalanceType = builder.objectRef<ReserveBalance>('ReserveBalance').implement({
  ...throughParent,
  description: 'The reserve of one token for refunds, in whole tokens.',
  fields: (t) => ({
    currency: t.string({ description: 'The token’s symbol.', resolve: ({ token }) => token.symbol }),
    reserved: t.float({
      description: 'The available amount of the billing balance.',
      resolve: ({ token, reserved }) => whole(reserved, token),
    }),
    target: t.float({
      description: 'The recommended reserve.',
      resolve: ({ token, target }) => whole(target, token),
    }),
  }),
});

/** A list with the time at which it was computed, epoch ms. */
interface Computed<T> {
  readonly list: readonly T[];
  readonly updatedAt: number;
}

const ReserveType = builder.objectRef<Computed<ReserveBalance>>('Reserve').implement({
  description: 'A merchant’s reserve for refunds.',
  authScopes: readers,
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: (_own, _args, { caller }) => globalId('Reserve', merchantOf(caller)),
    }),
    balances: t.field({
      type: [ReserveBalanceType],
      description: 'One for each token of the chain.',
      resolve: ({ list }) => [...list],
    }),
    updatedAt: t.expose('updatedAt', { type: 'Millis', description: 'When the values were computed.' }),
  }),
});

const ReserveBasisType = builder.objectRef<Recommendation>('ReserveBasis').implement({
  ...throughParent,
  description: 'The basis of a recommendation, in whole tokens.',
  fields: (t) => ({
    refunded: t.float({
      description: 'Refunded to buyers in the window.',
      resolve: ({ token, refunded }) => whole(refunded, token),
    }),
    paidOut: t.float({
      description: 'Paid out to the merchant by its splits in the window. 5 % of it belongs to the reserve.',
      resolve: ({ token, paidOut }) => whole(paidOut, token),
    }),
  }),
});

const RecommendationType = builder.objectRef<Recommendation>('ReserveRecommendation').implement({
  ...throughParent,
  description: 'The recommended reserve of one token, in whole tokens.',
  fields: (t) => ({
    currency: t.string({ description: 'The token’s symbol.', resolve: ({ token }) => token.symbol }),
    target: t.float({
      description: 'The window’s refunds plus 5 % of its payouts.',
      resolve: ({ token, target }) => whole(target, token),
    }),
    basis: t.field({
      type: ReserveBasisType,
      description: 'The basis of the recommendation.',
      resolve: (entry) => entry,
    }),
  }),
});

const ReserveAdviceType = builder.objectRef<Computed<Recommendation>>('ReserveAdvice').implement({
  description: 'The recommended reserves of a merchant for refunds.',
  authScopes: readers,
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: (_own, _args, { caller }) => globalId('ReserveAdvice', merchantOf(caller)),
    }),
    recommendations: t.field({
      type: [RecommendationType],
      description: 'One for each token of the chain.',
      resolve: ({ list }) => [...list],
    }),
    windowDays: t.int({
      description: 'The number of days that the recommendation covers.',
      resolve: () => WINDOW_DAYS,
    }),
    updatedAt: t.expose('updatedAt', { type: 'Millis', description: 'When the values were computed.' }),
  }),
});

builder.queryFields((t) => ({
  billing: t.field({
    complexity: OUTSIDE_POINTS,
    type: BillingType,
    description: "The caller's own balances, read from the chain, and its usage this month.",
    authScopes: readers,
    resolve: async (_, _args, ctx) => {
      const merchant = merchantOf(ctx.caller);
      const [balances, usage] = await Promise.all([
        readHoldings(ctx, merchant),
        readUsage(ctx.db, ctx.clock(), merchant),
      ]);
      return { balances, usage };
    },
  }),
  billingUsage: t.field({
    type: BillingUsageType,
    description: "The caller's own usage in a month.",
    authScopes: readers,
    args: { month: t.arg.string({ required: true, description: 'The calendar month, UTC: `2026-10`.' }) },
    resolve: (_, args, ctx) =>
      readUsage(ctx.db, ctx.clock(), merchantOf(ctx.caller), parseInput(usageInput, args).month),
  }),
  reserve: t.field({
    complexity: OUTSIDE_POINTS,
    type: ReserveType,
    description: "The caller's own reserve, read from the chain.",
    authScopes: readers,
    resolve: async (_, _args, ctx) => ({
      list: await readReserve(ctx, merchantOf(ctx.caller)),
      updatedAt: ctx.clock(),
    }),
  }),
  reserveAdvice: t.field({
    type: ReserveAdviceType,
    description: 'The recommended reserve for refunds, from the caller’s last 30 days.',
    authScopes: readers,
    resolve: async (_, _args, ctx) => ({
      list: await recommendReserve(ctx, merchantOf(ctx.caller)),
      updatedAt: ctx.clock(),
    }),
  }),
}));
