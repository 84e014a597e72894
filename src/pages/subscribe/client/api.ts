import { askOne } from '../../client/ask-one.ts';
import { askInSession } from '../../client/graphql.ts';
import type { PreflightView, SubscriptionView } from '../stage.ts';

/** The data for the wallet to sign, and the permission to send with the signature. */
export interface Draft {
  permission: { allowance: string } & Record<string, unknown>;
  typedData: object;
}

const SUBSCRIPTION =
  'subscriptionId customerWallet priceUsd status nextChargeAt lastChargedAt chargeCount totalChargedUsd';
/** The number of a wallet's newest subscriptions to search. */
const LOOKED_AT = 200;
const PERMISSION = 'account spender token allowance period start end salt extraData';

/** The operations of the page, for one plan. */
export function createApi(url: string, planId: string) {
  return {
    preflight: (customer: string, token: string, subscriptionId: string | null) =>
      askOne<PreflightView>(
        url,
        'query SubscribePreflight($planId: ID!, $customer: Wallet!, $token: String, $subscriptionId: ID) { subscriptionPreflight(planId: $planId, customer: $customer, token: $token, subscriptionId: $subscriptionId) { ready token amount smartAccount obstacles { code message fix { transactions { to data } } } } }',
        { planId, customer, token, subscriptionId },
      ),
    draft: (customer: string, token: string) =>
      askOne<Draft>(
        url,
        `query SubscribeDraft($planId: ID!, $customer: Wallet!, $token: String) { permissionDraft(planId: $planId, customer: $customer, token: $token) { permission { ${PERMISSION} } typedData } }`,
        { planId, customer, token },
      ),
    create: (customerWallet: string, permissionSignature: string, permissionData: Draft['permission']) =>
      askOne<SubscriptionView>(
        url,
        `mutation Subscribe($input: CreateSubscriptionInput!) { createSubscription(input: $input) { ${SUBSCRIPTION} } }`,
        { input: { planId, customerWallet, permissionSignature, permissionData } },
      ),
    read: (subscriptionId: string) =>
      askOne<SubscriptionView>(
        url,
        `query SubscribeStatus($subscriptionId: ID!) { subscription(subscriptionId: $subscriptionId) { ${SUBSCRIPTION} } }`,
        { subscriptionId },
      ),
    /**
     * A wallet's subscription to the plan, read in its own session: the running one, else the latest; null if there is
     * none.
     */
    find: async (customer: string) => {
      const { subscriptions } = await askInSession<{ subscriptions: (SubscriptionView & { planId: string })[] }>(
        url,
        `query SubscribeFind($customer: Wallet!) { subscriptions(customer: $customer, limit: ${LOOKED_AT}) { planId ${SUBSCRIPTION} } }`,
        { customer },
      );
      const own = subscriptions.filter((one) => one.planId === planId);
      return own.find(({ status }) => status === 'active' || status === 'past_due') ?? own[0] ?? null;
    },
    requestCancellation: (subscriptionId: string) =>
      askOne<{ expiresAt: number; typedData: object }>(
        url,
        'query SubscribeCancellation($subscriptionId: ID!) { cancellationRequest(subscriptionId: $subscriptionId) { expiresAt typedData } }',
        { subscriptionId },
      ),
    cancel: (input: { subscriptionId: string; wallet: string; signature: string; expiresAt: number }) =>
      askOne<SubscriptionView>(
        url,
        `mutation SubscribeCancel($input: CancelSubscriptionInput!) { cancelSubscription(input: $input) { ${SUBSCRIPTION} } }`,
        { input },
      ),
  };
}
