import { Client, fetchExchange, mapExchange } from '@urql/core';
import { type Cache, cacheExchange } from '@urql/exchange-graphcache';
import type { Operation } from '../../client/graphql.ts';
import { type Session, csrfToken as tokenOfBrowser } from '../../client/session.ts';
import { words } from '../shared/words.ts';
import { type Answer, mergeQueries, type Sent } from './merge-queries.ts';

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

/** How queries are sent. */
interface OneRequestOptions {
  /** Sends a document. */
  post(init: RequestInit): Promise<Response>;
  /** Resolves once the page has begun to read, so that the frame around it reads in the same request. */
  readonly opened: Promise<void>;
  /** Called with true while the limit of requests is waited for. */
  onWait(waits: boolean): void;
}

/** A query that waits to be sent, and its answer. */
interface Waiting {
  readonly sent: Sent;
  readonly init: RequestInit;
  answer(response: Promise<Response>): void;
}

/** At most this many queries are one document: a document has limits of size. */
const MOST = 8;
/** A page that does not open, because its script does not arrive, does not keep the frame waiting. */
const PATIENCE_MS = 1_500;
/** Used where the server does not say when it takes further requests. */
const PAUSE_MS = 3_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A `fetch` that sends all queries of a moment as one document. While the limit of requests is reached, queries wait
 * for it and are sent again; what the page shows stays. Mutations are sent as they are.
 */
function oneRequest({ post, opened, onWait }: OneRequestOptions): (init: RequestInit) => Promise<Response> {
  let waiting: Waiting[] = [];
  let limited = 0;

  async function read(init: RequestInit, sent: Sent): Promise<{ response: Response; answer: Answer }> {
    for (;;) {
      const response = await post({ ...init, body: JSON.stringify(sent) });
      const answer = (await response
        .clone()
        .json()
        .catch(() => ({}))) as Answer;
      const refusal = answer.errors?.[0]?.extensions;
      if (refusal?.code !== 'rate_limited') return { response, answer };
      if (++limited === 1) onWait(true);
      await pause(refusal.resetAt ? Math.max(50, refusal.resetAt - Date.now() + 50) : PAUSE_MS);
      if (--limited === 0) onWait(false);
    }
  }

  const alone = async ({ init, sent }: Waiting): Promise<Response> => (await read(init, sent)).response;

  async function together(queries: readonly Waiting[]): Promise<void> {
    const [first] = queries;
    if (queries.length === 1) return first!.answer(alone(first!));
    const merged = mergeQueries(queries.map(({ sent }) => sent));
    try {
      const { query, variables } = merged;
      const { signal: _ofOne, ...init } = first!.init;
      const { response, answer } = await read(init, { query, variables });
      // One query without an answer must not take the others with it.
      if (!answer.data) for (const one of queries) one.answer(alone(one));
      else {
        const { status, headers } = response;
        const parts = merged.split(answer);
        for (const [n, one] of queries.entries())
          one.answer(Promise.resolve(new Response(JSON.stringify(parts[n]), { status, headers })));
      }
    } catch (error) {
      for (const { answer } of queries) answer(Promise.reject(error));
    }
  }

  function send(): void {
    const queries = waiting.filter(({ init }) => !init.signal?.aborted);
    waiting = [];
    for (let n = 0; n < queries.length; n += MOST) void together(queries.slice(n, n + MOST));
  }

  let begun = false;
  async function begin(): Promise<void> {
    if (begun) return;
    begun = true;
    await Promise.race([opened, pause(PATIENCE_MS)]);
    // What the components of a page ask for comes in one task.
    await pause(0);
    begun = false;
    send();
  }

  return (init) => {
    const sent = JSON.parse(String(init.body)) as Sent;
    if (!sent.query.trimStart().startsWith('query')) return post(init);
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal!.reason));
      waiting.push({ sent: { query: sent.query, variables: sent.variables ?? {} }, init, answer: resolve });
      void begin();
    });
  };
}
