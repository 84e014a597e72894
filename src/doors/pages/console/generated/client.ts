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
  /** What is due was seen on the chain and waits for its confirmations. */
  | 'tx_mined'
  /** Money arrived, but less than is due. */
  | 'tx_mismatch';

export type ConsoleShopQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleShopQuery = { shopConfig: { id: string, name: string | null, theme: { brandLogoUrl: string | null } }, pricingConfig: { id: string, nativeCurrency: Currency }, memberships: Array<{ id: string, name: string, current: boolean }> };

export type ConsoleCursorQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleCursorQuery = { receiptsCursor: string };

export type ConsoleReceiptsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ConsoleReceiptsSubscription = { receiptStatuses: { receiptId: string, seq: number, kind: ReceiptEventKind, status: ReceiptStatus, tracking: string | null, at: number, cursor: string } };

export type ConsoleChallengeMutationVariables = Exact<{ [key: string]: never; }>;


export type ConsoleChallengeMutation = { confirmChallenge: { nonce: string, typedData: unknown } };

export type ConsoleConfirmMutationVariables = Exact<{
  nonce: string;
  signature: string;
}>;


export type ConsoleConfirmMutation = { confirmSession: { id: string, confirmedAt: number } };

export const ConsoleShop = ('query ConsoleShop{shopConfig{id name theme{brandLogoUrl}}pricingConfig{id nativeCurrency}memberships{id name current}}') as Operation<ConsoleShopQuery, ConsoleShopQueryVariables>;
export const ConsoleCursor = ('query ConsoleCursor{receiptsCursor}') as Operation<ConsoleCursorQuery, ConsoleCursorQueryVariables>;
export const ConsoleReceipts = ('subscription ConsoleReceipts($after:String){receiptStatuses(after:$after){receiptId seq kind status tracking at cursor}}') as Operation<ConsoleReceiptsSubscription, ConsoleReceiptsSubscriptionVariables>;
export const ConsoleChallenge = ('mutation ConsoleChallenge{confirmChallenge{nonce typedData}}') as Operation<ConsoleChallengeMutation, ConsoleChallengeMutationVariables>;
export const ConsoleConfirm = ('mutation ConsoleConfirm($nonce:String!$signature:Hex!){confirmSession(nonce:$nonce signature:$signature){id confirmedAt}}') as Operation<ConsoleConfirmMutation, ConsoleConfirmMutationVariables>;