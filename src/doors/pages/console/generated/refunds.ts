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

/** An item of a refund. */
export type RefundItemInput = {
  /** The text of the item. */
  label: string;
  /** The price, with at most two decimals. */
  priceUsd: number;
  /** The quantity; descriptive. */
  qty?: number | null | undefined;
};

/** A refund request; with `txHash`, a refund that has been sent. */
export type RefundReceiptInput = {
  /** The wallet that receives the refund. */
  buyer: string;
  /** The chain of the transaction (EIP-155). Default: looked up on every chain that paid the receipt. */
  chainId?: number | null | undefined;
  /** The items of the refund; they need not add up to `usd`. */
  items?: Array<RefundItemInput> | null | undefined;
  /** The receipt. */
  receiptId: string | number;
  /** The transaction that sent the money to the buyer. */
  txHash?: string | null | undefined;
  /** The amount in US dollars; at most what was paid and is not refunded yet. */
  usd: number;
  /** The merchant’s wallet; must be the caller’s own. */
  wallet: string;
};

/** `refunded` once transactions have proven the whole amount. */
export type RefundState =
  /** Transactions prove the whole amount. */
  | 'refunded'
  /** Requested, and not or only partly proven. */
  | 'requested';

export type RefundsQueryVariables = Exact<{
  state?: RefundState | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type RefundsQuery = { refunds: { nodes: Array<{ id: string, receiptId: string, state: RefundState, usd: number, provenUsd: number, amount: number, currency: Currency, buyer: string, createdAt: number, refundedAt: number | null }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } } };

export type RefundDraftsQueryVariables = Exact<{
  receiptId: string | number;
  usd: number;
  buyer: string;
}>;


export type RefundDraftsQuery = { refundDrafts: Array<{ receiptId: string, buyer: string, usd: number, token: string, amount: string, display: string, chainId: number, to: string, data: string, direct: boolean, value: string }> };

export type ProveRefundMutationVariables = Exact<{
  input: RefundReceiptInput;
  key: string;
}>;


export type ProveRefundMutation = { refundReceipt: { id: string, seq: number, status: ReceiptStatus, refundedUsd: number, refundableUsd: number, refunds: Array<{ id: string, state: RefundState, usd: number, provenUsd: number, amount: number, currency: Currency, buyer: string, createdAt: number, refundedAt: number | null, transactions: Array<{ transactionHash: string, chainId: number, transactionUrl: string | null }> }> } };

export const Refunds = ('query Refunds($state:RefundState$first:Int$after:String$last:Int$before:String){refunds(state:$state first:$first after:$after last:$last before:$before){nodes{id receiptId state usd provenUsd amount currency buyer createdAt refundedAt}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}') as Operation<RefundsQuery, RefundsQueryVariables>;
export const RefundDrafts = ('query RefundDrafts($receiptId:ID!$usd:Usd!$buyer:Wallet!){refundDrafts(receiptId:$receiptId usd:$usd buyer:$buyer){receiptId buyer usd token amount display chainId to data direct value}}') as Operation<RefundDraftsQuery, RefundDraftsQueryVariables>;
export const ProveRefund = ('mutation ProveRefund($input:RefundReceiptInput!$key:String!){refundReceipt(input:$input idempotencyKey:$key){id seq status refundedUsd refundableUsd refunds{id state usd provenUsd amount currency buyer createdAt refundedAt transactions{transactionHash chainId transactionUrl}}}}') as Operation<ProveRefundMutation, ProveRefundMutationVariables>;