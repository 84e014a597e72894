import type { components } from './generated/api.d.ts';
import type { ReceiptStatus } from './generated/types.d.ts';

/** Every kind of event that an endpoint can receive. */
export type EventKind = Exclude<components['schemas']['WebhookEndpoint']['kinds'][number], `${string}*`>;

/** The change of a receipt, as its own webhook (`webhookUrl`) reports it. */
export type ReceiptStatusUpdated = components['schemas']['ReceiptStatusUpdated'];

type Failure = Pick<ReceiptStatusUpdated, 'failureCode' | 'failureCategory' | 'failureReason' | 'failureAction'>;

/** The data of `receipt.*`. */
export interface ReceiptData extends Partial<Failure> {
  readonly receiptId: string;
  readonly status: ReceiptStatus;
  readonly previousStatus: ReceiptStatus | null;
  readonly seq: number;
  readonly origin: 'order' | 'receipt' | 'terminal' | 'charge';
  readonly merchantWallet: string;
  readonly totalUsd: number;
  readonly currency: 'USD' | 'EUR';
  readonly transactionId: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly buyerWallet: string | null;
  readonly transactionHash?: string | null;
  readonly token?: string | null;
}

/** The data of `refund.*`. */
export interface RefundData {
  readonly receiptId: string;
  readonly refundIds: readonly string[];
  readonly usd: number | null;
  readonly buyer: string | null;
  readonly transactionHash: string | null;
  readonly transactionId: string | null;
  readonly totalUsd: number;
  readonly refundedUsd: number;
}

/** The data of `subscription.*`. */
export interface SubscriptionData extends Partial<Failure> {
  readonly subscriptionId: string;
  readonly planId: string;
  readonly merchantWallet: string;
  readonly customerWallet: string;
  readonly status: components['schemas']['Subscription']['status'];
  readonly priceUsd: number;
  readonly period: components['schemas']['Subscription']['period'];
  readonly chargeId: string | null;
  readonly receiptId: string | null;
  readonly amountUsd: number | null;
  readonly feeUsd: number | null;
  readonly transactionHash: string | null;
}

type Data<Kind extends EventKind> = Kind extends `receipt.${string}`
  ? ReceiptData
  : Kind extends `refund.${string}`
    ? RefundData
    : Kind extends `subscription.${string}`
      ? SubscriptionData
      : Readonly<Record<string, unknown>>;

interface Event<Type extends string, Content> {
  /** The same for every attempt and replay. */
  readonly id: string;
  readonly type: Type;
  /** When it happened, epoch ms. */
  readonly createdAt: number;
  readonly data: Content;
}

/** What a webhook reports: an event of an endpoint, the change of a receipt by its own webhook, or a test. */
export type WebhookEvent =
  | { [Kind in EventKind]: Event<Kind, Data<Kind>> }[EventKind]
  | Event<'receipt.status_updated', ReceiptStatusUpdated>
  | Event<'ping', Readonly<Record<string, unknown>>>;
