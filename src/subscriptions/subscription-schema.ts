import type { SpendPermission } from '../chain/spend-permissions.ts';
import { usdFromCents } from '../core/money.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { countsAs, OUTSIDE_POINTS } from '../graphql/rate.ts';
import { PlanPeriodEnum } from '../plans/schema.ts';
import { cancelSubscription } from './cancel.ts';
import { createSubscription } from './create-subscription.ts';
import {
  listSubscriptions,
  reportStatus,
  requireSubscription,
  type StatusReport,
  type SubscriptionRecord,
} from './read-subscriptions.ts';
import type { SUBSCRIPTION_STATUSES } from './subscription.entity.ts';
import { LIST_MAX, LIST_USUAL } from './subscription.input.ts';

const StatusEnum = builder.enumType('SubscriptionState', {
  description: 'Where a subscription is in its life.',
  values: {
    active: { description: 'Charged when it is due.' },
    past_due: { description: 'The last charge failed, and is tried again.' },
    cancelled: { description: 'By the customer, here or on the chain. Nothing is charged any more.' },
    expired: { description: 'Its permission has ended, or every try failed.' },
  } satisfies Record<(typeof SUBSCRIPTION_STATUSES)[number], object>,
});

export const SpendPermissionType = builder.objectRef<SpendPermission>('SpendPermission').implement({
  pages: ['plan'],
  ...throughParent,
  description: 'What a customer signs: the spender may take up to the allowance in each period.',
  fields: (t) => ({
    account: t.expose('account', { type: 'Wallet', description: 'Who pays.' }),
    spender: t.expose('spender', { type: 'Wallet', description: 'The contract that charges.' }),
    token: t.expose('token', { type: 'Wallet', description: "The token's contract." }),
    allowance: t.expose('allowance', { type: 'BaseUnits', description: 'At most this much in each period.' }),
    period: t.exposeInt('period', { description: 'Seconds.' }),
    start: t.exposeFloat('start', { description: 'Unix seconds, inclusive.' }),
    end: t.exposeFloat('end', { description: 'Unix seconds, exclusive.' }),
    salt: t.exposeString('salt', { description: 'A number that tells permissions apart, in digits.' }),
    extraData: t.expose('extraData', { type: 'Hex', description: 'Empty, as a rule.' }),
  }),
});

const SubscriptionType = builder.objectRef<SubscriptionRecord>('PlanSubscription').implement({
  description: 'What a customer has agreed to pay again and again.',
  authScopes: { $granted: 'subscription', key: true, session: true, subscriber: true },
  fields: (t) => ({
    subscriptionId: t.id({ pages: ['plan'], description: 'Made by the server.', resolve: ({ id }) => id }),
    planId: t.exposeID('planId', { pages: ['plan'], description: 'The plan that was subscribed to.' }),
    merchantWallet: t.field({
      pages: ['plan'],
      type: 'Wallet',
      description: 'Who is paid.',
      resolve: ({ merchant }) => merchant,
    }),
    customerWallet: t.field({
      pages: ['plan'],
      type: 'Wallet',
      description: 'Who pays.',
      resolve: ({ customer }) => customer,
    }),
    priceUsd: t.field({
      pages: ['plan'],
      type: 'Usd',
      description: "What each period costs: the plan's price when it was subscribed to.",
      resolve: ({ priceCents }) => usdFromCents(priceCents),
    }),
    period: t.expose('period', { pages: ['plan'], type: PlanPeriodEnum, description: 'How often it is paid.' }),
    status: t.expose('status', { pages: ['plan'], type: StatusEnum, description: 'Where it is in its life.' }),
    nextChargeAt: t.expose('nextChargeAt', {
      pages: ['plan'],
      type: 'Millis',
      nullable: true,
      description: 'When the next charge is due; null once nothing will be charged any more.',
    }),
    lastChargedAt: t.expose('lastChargedAt', {
      pages: ['plan'],
      type: 'Millis',
      nullable: true,
      description: 'When it was last charged; null: never.',
    }),
    chargeCount: t.exposeInt('chargeCount', { pages: ['plan'], description: 'How often it was charged.' }),
    totalChargedUsd: t.field({
      pages: ['plan'],
      type: 'Usd',
      description: 'What was charged in all.',
      resolve: ({ totalChargedCents }) => usdFromCents(totalChargedCents),
    }),
    lastFailure: t.exposeString('lastFailure', {
      nullable: true,
      description: 'Why the last charge failed: a failure code; null where it did not.',
    }),
    permission: t.expose('permission', {
      pages: ['plan'],
      type: SpendPermissionType,
      description: 'What the customer has signed.',
    }),
    permissionHash: t.expose('permissionHash', {
      pages: ['plan'],
      type: 'Hex',
      description: 'What the spend permission manager calls the permission (`getHash`).',
    }),
    createdAt: t.expose('createdAt', { pages: ['plan'], type: 'Millis', description: 'When it was subscribed to.' }),
    updatedAt: t.expose('updatedAt', { pages: ['plan'], type: 'Millis', description: 'When it last changed.' }),
  }),
});

const StatusReportType = builder.objectRef<StatusReport>('SubscriptionStatusReport').implement({
  pages: ['plan'],
  ...throughParent,
  description: 'One subscription, or those of a wallet: whichever was asked for.',
  fields: (t) => ({
    subscription: t.expose('subscription', {
      type: SubscriptionType,
      nullable: true,
      description: 'The one that was asked for by its id.',
    }),
    subscriptions: t.field({
      type: [SubscriptionType],
      nullable: true,
      description: 'Those of the customer or merchant, the newest first.',
      resolve: ({ subscriptions }) => subscriptions && [...subscriptions],
    }),
  }),
});

