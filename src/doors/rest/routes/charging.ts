import { chargeInput } from '../../../domain/recurring/charges/charge.input.ts';
import { ChargeDueSubscriptionsDocument, ChargeSubscriptionDocument } from '../generated/graphql.ts';
import { withoutNulls } from './omit-nulls.ts';
import { readsBody } from './reader.ts';
import { type Route, route, scheduler } from './route.ts';

/** The body of `POST /api/subscriptions/charge`. */
const chargeBody = readsBody(chargeInput, ({ subscriptionId }) => subscriptionId, { mayBeMissing: true });

/** Routes for the operator's cron job. */
export const chargingRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/subscriptions/charge',
    access: scheduler,
    summary: 'Charge a subscription',
    detail: 'Only if it is due.',
    body: chargeBody,
    refuses: [
      'subscription_id_required',
      'not_found',
      'subscription_not_active',
      'charge_failed',
      'spender_not_configured',
      'chain_unavailable',
    ],
    operation: ChargeSubscriptionDocument,
    variables: ({ body }) => ({ subscriptionId: body }),
    answer: ({ chargeSubscription: { success, subscriptionId, ...rest } }) => ({
      body: withoutNulls({ success, ...(success ? { subscriptionId } : {}), ...rest }),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/cron/charge-subscriptions',
    access: scheduler,
    summary: 'Charge due subscriptions',
    refuses: ['spender_not_configured', 'chain_unavailable'],
    operation: ChargeDueSubscriptionsDocument,
    variables: () => ({}),
    answer: ({ chargeDueSubscriptions: { results, ...report } }) => ({
      body: { success: true, ...withoutNulls(report), results: results.map((result) => withoutNulls(result)) },
    }),
  }),
];
