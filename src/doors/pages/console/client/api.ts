import { Client, fetchExchange, mapExchange } from '@urql/core';
import { type Cache, cacheExchange } from '@urql/exchange-graphcache';
import type { Operation } from '../../client/graphql.ts';
import { type Session, csrfToken as tokenOfBrowser } from '../../client/session.ts';
import { words } from '../shared/words.ts';
import { oneRequest } from './one-request.ts';

/** Lists that a mutation changes beside the objects that it returns. They are read again. */
const CHANGED_LISTS: Readonly<Record<string, readonly string[]>> = {
  assignTransfer: ['unmatchedTransfers', 'receipts'],
  markUnmatchedForRefund: ['unmatchedTransfers'],
  refundReceipt: ['refunds'],
  declineRefund: ['refunds', 'attention'],
  acceptPayment: ['receipts'],
  voidReceipt: ['receipts'],
  voidReceipts: ['receipts', 'receipt'],
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
  redeliverWebhooks: ['webhookDeliveries'],
  replayWebhooks: ['webhookDeliveries'],
  createPlan: ['plans', 'activePlans'],
  endSubscription: ['subscriptions', 'subscriptionHistory'],
  saveJurisdiction: ['taxCatalog'],
  deleteJurisdiction: ['taxCatalog'],
  saveInventoryItem: ['inventory', 'inventoryCategories', 'inventoryItem', 'onboarding'],
  saveInventoryItems: ['inventory', 'inventoryCategories', 'inventoryItem', 'onboarding'],
  deleteInventoryItem: ['inventory', 'inventoryCategories', 'inventoryItem'],
};

/** How the client reports that its session may be over, or its role another one. */
export interface ApiOptions {
  readonly url: string;
  readonly session: Session;
  onSessionOver(): void;
}

/** The client of one session. */
export interface Api {
  readonly client: Client;
  /** Reads a query without variables once, as a component does. */
  read<Data>(query: Operation<Data, Record<string, never>>): Promise<Data>;
  /** Called when the page of the address has begun to read. */
  opened(): void;
  /** Whether the limit of requests is waited for, and a listener for changes of it. */
  isWaiting(): boolean;
  watch(onChange: () => void): () => void;
}

/**
 * The GraphQL client of one session, with the cache of what it has read. An answer that arrives after another session
 * has begun in this browser may be of another merchant; it is not stored.
 */
export function createApi({ url, session, onSessionOver }: ApiOptions): Api {
  const { csrfToken } = session;
  const { promise, resolve: opened } = Promise.withResolvers<void>();
  const watchers = new Set<() => void>();
  let waiting = false;
  const ask = oneRequest({
    post: (init) => fetch(url, init),
    opened: promise,
    onWait(waits) {
      waiting = waits;
      for (const watcher of watchers) watcher();
    },
  });
  const client = new Client({
    url,
    requestPolicy: 'cache-and-network',
    preferGetMethod: false,
    fetchOptions: () => ({ headers: { 'x-csrf-token': csrfToken }, cache: 'no-store' }),
    async fetch(_url, init = {}) {
      const answer = await ask(init);
      // The cookie changes with every session, also if another tab signs in.
      if (tokenOfBrowser() === csrfToken) return answer;
      onSessionOver();
      throw new Error(words.otherSession);
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
      cacheExchange({ keys: { SignedIn: () => null }, updates: { Mutation: forgetting(CHANGED_LISTS) } }),
      fetchExchange,
    ],
  });
  return {
    client,
    async read<Data>(query: Operation<Data, Record<string, never>>) {
      const { data, error } = await client.query<Data>(query as never, {}).toPromise();
      if (!data) throw error;
      return data;
    },
    opened,
    isWaiting: () => waiting,
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

function forgetting(lists: typeof CHANGED_LISTS) {
  const forget = (names: readonly string[]) => (_result: unknown, _args: unknown, cache: Cache) => {
    for (const { fieldName, fieldKey } of cache.inspectFields('Query'))
      if (names.includes(fieldName)) cache.invalidate('Query', fieldKey);
  };
  return Object.fromEntries(Object.entries(lists).map(([mutation, names]) => [mutation, forget(names)]));
}
