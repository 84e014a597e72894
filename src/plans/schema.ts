import { merchantOf } from '../core/caller.ts';
import { usdFromCents } from '../core/money.ts';
import { builder } from '../graphql/builder.ts';
import { countsAs } from '../graphql/rate.ts';
import { PERIODS } from './period.ts';
import { listPlans, type PlanRecord, requirePlan } from './read-plans.ts';
import { createPlan, deactivatePlan, updatePlan } from './save-plan.ts';

export const PlanPeriodEnum = builder.enumType('PlanPeriod', {
  description: 'How often a plan is paid: every 7, 14, 30, 90 or 365 days.',
  values: PERIODS,
});

const PlanType = builder.objectRef<PlanRecord>('Plan').implement({
  description: 'What a merchant offers to be paid for again and again.',
  authScopes: { $granted: 'plan', key: true, session: true, subscriber: true },
  fields: (t) => ({
    planId: t.id({
      pages: ['plan'],
      description: 'Made by the server; it opens the page /subscribe/<planId>.',
      resolve: ({ id }) => id,
    }),
    merchant: t.expose('merchant', { pages: ['plan'], type: 'Wallet', description: 'Who is paid.' }),
    name: t.exposeString('name', { pages: ['plan'], description: 'What customers see.' }),
    description: t.exposeString('description', { pages: ['plan'], description: 'What they get; may be empty.' }),
    priceUsd: t.field({
      pages: ['plan'],
      type: 'Usd',
      description: 'What each period costs those who subscribe now.',
      resolve: ({ priceCents }) => usdFromCents(priceCents),
    }),
    period: t.expose('period', { pages: ['plan'], type: PlanPeriodEnum, description: 'How often it is paid.' }),
    active: t.exposeBoolean('active', { pages: ['plan'], description: 'Whether it takes new subscriptions.' }),
    createdAt: t.expose('createdAt', { pages: ['plan'], type: 'Millis', description: 'When it was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'Millis', description: 'When it was last changed.' }),
  }),
});

builder.queryFields((t) => ({
  plans: t.field({
    type: [PlanType],
    description: "A merchant's plans, the oldest first: those that take new subscriptions.",
    authScopes: { key: true, session: true, subscriber: true },
    args: {
      wallet: t.arg({ type: 'Wallet', required: true, description: 'The merchant; for a key, its own.' }),
      includeInactive: t.arg.boolean({ description: 'All of them, for the merchant itself.' }),
    },
    resolve: (_, args, ctx) => listPlans(ctx, ctx.caller, args),
  }),
  plan: t.field({
    type: PlanType,
    description: 'One plan, also one that is not offered any more. Refuses with `plan_not_found`.',
    authScopes: { key: true, session: true, subscriber: true },
    args: { planId: t.arg.id({ required: true, description: 'Which one.' }) },
    resolve: (_, { planId }, ctx) => requirePlan(ctx, ctx.caller, planId),
  }),
}));

const CreatePlanInput = builder.inputType('CreatePlanInput', {
  description: 'A new plan.',
  fields: (t) => ({
    wallet: t.string({ description: "The caller's own merchant, where it is given at all." }),
    name: t.string({ required: true, description: '1 to 256 characters.' }),
    description: t.string({ description: 'At most 4,000 characters.' }),
    priceUsd: t.field({ type: 'Usd', required: true, description: '0.01 to 10,000,000.00.' }),
    period: t.field({ type: PlanPeriodEnum, required: true, description: 'How often it is paid.' }),
  }),
});

const UpdatePlanInput = builder.inputType('UpdatePlanInput', {
  description: 'Changes of a plan; what is left out stays.',
  fields: (t) => ({
    wallet: t.string({ description: "The caller's own merchant, where it is given at all." }),
    planId: t.id({ required: true, description: 'Which plan.' }),
    name: t.string({ description: '1 to 256 characters.' }),
    description: t.string({ description: 'At most 4,000 characters.' }),
    priceUsd: t.field({ type: 'Usd', description: 'For those who subscribe from now on.' }),
    period: t.field({ type: PlanPeriodEnum, description: 'The same.' }),
    active: t.boolean({ description: 'True offers it again.' }),
  }),
});

builder.mutationFields((t) => ({
  createPlan: t.field({
    ...countsAs('others'),
    type: PlanType,
    description: 'Makes a plan that takes subscriptions at once.',
    authScopes: { adminWrite: true },
    grantScopes: ['plan'],
    args: { input: t.arg({ type: CreatePlanInput, required: true, description: 'The plan.' }) },
    resolve: (_, { input }, ctx) => createPlan(ctx, merchantOf(ctx.caller), input),
  }),
  updatePlan: t.field({
    ...countsAs('others'),
    type: PlanType,
    description: 'Changes a plan; subscriptions that exist keep their price and period.',
    authScopes: { adminWrite: true },
    grantScopes: ['plan'],
    args: { input: t.arg({ type: UpdatePlanInput, required: true, description: 'The changes.' }) },
    resolve: (_, { input }, ctx) => updatePlan(ctx, merchantOf(ctx.caller), input),
  }),
  deactivatePlan: t.field({
    ...countsAs('others'),
    type: PlanType,
    description: 'Takes a plan off: no new subscriptions, and those that exist go on.',
    authScopes: { adminWrite: true },
    grantScopes: ['plan'],
    args: { planId: t.arg.id({ required: true, description: 'Which plan.' }) },
    resolve: (_, { planId }, ctx) => deactivatePlan(ctx, merchantOf(ctx.caller), { planId }),
  }),
}));
