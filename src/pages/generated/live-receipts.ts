/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../client/graphql.ts';
/** The kind of an entry of a receipt’s history. */
export type ReceiptEventKind =
  /** A remark that moves no money. */
  | 'note'
  /** The money moved. */
  | 'status'
  /** The buyer’s side sent a report. */
  | 'tracking';

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
  /** The exact amount was seen on the chain and waits for its confirmations. */
  | 'tx_mined'
  /** Money arrived, but not the amount that is due. */
  | 'tx_mismatch';

export type DeskReceiptFragment = { receiptId: string, merchant: string, paymentUrl: string, brandName: string, status: ReceiptStatus, seq: number, totalUsd: number, createdAt: number, lineItems: Array<{ label: string, qty: number | null, itemId: string | null }> };

export type DeskCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type DeskCursorQuery = { receiptsCursor: string };

export type DeskListQueryVariables = Exact<{
  limit: number;
}>;


export type DeskListQuery = { receipts: { nodes: Array<{ receiptId: string, merchant: string, paymentUrl: string, brandName: string, status: ReceiptStatus, seq: number, totalUsd: number, createdAt: number, lineItems: Array<{ label: string, qty: number | null, itemId: string | null }> }> }, shopConfig: { name: string | null } };

export type DeskReceiptQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type DeskReceiptQuery = { receipt: { receiptId: string, merchant: string, paymentUrl: string, brandName: string, status: ReceiptStatus, seq: number, totalUsd: number, createdAt: number, lineItems: Array<{ label: string, qty: number | null, itemId: string | null }> } };

export type DeskReceiptsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type DeskReceiptsSubscription = { receiptStatuses: { receiptId: string, seq: number, kind: ReceiptEventKind, status: ReceiptStatus, tracking: string | null, at: number, cursor: string } };

const DeskReceiptText = 'fragment DeskReceipt on Receipt{receiptId merchant paymentUrl brandName status seq totalUsd createdAt lineItems{label qty itemId}}';
export const DeskCursor = ('query DeskCursor{receiptsCursor}') as Operation<DeskCursorQuery, DeskCursorQueryVariables>;
export const DeskList = ('query DeskList($limit:Int!){receipts(first:$limit){nodes{...DeskReceipt}}shopConfig{name}}' + DeskReceiptText) as Operation<DeskListQuery, DeskListQueryVariables>;
export const DeskReceipt = ('query DeskReceipt($receiptId:ID!){receipt(receiptId:$receiptId){...DeskReceipt}}' + DeskReceiptText) as Operation<DeskReceiptQuery, DeskReceiptQueryVariables>;
export const DeskReceipts = ('subscription DeskReceipts($after:String){receiptStatuses(after:$after){receiptId seq kind status tracking at cursor}}') as Operation<DeskReceiptsSubscription, DeskReceiptsSubscriptionVariables>;