import { createCatalog, createPlans } from './catalog.ts';
import { newKey } from './new-key.ts';
import type { Operation } from './operation.ts';
import { createPresence } from './presence.ts';
import { createReceipts } from './receipts.ts';
import { type CallOptions, createRequester, type QuittanceOptions } from './request.ts';
import type { Answer, Body } from './routes.ts';

/* The package `quittance/client`, for Node.js, browsers and edge runtimes. */

export type { Item, ItemFields, ItemFilter, Plan } from './catalog.ts';
// biome-ignore lint/performance/noBarrelFile: the entry of the package
export { type Checkout, type CheckoutEvent, type CheckoutOptions, openCheckout } from './checkout.ts';
export { type ApiErrorCode, type ErrorCode, QuittanceError } from './errors.ts';
export { resumable } from './follow.ts';
export type { components, operations, paths } from './generated/api.d.ts';
export type { FollowPresence, PresenceEvent } from './presence.ts';
export type { FollowReceipt, FollowReceipts, ListedReceipt, ReceiptEvent, ReceiptFilter } from './receipts.ts';
export { type VerifyOptions, verifyWebhook, type WebhookRequest } from './webhook.ts';
export type {
  EventKind,
  ReceiptData,
  ReceiptStatusUpdated,
  RefundData,
  SubscriptionData,
  WebhookEvent,
} from './webhook-events.ts';
export type { CallOptions, Operation, QuittanceOptions };

export interface OrderOptions extends CallOptions {
  /**
   * The same key with the same order within 24 hours answers the first order again. Default: a new key for each call,
   * which its repetitions share.
   */
  readonly idempotencyKey?: string;
}

export type Quittance = ReturnType<typeof createQuittance>;

/** A client of one server. */
export function createQuittance(options: QuittanceOptions) {
  const requester = createRequester(options);
  return {
    orders: {
      /** Turns items of the catalog into a receipt with tax and processing fee. Send the buyer to its `paymentUrl`. */
      create(
        body: Body<'createOrder'>,
        { idempotencyKey, ...call }: OrderOptions = {},
      ): Promise<Answer<'createOrder'>> {
        const headers = { 'Idempotency-Key': idempotencyKey ?? newKey() };
        return requester.send({ method: 'POST', path: '/api/orders', headers, body, safe: true, ...call });
      },
    },
    receipts: createReceipts(requester),
    catalog: createCatalog(requester),
    plans: createPlans(requester),
    presence: createPresence(requester),
    /** Runs a query, or with a session a mutation. Throws its first error. */
    graphql: <Data = Record<string, unknown>, Variables = Record<string, unknown>>(
      query: Operation<Data, Variables>,
      variables: Variables,
      call: CallOptions = {},
    ): Promise<Data> => requester.ask(query, variables, call),
  };
}
