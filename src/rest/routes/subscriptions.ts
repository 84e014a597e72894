import { planBody, planChangeBody, planChoiceBody, plansQuery } from '../bodies/plan.ts';
import { CreatePlanDocument, DeactivatePlanDocument, PlansDocument, UpdatePlanDocument } from '../generated/graphql.ts';
import { admin, type Route, route, subscribing } from '../route.ts';

/** Recurring plans, and the subscriptions to them. */
export const subscriptionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/subscriptions/plans',
    access: subscribing,
    rate: 'reads',
    summary: 'A merchant’s plans that take new subscriptions',
    query: plansQuery,
    refuses: ['wallet_required', 'invalid_wallet'],
    operation: PlansDocument,
    variables: ({ query }) => ({ wallet: query }),
    answer: ({ plans }) => ({ body: { success: true, plans } }),
  }),
  route({
    method: 'POST',
    path: '/api/subscriptions/plans',
    access: admin,
    rate: 'others',
    summary: 'Makes a plan',
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
    rate: 'others',
    summary: 'Changes a plan; what is not sent stays, and so do subscriptions that exist',
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
    rate: 'others',
    summary: 'Takes a plan off; subscriptions that exist go on',
    body: planChoiceBody,
    refuses: ['invalid_wallet', 'plan_not_found'],
    operation: DeactivatePlanDocument,
    variables: ({ body }) => ({ planId: body }),
    answer: ({ deactivatePlan }) => ({ body: { success: true, plan: deactivatePlan } }),
  }),
];
