import { ask, askInSession } from '../../client/graphql.ts';
import type { PreflightView, SubscriptionView } from '../stage.ts';

/** What the wallet is asked to sign, and what goes back with the signature. */
export interface Draft {
  permission: { allowance: string } & Record<string, unknown>;
  typedData: object;
}

const SUBSCRIPTION =
  'subscriptionId customerWallet priceUsd status nextChargeAt lastChargedAt chargeCount totalChargedUsd';
/** How many of a wallet's subscriptions are looked through, the newest first. */
const LOOKED_AT = 200;
const PERMISSION = 'account spender token allowance period start end salt extraData';

/** The operations of the page, for one plan. */
export function createApi(url: string, planId: string) {
  return {
    preflight: async (customer: string, token: string, subscriptionId: string | null) =>
      (
        await ask<{ subscriptionPreflight: PreflightView }>(
          url,
          'query SubscribePreflight($planId: ID!, $customer: Wallet!, $token: String, $subscriptionId: ID) { subscriptionPreflight(planId: $planId, customer: $customer, token: $token, subscriptionId: $subscriptionId) { ready token amount smartAccount obstacles { code message fix { transactions { to data } } } } }',
          { planId, customer, token, subscriptionId },
        )
      ).subscriptionPreflight,
    draft: async (customer: string, token: string) =>
      (
        await ask<{ permissionDraft: Draft }>(
          url,
          `query SubscribeDraft($planId: ID!, $customer: Wallet!, $token: String) { permissionDraft(planId: $planId, customer: $customer, token: $token) { permission { ${PERMISSION} } typedData } }`,
          { planId, customer, token },
        )
      ).permissionDraft,
    create: async (customerWallet: string, permissionSignature: string, permissionData: Draft['permission']) =>
      (
        await ask<{ createSubscription: SubscriptionView }>(
          url,
          `mutation Subscribe($input: CreateSubscriptionInput!) { createSubscription(input: $input) { ${SUBSCRIPTION} } }`,
          { input: { planId, customerWallet, permissionSignature, permissionData } },
        )
      ).createSubscription,
    read: async (subscriptionId: string) =>
      (
        await ask<{ subscription: SubscriptionView }>(
          url,
          `query SubscribeStatus($subscriptionId: ID!) { subscription(subscriptionId: $subscriptionId) { ${SUBSCRIPTION} } }`,
          { subscriptionId },
        )
      ).subscription,
    /** A wallet's subscription to the plan, in its own session: the one that goes on, else the latest; null where it has none. */
    find: async (customer: string) => {
      const { subscriptions } = await askInSession<{ subscriptions: (SubscriptionView & { planId: string })[] }>(
        url,
        `query SubscribeFind($customer: Wallet!) { subscriptions(customer: $customer, limit: ${LOOKED_AT}) { planId ${SUBSCRIPTION} } }`,
        { customer },
      );
      const own = subscriptions.filter((one) => one.planId === planId);
      return own.find(({ status }) => status === 'active' || status === 'past_due') ?? own[0] ?? null;
    },
    requestCancellation: async (subscriptionId: string) =>
      (
        await ask<{ cancellationRequest: { expiresAt: number; typedData: object } }>(
          url,
          'query SubscribeCancellation($subscriptionId: ID!) { cancellationRequest(subscriptionId: $subscriptionId) { expiresAt typedData } }',
          { subscriptionId },
        )
      ).cancellationRequest,
    cancel: async (input: { subscriptionId: string; wallet: string; signature: string; expiresAt: number }) =>
      (
        await ask<{ cancelSubscription: SubscriptionView }>(
          url,
          `mutation SubscribeCancel($input: CancelSubscriptionInput!) { cancelSubscription(input: $input) { ${SUBSCRIPTION} } }`,
          { input },
        )
      ).cancelSubscription,
  };
}
