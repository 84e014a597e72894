import type { Token } from '../chain/tokens.ts';
import { toDecimal } from '../chain/tokens.ts';
import { merchantOf } from '../core/caller.ts';
import { usdFromCents } from '../core/money.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { OUTSIDE_POINTS } from '../graphql/rate.ts';
import { type Holding, readHoldings } from './holdings.ts';
import { type Recommendation, type ReserveBalance, readReserve, recommendReserve, WINDOW_DAYS } from './reserve.ts';
import { readUsage, type Usage } from './usage.ts';

const readers = { scope: 'shop:read', admin: true } as const;

/** Base units as whole tokens. */
const whole = (amount: bigint, { decimals }: Token): number => Number(toDecimal(amount, decimals));

const BillingBalanceType = builder.objectRef<Holding>('BillingBalance').implement({
  ...throughParent,
  description: 'What a merchant has of one token, in whole tokens.',
  fields: (t) => ({
    currency: t.string({ description: 'The token.', resolve: ({ token }) => token.symbol }),
    available: t.float({
      description: 'In its wallet, or releasable to it by its splits; without what is reserved.',
      resolve: ({ token, available }) => whole(available, token),
    }),
    reserved: t.float({
      description:
        'Its part of payments that are not final: not confirmed yet, or of an amount that does not match; without what was refunded.',
      resolve: ({ token, reserved }) => whole(reserved, token),
    }),
  }),
});

const BillingUsageType = builder.objectRef<Usage>('BillingUsage').implement({
  ...throughParent,
  description: 'What a merchant did in the current calendar month (UTC).',
  fields: (t) => ({
    monthUsd: t.field({
      type: 'Usd',
      description: 'What was paid on the month’s receipts, before refunds.',
      resolve: (usage) => usdFromCents(usage.monthCents),
    }),
    orders: t.exposeInt('orders', { description: 'Receipts made, paid or not.' }),
    feesUsd: t.field({
      type: 'Usd',
      description: 'The processing fees in monthUsd.',
      resolve: (usage) => usdFromCents(usage.feesCents),
    }),
    lastUpdatedAt: t.expose('lastUpdatedAt', { type: 'Millis', description: 'When this was reckoned.' }),
  }),
});

interface Billing {
  readonly balances: readonly Holding[];
  readonly usage: Usage;
}

const BillingType = builder.objectRef<Billing>('Billing').implement({
  description: 'What a merchant has, and what it did this month.',
  authScopes: readers,
  fields: (t) => ({
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
  description: 'What there is of one token to pay refunds from, in whole tokens.',
  fields: (t) => ({
    currency: t.string({ description: 'The token.', resolve: ({ token }) => token.symbol }),
    reserved: t.float({
      description: 'What the merchant has of it, as available in the billing balance.',
      resolve: ({ token, reserved }) => whole(reserved, token),
    }),
    target: t.float({
      description: 'What it should keep, as recommended.',
      resolve: ({ token, target }) => whole(target, token),
    }),
  }),
});

/** A list with the moment it was reckoned at. */
interface Reckoned<T> {
  readonly list: readonly T[];
  readonly updatedAt: number;
}

const ReserveType = builder.objectRef<Reckoned<ReserveBalance>>('Reserve').implement({
  description: 'A merchant’s reserve for refunds.',
  authScopes: readers,
  fields: (t) => ({
    balances: t.field({
      type: [ReserveBalanceType],
      description: 'One for each token of the chain.',
      resolve: ({ list }) => [...list],
    }),
    updatedAt: t.expose('updatedAt', { type: 'Millis', description: 'When this was reckoned.' }),
  }),
});

const ReserveBasisType = builder.objectRef<Recommendation>('ReserveBasis').implement({
  ...throughParent,
  description: 'What a recommendation follows from, in whole tokens.',
  fields: (t) => ({
    refunded: t.float({
      description: 'Given back to buyers in the window.',
      resolve: ({ token, refunded }) => whole(refunded, token),
    }),
    paidOut: t.float({
      description: 'Paid out to the merchant by its splits in the window; 5 % of it are kept.',
      resolve: ({ token, paidOut }) => whole(paidOut, token),
    }),
  }),
});

const RecommendationType = builder.objectRef<Recommendation>('ReserveRecommendation').implement({
  ...throughParent,
  description: 'What to keep of one token, in whole tokens.',
  fields: (t) => ({
    currency: t.string({ description: 'The token.', resolve: ({ token }) => token.symbol }),
    target: t.float({
      description: 'The window’s refunds, and 5 % of its payouts.',
      resolve: ({ token, target }) => whole(target, token),
    }),
    basis: t.field({ type: ReserveBasisType, description: 'What it follows from.', resolve: (entry) => entry }),
  }),
});

const ReserveAdviceType = builder.objectRef<Reckoned<Recommendation>>('ReserveAdvice').implement({
  description: 'What a merchant should keep for refunds.',
  authScopes: readers,
  fields: (t) => ({
    recommendations: t.field({
      type: [RecommendationType],
      description: 'One for each token of the chain.',
      resolve: ({ list }) => [...list],
    }),
    windowDays: t.int({ description: 'How many days it looks back.', resolve: () => WINDOW_DAYS }),
    updatedAt: t.expose('updatedAt', { type: 'Millis', description: 'When this was reckoned.' }),
  }),
});

builder.queryFields((t) => ({
  billing: t.field({
    complexity: OUTSIDE_POINTS,
    type: BillingType,
    description: "The caller's own balances, from the chain, and its month.",
    authScopes: readers,
    resolve: async (_, _args, ctx) => {
      const merchant = merchantOf(ctx.caller);
      const [balances, usage] = await Promise.all([readHoldings(ctx, merchant), readUsage(ctx, merchant)]);
      return { balances, usage };
    },
  }),
  reserve: t.field({
    complexity: OUTSIDE_POINTS,
    type: ReserveType,
    description: "The caller's own reserve, from the chain.",
    authScopes: readers,
    resolve: async (_, _args, ctx) => ({
      list: await readReserve(ctx, merchantOf(ctx.caller)),
      updatedAt: ctx.clock(),
    }),
  }),
  reserveAdvice: t.field({
    type: ReserveAdviceType,
    description: 'What the caller should keep for refunds, by its last 30 days.',
    authScopes: readers,
    resolve: async (_, _args, ctx) => ({
      list: await recommendReserve(ctx, merchantOf(ctx.caller)),
      updatedAt: ctx.clock(),
    }),
  }),
}));
