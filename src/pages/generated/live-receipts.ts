/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../client/graphql.ts';
export type DeskReceiptFragment = { receiptId: string, merchant: string, paymentUrl: string, brandName: string, status: string, seq: number, totalUsd: number, createdAt: number, lineItems: Array<{ label: string, qty: number | null, itemId: string | null }> };

export type DeskCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type DeskCursorQuery = { receiptsCursor: string };

export type DeskListQueryVariables = Exact<{
  limit: number;
}>;


export type DeskListQuery = { receipts: { nodes: Array<{ receiptId: string, merchant: string, paymentUrl: string, brandName: string, status: string, seq: number, totalUsd: number, createdAt: number, lineItems: Array<{ label: string, qty: number | null, itemId: string | null }> }> }, shopConfig: { name: string | null } };

export type DeskReceiptQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type DeskReceiptQuery = { receipt: { receiptId: string, merchant: string, paymentUrl: string, brandName: string, status: string, seq: number, totalUsd: number, createdAt: number, lineItems: Array<{ label: string, qty: number | null, itemId: string | null }> } | null };

export type DeskReceiptsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type DeskReceiptsSubscription = { receiptStatuses: { receiptId: string, seq: number, kind: string, status: string, tracking: string | null, at: number, cursor: string } };

const DeskReceiptText = 'fragment DeskReceipt on Receipt{receiptId merchant paymentUrl brandName status seq totalUsd createdAt lineItems{label qty itemId}}';
export const DeskCursor = ('query DeskCursor{receiptsCursor}') as Operation<DeskCursorQuery, DeskCursorQueryVariables>;
export const DeskList = ('query DeskList($limit:Int!){receipts(first:$limit){nodes{...DeskReceipt}}shopConfig{name}}' + DeskReceiptText) as Operation<DeskListQuery, DeskListQueryVariables>;
export const DeskReceipt = ('query DeskReceipt($receiptId:ID!){receipt(receiptId:$receiptId){...DeskReceipt}}' + DeskReceiptText) as Operation<DeskReceiptQuery, DeskReceiptQueryVariables>;
export const DeskReceipts = ('subscription DeskReceipts($after:String){receiptStatuses(after:$after){receiptId seq kind status tracking at cursor}}') as Operation<DeskReceiptsSubscription, DeskReceiptsSubscriptionVariables>;