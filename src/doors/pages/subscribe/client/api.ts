import { askOne } from '../../client/ask-one.ts';
import { askInSession } from '../../client/graphql.ts';
import * as operations from '../../generated/subscribe.ts';
import { isRunning, type SubscribeModel } from '../stage.ts';

/** The number of a wallet's newest subscriptions to search. */
const LOOKED_AT = 200;

/** A token of the plan. */
export type TokenChoice = SubscribeModel['tokens'][number];

/** The operations of a plan's page. */
export type SubscribeApi = ReturnType<typeof createApi>;

/** The operations of the page, for one plan. */
export function createApi(url: string, planId: string) {
  return {
    preflight: (customer: string, { symbol: token, chainId }: TokenChoice, subscriptionId: string | null) =>
      askOne(url, operations.SubscribePreflight, { planId, customer, token, chainId, subscriptionId }),
    /** The data for the wallet to sign, and the permission to send with the signature. */
    draft: (customer: string, { symbol: token, chainId }: TokenChoice) =>
      askOne(url, operations.SubscribeDraft, { planId, customer, token, chainId }),
    create: (input: Omit<operations.CreateSubscriptionInput, 'planId'>) =>
      askOne(url, operations.Subscribe, { input: { planId, ...input } }),
    read: (subscriptionId: string) => askOne(url, operations.SubscribeStatus, { subscriptionId }),
    /**
     * A wallet's subscription to the plan, read in its own session: the running one, else the latest; null if there is
     * none.
     */
    find: async (customer: string) => {
      const variables = { customer, first: LOOKED_AT };
      const { subscriptions } = await askInSession(url, operations.SubscribeFind, variables);
      const own = subscriptions.nodes.filter((one) => one.planId === planId);
      return own.find(isRunning) ?? own[0] ?? null;
    },
    requestCancellation: (subscriptionId: string) => askOne(url, operations.SubscribeCancellation, { subscriptionId }),
    cancel: (input: operations.CancelSubscriptionInput) => askOne(url, operations.SubscribeCancel, { input }),
  };
}
