/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
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

export type HomeQueryVariables = Exact<{
  from: string;
  to: string;
}>;


export type HomeQuery = { receiptStats: { building: boolean, total: { groups: Array<{ status: ReceiptStatus, figures: { count: number, createdUsd: number } }> }, periods: Array<{ from: string, figures: { count: number, paidCount: number, grossUsd: number, refundedUsd: number } }> }, attention: { id: string, receipts: number, failedDeliveries: number, pastDueSubscriptions: number, lowStock: number }, unmatchedTransfers: { totalCount: number } };

export const Home = ('query Home($from:String!$to:String!){receiptStats(from:$from to:$to interval:DAY){building total{groups{status figures{count createdUsd}}}periods{from figures{count paidCount grossUsd refundedUsd}}}attention{id receipts failedDeliveries pastDueSubscriptions lowStock}unmatchedTransfers(state:open first:0){totalCount}}') as Operation<HomeQuery, HomeQueryVariables>;