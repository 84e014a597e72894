/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** A new endpoint. */
export type CreateWebhookEndpointInput = {
  /** A note of at most 500 characters. */
  description?: string | null | undefined;
  /** Whether it receives events from now on. Default: true. */
  enabled?: boolean | null | undefined;
  /** The events that it receives. Kinds of events, such as `receipt.paid`, all kinds of one resource, such as `receipt.*`, or `*` for every kind. */
  kinds: Array<string>;
  /** A public https address, such as `https://shop.test/hooks`. */
  url: string;
};

/** The state of a delivery: attempts are pending, one was accepted, or all have failed. */
export type WebhookDeliveryState =
  /** The endpoint accepted an attempt. */
  | 'delivered'
  /** All attempts failed. */
  | 'failed'
  /** An attempt is due or running. */
  | 'pending';

/** Why an endpoint is disabled. */
export type WebhookEndpointDisabledReason =
  /** An admin disabled it. */
  | 'by_admin'
  /** Every attempt has failed for five days. */
  | 'failing';

/** What a webhook tells of. */
export type WebhookEventKind =
  /** A payee’s share of a receipt’s payment was released. */
  | 'payout_released'
  /** Every payee’s share was released. */
  | 'receipt_completed'
  /** A receipt was created, by an order, a request, the terminal or a charge. */
  | 'receipt_created'
  /** The payment failed, or the receipt expired or was voided. */
  | 'receipt_failed'
  /** The payment has its confirmations. */
  | 'receipt_paid'
  /** The receipt waits for a payment: a payment began, or one was taken back or tried again. */
  | 'receipt_pending'
  /** Everything that was paid was refunded. */
  | 'receipt_refunded'
  /** The status of a receipt changed, or its buyer’s side reported something. */
  | 'receipt_status_updated'
  /** An exact transfer was seen on chain. It lacks confirmations. */
  | 'receipt_tx_mined'
  /** A transfer was seen that is less than the amount due. */
  | 'receipt_tx_mismatch'
  /** A transaction has proven the refund of the rest of the payment. */
  | 'refund_completed'
  /** A transaction has proven the refund of a part of the payment. */
  | 'refund_partial'
  /** A refund was requested. */
  | 'refund_requested'
  /** A paid receipt sold more than the stock. */
  | 'stock_short'
  /** The customer cancelled, here or on the chain. */
  | 'subscription_cancelled'
  /** A reorganisation of the chain took a charge back. Its period is due again. */
  | 'subscription_charge_undone'
  /** A period was charged. */
  | 'subscription_charged'
  /** A customer subscribed to a plan. */
  | 'subscription_created'
  /** The permission has ended, or every retry failed. */
  | 'subscription_expired'
  /** A charge failed. It is retried. */
  | 'subscription_past_due'
  /** Money arrived that pays no receipt. */
  | 'transfer_unmatched';

export type WebhookEndpointsQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhookEndpointsQuery = { webhookEndpoints: Array<{ id: string, url: string, description: string, kinds: Array<string>, enabled: boolean, disabledReason: WebhookEndpointDisabledReason | null, failingSince: number | null }> };

export type WebhookDeliveriesQueryVariables = Exact<{
  endpointId?: string | number | null | undefined;
  state?: WebhookDeliveryState | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type WebhookDeliveriesQuery = { webhookDeliveries: { nodes: Array<{ id: string, event: WebhookEventKind, receiptId: string | null, url: string, state: WebhookDeliveryState, createdAt: number, attempts: Array<{ number: number }> }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } } };

export type AddWebhookEndpointMutationVariables = Exact<{
  input: CreateWebhookEndpointInput;
  key: string;
}>;


export type AddWebhookEndpointMutation = { createWebhookEndpoint: { secret: string, endpoint: { id: string } } };

export const WebhookEndpoints = ('query WebhookEndpoints{webhookEndpoints{id url description kinds enabled disabledReason failingSince}}') as Operation<WebhookEndpointsQuery, WebhookEndpointsQueryVariables>;
export const WebhookDeliveries = ('query WebhookDeliveries($endpointId:ID$state:WebhookDeliveryState$first:Int$after:String$last:Int$before:String){webhookDeliveries(endpointId:$endpointId state:$state first:$first after:$after last:$last before:$before){nodes{id event receiptId url state createdAt attempts{number}}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}') as Operation<WebhookDeliveriesQuery, WebhookDeliveriesQueryVariables>;
export const AddWebhookEndpoint = ('mutation AddWebhookEndpoint($input:CreateWebhookEndpointInput!$key:String!){createWebhookEndpoint(input:$input idempotencyKey:$key){endpoint{id}secret}}') as Operation<AddWebhookEndpointMutation, AddWebhookEndpointMutationVariables>;