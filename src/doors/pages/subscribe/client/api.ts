import type { Words } from '../../../../base/core/messages/fill.ts';
import { ApiError, askInSession, askOne } from '../../client/graphql.ts';
import { refusalText } from '../../client/refusal-text.ts';
import { connectFault, errorCode } from '../../client/wallet.ts';
import * as operations from '../../generated/subscribe.ts';
import { isRunning, type Say, type SubscribeModel } from '../stage.ts';

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

/** The customer's message for an error of the API, of the wallet, or of the page itself. */
export function explain(say: Say, sayWallet: Words<'wallet'>, error: unknown, chainName = say('network.any')): string {
  if (error instanceof PageProblem) return error.message;
  if (error instanceof ApiError) return refusal(say, sayWallet, error);
  const code = errorCode(error);
  const text = String((error as { message?: string } | null)?.message ?? '');
  if (code === 4001 || /user (rejected|denied)/i.test(text)) return say('problem.declined');
  if (/insufficient|exceeds (the )?balance/i.test(text)) return say('problem.fee');
  if (error instanceof TypeError) return sayWallet('unreachable');
  const fault = connectFault(error);
  if (fault === 'elsewhere') return sayWallet('elsewhere', { chain: chainName });
  return fault ? sayWallet(fault) : say('problem.other');
}

/** What the page says for the codes of the API. */
const SAID = { invalid_signature: 'problem.signature', plan_not_found: 'closed.text' } as const;

function refusal(say: Say, sayWallet: Words<'wallet'>, { code, message }: ApiError): string {
  // The API's own sentence says more.
  if (say.language === 'en' && message) return message;
  return code in SAID ? say(SAID[code as keyof typeof SAID]) : refusalText(sayWallet, code);
}

/** A problem found by the page itself, with the customer's message. */
export class PageProblem extends Error {}
