/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** The state of a delivery: attempts are pending, one was accepted, or all have failed. */
export type WebhookDeliveryState =
  /** The endpoint accepted an attempt. */
  | 'delivered'
  /** All attempts failed. */
  | 'failed'
  /** An attempt is due or running. */
  | 'pending';

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

export type DeliveryFactsFragment = { id: string, event: WebhookEventKind, eventId: string | null, receiptId: string | null, endpointId: string | null, url: string, state: WebhookDeliveryState, body: string, createdAt: number, finishedAt: number | null, attempts: Array<{ number: number, at: number, durationMs: number, statusCode: number | null, error: string | null, answer: string | null }> };

export type WebhookDeliveryQueryVariables = Exact<{
  deliveryId: string | number;
}>;


export type WebhookDeliveryQuery = { webhookDelivery: { id: string, event: WebhookEventKind, eventId: string | null, receiptId: string | null, endpointId: string | null, url: string, state: WebhookDeliveryState, body: string, createdAt: number, finishedAt: number | null, attempts: Array<{ number: number, at: number, durationMs: number, statusCode: number | null, error: string | null, answer: string | null }> } };

export type SendAgainMutationVariables = Exact<{
  deliveryId: string | number;
}>;


export type SendAgainMutation = { redeliverWebhook: { id: string, event: WebhookEventKind, eventId: string | null, receiptId: string | null, endpointId: string | null, url: string, state: WebhookDeliveryState, body: string, createdAt: number, finishedAt: number | null, attempts: Array<{ number: number, at: number, durationMs: number, statusCode: number | null, error: string | null, answer: string | null }> } };

const DeliveryFactsText = 'fragment DeliveryFacts on WebhookDelivery{id event eventId receiptId endpointId url state body createdAt finishedAt attempts{number at durationMs statusCode error answer}}';
export const WebhookDelivery = ('query WebhookDelivery($deliveryId:ID!){webhookDelivery(deliveryId:$deliveryId){...DeliveryFacts}}' + DeliveryFactsText) as Operation<WebhookDeliveryQuery, WebhookDeliveryQueryVariables>;
export const SendAgain = ('mutation SendAgain($deliveryId:ID!){redeliverWebhook(deliveryId:$deliveryId){...DeliveryFacts}}' + DeliveryFactsText) as Operation<SendAgainMutation, SendAgainMutationVariables>;