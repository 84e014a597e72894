/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** A currency that prices can have. */
export type Currency =
  /** Euro. */
  | 'EUR'
  /** US dollar. */
  | 'USD';

/** Conditions on receipts; all that are given must hold. Both ends of a range are included. Changes of the last second may be missing. */
export type ReceiptFilter = {
  /** The buyer’s e-mail address, in any letter case. */
  buyerEmail?: string | null | undefined;
  /** The wallet that paid, or that subscribed. */
  buyerWallet?: string | null | undefined;
  /** Created at this time or later. */
  createdFrom?: number | null | undefined;
  /** Created at this time or earlier. */
  createdTo?: number | null | undefined;
  /** The currency of the receipt: USD or EUR. */
  currency?: Currency | null | undefined;
  /** Receipts that the merchant should look at: the amount does not match, the receipt has ended with money of its buyer, items were sold beyond the stock, the payment is stuck, or a refund is open. False: the other receipts. */
  needsAttention?: boolean | null | undefined;
  /** How the receipt was created. */
  origin?: ReceiptOrigin | null | undefined;
  /** Paid at this time or later. */
  paidFrom?: number | null | undefined;
  /** Paid at this time or earlier. */
  paidTo?: number | null | undefined;
  /** Charges of subscriptions to this plan. */
  planId?: string | number | null | undefined;
  /** Words, all of which must match: each is a whole value, or the beginning of one (at least 3 characters), of receipt id, reference, e-mail address, wallet, transaction hash, SKU, plan or subscription, in any letter case. `%` and `_` have no special meaning. */
  q?: string | null | undefined;
  /** Receipts with a line of exactly this SKU. */
  sku?: string | null | undefined;
  /** One of these statuses, as in `Receipt.status`: `[paid, completed]`. */
  statuses?: Array<ReceiptStatus> | null | undefined;
  /** Charges of this subscription. */
  subscriptionId?: string | number | null | undefined;
  /** A total of at most this amount in US dollars. */
  totalMax?: number | null | undefined;
  /** A total of at least this amount in US dollars. */
  totalMin?: number | null | undefined;
  /** A transaction that pays or refunds the receipt, or that the buyer submitted for it. */
  transactionHash?: string | null | undefined;
  /** Exactly this reference of the merchant: `cart-1042`. */
  transactionId?: string | number | null | undefined;
};

/** How a receipt was created. */
export type ReceiptOrigin =
  /** By the charge of a subscription. */
  | 'charge'
  /** By an order: items of the catalog, with tax and fee. */
  | 'order'
  /** By a request with lines of its own. */
  | 'receipt'
  /** At the till. */
  | 'terminal';

/** The state of a receipt’s money. */
export type ReceiptStatus =
  /** Every recipient’s share was released. */
  | 'completed'
  /** The attempt to pay failed, or the receipt expired or was voided. */
  | 'failed'
  /** Created from an order. No amount was quoted yet. */
  | 'generated'
  /** The payment has its confirmations. Recipient and amount are validated. */
  | 'paid'
  /** Waits for money. */
  | 'pending'
  /** The payment was refunded. */
  | 'refunded'
  /** What is due was seen on the chain and waits for its confirmations. */
  | 'tx_mined'
  /** Money arrived, but less than is due. */
  | 'tx_mismatch';

export type ReceiptRowFragment = { id: string, receiptId: string, status: ReceiptStatus, seq: number, totalUsd: number, refundedUsd: number, createdAt: number, transactionId: string | null, buyerWallet: string | null, pricing: { currency: Currency, originalTotal: number } | null, billingAddress: { email: string | null } | null, lineItems: Array<{ label: string, qty: number | null, itemId: string | null }> };

export type ReceiptsQueryVariables = Exact<{
  filter?: ReceiptFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ReceiptsQuery = { receipts: { nodes: Array<{ id: string, receiptId: string, status: ReceiptStatus, seq: number, totalUsd: number, refundedUsd: number, createdAt: number, transactionId: string | null, buyerWallet: string | null, pricing: { currency: Currency, originalTotal: number } | null, billingAddress: { email: string | null } | null, lineItems: Array<{ label: string, qty: number | null, itemId: string | null }> }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } } };

const ReceiptRowText = 'fragment ReceiptRow on Receipt{id receiptId status seq totalUsd pricing{currency originalTotal}refundedUsd createdAt transactionId buyerWallet billingAddress{email}lineItems{label qty itemId}}';
export const Receipts = ('query Receipts($filter:ReceiptFilter$first:Int$after:String$last:Int$before:String){receipts(filter:$filter first:$first after:$after last:$last before:$before){nodes{...ReceiptRow}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}' + ReceiptRowText) as Operation<ReceiptsQuery, ReceiptsQueryVariables>;