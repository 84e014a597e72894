import { Client, fetchExchange, mapExchange } from '@urql/core';
import { type Cache, cacheExchange } from '@urql/exchange-graphcache';
import type { Session } from '../../client/session.ts';

/** Lists that a mutation changes beside the objects that it returns. They are read again. */
const CHANGED_LISTS: Readonly<Record<string, readonly string[]>> = {
  assignTransfer: ['unmatchedTransfers', 'receipts'],
  markUnmatchedForRefund: ['unmatchedTransfers'],
  refundReceipt: ['refunds'],
  acceptPayment: ['receipts'],
  voidReceipt: ['receipts'],
  releasePayouts: ['payouts', 'waitingPayouts'],
  issueKey: ['keys', 'onboarding'],
  rotateKey: ['keys'],
  inviteMember: ['invitations'],
  revokeInvitation: ['invitations'],
  changeMemberRole: ['members', 'invitations'],
  removeMember: ['members', 'invitations'],
  updateShopConfig: ['onboarding'],
  deploySplit: ['split', 'onboarding'],
  replaceSplit: ['split', 'onboarding'],
  createOrder: ['onboarding'],
  endSession: ['sessions'],
  endAllSessions: ['sessions'],
  createWebhookEndpoint: ['webhookEndpoints'],
  updateWebhookEndpoint: ['webhookEndpoints'],
  deleteWebhookEndpoint: ['webhookEndpoints', 'webhookEndpoint'],
  redeliverWebhook: ['webhookDeliveries'],
  replayWebhooks: ['webhookDeliveries'],
  createPlan: ['plans', 'activePlans'],
  endSubscription: ['subscriptions', 'subscriptionHistory'],
  saveJurisdiction: ['taxCatalog'],
  deleteJurisdiction: ['taxCatalog'],
  saveInventoryItem: ['inventory', 'inventoryCategories', 'inventoryItem', 'onboarding'],
  saveInventoryItems: ['inventory', 'inventoryCategories', 'inventoryItem', 'onboarding'],
  deleteInventoryItem: ['inventory', 'inventoryCategories', 'inventoryItem'],
};

/** The CSRF cookie changes with every session, also if another tab signs in. */
const sessionCookie = (): string => /(?:^|; )cb_csrf=([^;]+)/.exec(document.cookie)?.[1] ?? '';

/** How the client reports that its session may be over, or its role another one. */
export interface ApiOptions {
  readonly url: string;
  readonly session: Session;
  onSessionOver(): void;
}

/**
 * The GraphQL client of one session, with the cache of what it has read. An answer that arrives after another session
 * has begun in this browser may be of another merchant; it is not stored.
 */
export function createApi({ url, session, onSessionOver }: ApiOptions): Client {
  const { csrfToken } = session;
  return new Client({
    url,
    requestPolicy: 'cache-and-network',
    preferGetMethod: false,
    fetchOptions: () => ({ headers: { 'x-csrf-token': csrfToken }, cache: 'no-store' }),
    async fetch(input, init) {
      const answer = await fetch(input, init);
      if (decodeURIComponent(sessionCookie()) === csrfToken) return answer;
      onSessionOver();
      throw new Error('This browser has another session now.');
    },
    exchanges: [
      mapExchange({
        onError({ graphQLErrors }) {
          // The role may have been changed since it was read.
          if (
            graphQLErrors.some(
              ({ extensions: { code, reason } }) => code === 'unauthorized' || reason === 'role_missing',
            )
          )
            onSessionOver();
        },
      }),
      cacheExchange({ updates: { Mutation: forgetting(CHANGED_LISTS) } }),
      fetchExchange,
    ],
  });
}

function forgetting(lists: typeof CHANGED_LISTS) {
  const forget = (names: readonly string[]) => (_result: unknown, _args: unknown, cache: Cache) => {
    for (const { fieldName, fieldKey } of cache.inspectFields('Query'))
      if (names.includes(fieldName)) cache.invalidate('Query', fieldKey);
  };
  return Object.fromEntries(Object.entries(lists).map(([mutation, names]) => [mutation, forget(names)]));
}
