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

export type LiveReceiptsQueryVariables = Exact<{ [key: string]: never; }>;


export type LiveReceiptsQuery = { receipts: { nodes: Array<{ id: string, receiptId: string, status: ReceiptStatus, seq: number, totalUsd: number, createdAt: number, pricing: { currency: Currency, originalTotal: number } | null, lineItems: Array<{ label: string, qty: number | null, itemId: string | null }> }> } };

export type LivePeopleQueryVariables = Exact<{ [key: string]: never; }>;


export type LivePeopleQuery = { liveUsers: Array<{ id: string, wallet: string, displayName: string, platform: string }> };

export const LiveReceipts = ('query LiveReceipts{receipts(first:50){nodes{id receiptId status seq totalUsd pricing{currency originalTotal}createdAt lineItems{label qty itemId}}}}') as Operation<LiveReceiptsQuery, LiveReceiptsQueryVariables>;
export const LivePeople = ('query LivePeople{liveUsers(limit:50){id wallet displayName platform}}') as Operation<LivePeopleQuery, LivePeopleQueryVariables>;