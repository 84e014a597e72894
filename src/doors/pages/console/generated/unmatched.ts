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

/** Why a transfer pays no receipt. */
export type UnmatchedReason =
  /** The receipt was paid already. */
  | 'duplicate'
  /** Matching failed. */
  | 'error'
  /** The receipt has ended. */
  | 'late'
  /** There was no exchange rate for the token. */
  | 'no_rate'
  /** The merchant did not choose this network. */
  | 'other_network'
  /** The merchant did not choose this token. */
  | 'other_token'
  /** The transfer is older than the receipt. */
  | 'too_old'
  /** It went straight to the split, and its sender has signed for no receipt. */
  | 'unknown_amount';

/** The state of an unmatched transfer. */
export type UnmatchedState =
  /** It will be sent back. */
  | 'marked_for_refund'
  /** It may still be assigned. */
  | 'open';

export type UnmatchedMoneyFragment = { id: string, state: UnmatchedState, token: string, display: string | null, at: number, sender: string, senderUrl: string | null, transactionHash: string, transactionUrl: string | null, logIndex: number, reason: UnmatchedReason, refundMarkedAt: number | null, candidates: Array<{ receiptId: string, status: ReceiptStatus, totalUsd: number }> };

export type UnmatchedQueryVariables = Exact<{
  state?: UnmatchedState | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type UnmatchedQuery = { unmatchedTransfers: { nodes: Array<{ id: string, state: UnmatchedState, token: string, display: string | null, at: number, sender: string, senderUrl: string | null, transactionHash: string, transactionUrl: string | null, logIndex: number, reason: UnmatchedReason, refundMarkedAt: number | null, candidates: Array<{ receiptId: string, status: ReceiptStatus, totalUsd: number }> }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } } };

export type CandidateQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type CandidateQuery = { receipt: { id: string, receiptId: string, totalUsd: number, createdAt: number, transactionId: string | null, buyerWallet: string | null, pricing: { currency: Currency, originalTotal: number } | null, billingAddress: { email: string | null } | null, lineItems: Array<{ label: string, qty: number | null, itemId: string | null }>, missing: { token: string, display: string } | null } };

export type AssignTransferMutationVariables = Exact<{
  transactionHash: string;
  logIndex: number;
  receiptId: string | number;
  usdPerToken?: string | null | undefined;
}>;


export type AssignTransferMutation = { assignTransfer: { id: string, receiptId: string, status: ReceiptStatus } };

export type MarkForReturnMutationVariables = Exact<{
  transactionHash: string;
  logIndex: number;
  marked: boolean;
}>;


export type MarkForReturnMutation = { markUnmatchedForRefund: { id: string, state: UnmatchedState, token: string, display: string | null, at: number, sender: string, senderUrl: string | null, transactionHash: string, transactionUrl: string | null, logIndex: number, reason: UnmatchedReason, refundMarkedAt: number | null, candidates: Array<{ receiptId: string, status: ReceiptStatus, totalUsd: number }> } };

const UnmatchedMoneyText = 'fragment UnmatchedMoney on UnmatchedTransfer{id state token display at sender senderUrl transactionHash transactionUrl logIndex reason refundMarkedAt candidates{receiptId status totalUsd}}';
export const Unmatched = ('query Unmatched($state:UnmatchedState$first:Int$after:String$last:Int$before:String){unmatchedTransfers(state:$state first:$first after:$after last:$last before:$before){nodes{...UnmatchedMoney}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}' + UnmatchedMoneyText) as Operation<UnmatchedQuery, UnmatchedQueryVariables>;
export const Candidate = ('query Candidate($receiptId:ID!){receipt(receiptId:$receiptId){id receiptId totalUsd pricing{currency originalTotal}createdAt transactionId buyerWallet billingAddress{email}lineItems{label qty itemId}missing{token display}}}') as Operation<CandidateQuery, CandidateQueryVariables>;
export const AssignTransfer = ('mutation AssignTransfer($transactionHash:Hex!$logIndex:Int!$receiptId:ID!$usdPerToken:String){assignTransfer(transactionHash:$transactionHash logIndex:$logIndex receiptId:$receiptId usdPerToken:$usdPerToken){id receiptId status}}') as Operation<AssignTransferMutation, AssignTransferMutationVariables>;
export const MarkForReturn = ('mutation MarkForReturn($transactionHash:Hex!$logIndex:Int!$marked:Boolean!){markUnmatchedForRefund(transactionHash:$transactionHash logIndex:$logIndex marked:$marked){...UnmatchedMoney}}' + UnmatchedMoneyText) as Operation<MarkForReturnMutation, MarkForReturnMutationVariables>;