const ANYONE = { key: true, session: true, subscriber: true } as const;
/** What a list of subscriptions may cost. */
const costOf = ({ limit }: { limit?: number | null }) => ({ field: 1, multiplier: limit ?? LIST_USUAL });

builder.queryFields((t) => {
  const range = {
    limit: t.arg.int({ description: `1 to ${LIST_MAX}; left out: ${LIST_USUAL}.` }),
    page: t.arg.int({ description: 'From 0 on.' }),
  };
  return {
    subscription: t.field({
      type: SubscriptionType,
      description:
        'One subscription. A key sees those of its merchant, a plan’s page those of its plan. Refuses with `not_found`.',
      authScopes: ANYONE,
      args: { subscriptionId: t.arg.id({ required: true, description: 'Which one.' }) },
      resolve: (_, { subscriptionId }, ctx) => requireSubscription(ctx, ctx.caller, subscriptionId),
    }),
    subscriptions: t.field({
      type: [SubscriptionType],
      description:
        'The subscriptions of one customer or of one merchant, the newest first: to that wallet, and to platform admins.',
      authScopes: { key: true, session: true },
      complexity: costOf,
      args: {
        customer: t.arg({ type: 'Wallet', description: 'Who pays.' }),
        merchant: t.arg({ type: 'Wallet', description: 'Who is paid.' }),
        ...range,
      },
      resolve: (_, args, ctx) => listSubscriptions(ctx, ctx.caller, args),
    }),
    subscriptionStatusReport: t.field({
      type: StatusReportType,
      description: 'One subscription by its id, or those of a customer or a merchant: exactly one of the three.',
      authScopes: ANYONE,
      complexity: costOf,
      args: {
        subscriptionId: t.arg.id({ description: 'One subscription.' }),
        customer: t.arg({ type: 'Wallet', description: 'Those that this wallet pays.' }),
        merchant: t.arg({ type: 'Wallet', description: 'Those that pay this wallet.' }),
        ...range,
      },
      resolve: (_, args, ctx) => reportStatus(ctx, ctx.caller, args),
    }),
  };
});

const PermissionInput = builder.inputType('SpendPermissionInput', {
  description: 'A spend permission as it was signed.',
  fields: (t) => ({
    account: t.string({ required: true, description: 'Who pays.' }),
    spender: t.string({ required: true, description: 'The contract that charges.' }),
    token: t.string({ required: true, description: "The token's contract." }),
    allowance: t.string({ required: true, description: 'Base units in each period, in digits.' }),
    period: t.float({ required: true, description: 'Seconds.' }),
    start: t.float({ required: true, description: 'Unix seconds, inclusive.' }),
    end: t.float({ required: true, description: 'Unix seconds, exclusive.' }),
    salt: t.string({ required: true, description: 'A number, in digits.' }),
    extraData: t.string({ required: true, description: 'Hex; `0x` where it is empty.' }),
  }),
});

const CreateSubscriptionInput = builder.inputType('CreateSubscriptionInput', {
  description: 'A signed spend permission for a plan.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Which plan.' }),
    customerWallet: t.string({ required: true, description: 'Who pays.' }),
    permissionSignature: t.string({ required: true, description: "The customer's EIP-712 signature." }),
    permissionData: t.field({ type: PermissionInput, required: true, description: 'What was signed.' }),
  }),
});

const CancelSubscriptionInput = builder.inputType('CancelSubscriptionInput', {
  description: 'Which subscription ends, and who says so.',
  fields: (t) => ({
    subscriptionId: t.id({ required: true, description: 'Which one.' }),
    wallet: t.string({ required: true, description: 'The subscribing customer.' }),
    signature: t.string({
      description: "The customer's over `cancellationRequest`, where no session of its own asks.",
    }),
    expiresAt: t.field({ type: 'Millis', description: 'As it stands in what was signed.' }),
  }),
});

builder.mutationFields((t) => ({
  createSubscription: t.field({
    ...countsAs('orders'),
    complexity: OUTSIDE_POINTS,
    type: SubscriptionType,
    description:
      'Subscribes a customer to a plan by a signed spend permission; the same permission again answers the first subscription.',
    authScopes: { key: true, sessionWrite: true, subscriber: true },
    grantScopes: ['subscription'],
    args: {
      input: t.arg({ type: CreateSubscriptionInput, required: true, description: 'The permission.' }),
      idempotencyKey: t.arg.string({ description: 'The same key and input within 24 hours answer the same.' }),
    },
    resolve: (_, { input, idempotencyKey }, ctx) => createSubscription(ctx, ctx.caller, input, idempotencyKey ?? null),
  }),
  cancelSubscription: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: SubscriptionType,
    description:
      'Ends a subscription at once: for its customer alone, by a session or a signature. Again changes nothing.',
    authScopes: { key: true, sessionWrite: true, subscriber: true },
    grantScopes: ['subscription'],
    args: { input: t.arg({ type: CancelSubscriptionInput, required: true, description: 'Which, and who.' }) },
    resolve: (_, { input }, ctx) => cancelSubscription(ctx, ctx.caller, input),
  }),
}));
