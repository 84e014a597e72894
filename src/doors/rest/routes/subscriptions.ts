import { z } from 'zod';
import { merchantOf } from '../../../base/core/caller.ts';
import { coded } from '../../../base/core/input.ts';
import { identifier, wallet } from '../../../base/core/text.ts';
import {
  planChange,
  planChoice,
  planInput,
  plansQuery as plansOf,
} from '../../../domain/recurring/plans/plan.input.ts';
import {
  cancelInput,
  LIST_MAX,
  LIST_USUAL,
  subscriptionInput,
} from '../../../domain/recurring/subscriptions/subscription.input.ts';
import { requireOwnWallet } from '../../../domain/shop/merchants/own-wallet.ts';
import type {
  CancelSubscriptionInput,
  CreatePlanInput,
  CreateSubscriptionInput,
  SubscriptionStatusQueryVariables,
  UpdatePlanInput,
} from '../generated/graphql.ts';
import {
  CancelSubscriptionDocument,
  CreatePlanDocument,
  CreateSubscriptionDocument,
  DeactivatePlanDocument,
  PlansDocument,
  SubscriptionStatusDocument,
  UpdatePlanDocument,
} from '../generated/graphql.ts';
import { withoutNulls } from './omit-nulls.ts';
import { readsBody, readsQuery, wholeNumber } from './reader.ts';
import { admin, type Route, route, subscribing } from './route.ts';

/** The query of `GET /api/subscriptions/plans`. */
const plansQuery = readsQuery(plansOf, ({ wallet }) => wallet);

/** The body of `POST /api/subscriptions/plans`. */
const planBody = readsBody(
  planInput,
  ({ priceUsd, ...plan }, { caller }): CreatePlanInput => {
    requireOwnWallet(merchantOf(caller), plan.wallet);
    return { ...plan, priceUsd: priceUsd / 100 };
  },
  { mayBeMissing: true },
);

/** The body of `PUT /api/subscriptions/plans`. */
const planChangeBody = readsBody(
  planChange,
  ({ priceUsd, ...change }, { caller }): UpdatePlanInput => {
    requireOwnWallet(merchantOf(caller), change.wallet);
    return { ...change, priceUsd: priceUsd === undefined ? undefined : priceUsd / 100 };
  },
  { mayBeMissing: true },
);

/** The body of `DELETE /api/subscriptions/plans`. */
const planChoiceBody = readsBody(
  planChoice,
  ({ wallet, planId }, { caller }) => {
    requireOwnWallet(merchantOf(caller), wallet);
    return planId;
  },
  { mayBeMissing: true },
);

/** The body of `POST /api/subscriptions/create`. */
const subscriptionBody = readsBody(subscriptionInput, (checked): CreateSubscriptionInput => checked, {
  mayBeMissing: true,
});

/** The body of `POST /api/subscriptions/cancel`. */
const cancelBody = readsBody(cancelInput, (checked): CancelSubscriptionInput => checked, { mayBeMissing: true });

const NAMES = ['subscriptionId', 'customer', 'merchant'] as const;

/** The query of `GET /api/subscriptions/status`: exactly one of the three names. */
const statusQuery = readsQuery(
  coded('query_required', namesOne).pipe(
    z.object({
      subscriptionId: identifier.optional(),
      customer: wallet.optional(),
      merchant: wallet.optional(),
      limit: wholeNumber(1, LIST_MAX, LIST_USUAL).optional(),
      page: wholeNumber(0, 10_000, 0).optional(),
    }),
  ),
  ({ limit, page, ...of }) => ({ of, limit, page }) as SubscriptionStatusQueryVariables,
);

function namesOne(query: unknown): boolean {
  const given = (query ?? {}) as Record<string, unknown>;
  return NAMES.filter((name) => given[name] !== undefined).length === 1 && NAMES.every((name) => given[name] !== '');
}

/** Recurring plans, and the subscriptions to them. */
export const subscriptionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/subscriptions/plans',
    access: subscribing,
    summary: 'List plans',
    detail: 'Plans that accept new subscriptions.',
    query: plansQuery,
    refuses: ['wallet_required', 'invalid_wallet'],
    operation: PlansDocument,
    variables: ({ query }) => ({ wallet: query }),
    answer: ({ activePlans }) => ({ body: { success: true, plans: activePlans } }),
  }),
  route({
    method: 'POST',
    path: '/api/subscriptions/plans',
    access: admin,
    summary: 'Create a plan',
    body: planBody,
    refuses: ['invalid_wallet'],
    operation: CreatePlanDocument,
    variables: ({ body }) => ({ input: body }),
    answer: ({ createPlan }) => ({ status: 201, body: { success: true, plan: createPlan } }),
  }),
  route({
    method: 'PUT',
    path: '/api/subscriptions/plans',
    access: admin,
    summary: 'Update a plan',
    detail: 'Omitted fields keep their values. Existing subscriptions keep their terms.',
    body: planChangeBody,
    refuses: ['invalid_wallet', 'plan_not_found'],
    operation: UpdatePlanDocument,
    variables: ({ body }) => ({ input: body }),
    answer: ({ updatePlan }) => ({ body: { success: true, plan: updatePlan } }),
  }),
  route({
    method: 'DELETE',
    path: '/api/subscriptions/plans',
    access: admin,
    summary: 'Close a plan',
    detail: 'The plan takes no new subscriptions. Existing ones continue.',
    body: planChoiceBody,
    refuses: ['invalid_wallet', 'plan_not_found'],
    operation: DeactivatePlanDocument,
    variables: ({ body }) => ({ planId: body }),
    answer: ({ deactivatePlan }) => ({ body: { success: true, plan: deactivatePlan } }),
  }),
  route({
    method: 'POST',
    path: '/api/subscriptions/create',
    access: subscribing,
    summary: 'Create a subscription',
    detail: 'Requires a spend permission signed by the customer.',
    body: subscriptionBody,
    repeatable: true,
    refuses: [
      'invalid_wallet',
      'invalid_permission',
      'invalid_signature',
      'plan_not_found',
      'merchant_suspended',
      'split_required',
      'spender_not_configured',
      'chain_unavailable',
    ],
    operation: CreateSubscriptionDocument,
    variables: ({ body, idempotencyKey }) => ({ input: body, idempotencyKey }),
    answer: ({ createSubscription }) => ({ status: 201, body: { success: true, subscription: createSubscription } }),
  }),
  route({
    method: 'GET',
    path: '/api/subscriptions/status',
    access: subscribing,
    summary: 'Read subscriptions',
    detail: 'One by its id, or all of a customer or a merchant.',
    query: statusQuery,
    refuses: ['query_required', 'invalid_wallet', 'not_found'],
    operation: SubscriptionStatusDocument,
    variables: ({ query }) => query,
    answer: ({ subscriptionStatusReport }) => ({ body: { success: true, ...withoutNulls(subscriptionStatusReport) } }),
  }),
  route({
    method: 'POST',
    path: '/api/subscriptions/cancel',
    access: subscribing,
    summary: 'Cancel a subscription',
    detail: 'It ends immediately. Only its customer may cancel it.',
    body: cancelBody,
    refuses: [
      'subscription_id_required',
      'wallet_required',
      'invalid_wallet',
      'invalid_signature',
      'not_found',
      'chain_unavailable',
    ],
    operation: CancelSubscriptionDocument,
    variables: ({ body }) => ({ input: body }),
    answer: ({ cancelSubscription }) => ({ body: { success: true, subscription: cancelSubscription } }),
  }),
];
