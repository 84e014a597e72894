/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** Conditions on payouts; all that are given must hold. Both ends of a range are included. */
export type PayoutFilter = {
  /** Whose receipt was paid at this time or later. */
  createdFrom?: number | null | undefined;
  /** Whose receipt was paid at this time or earlier. */
  createdTo?: number | null | undefined;
  /** Of this receipt. */
  receiptId?: string | number | null | undefined;
  /** To this wallet. */
  recipient?: string | null | undefined;
  /** In this state. */
  state?: PayoutState | null | undefined;
};

/** Whether a payout is with its recipient. */
export type PayoutState =
  /** The chain shows that the recipient has it. */
  | 'released'
  /** The recipient does not have it yet; `waitsFor` says why. */
  | 'waiting';

/** What a payout waits for. */
export type PayoutWaitsFor =
  /** The money is still at the address of the receipt. The server collects it once that is worth its cost, or when it is asked for; until then the merchant and each recipient may collect it with `collections`. */
  | 'collection'
  /** The payment, or its collection, is not final on the chain yet. */
  | 'confirmations'
  /** It is due. Its split contract is not on the chain yet; the server deploys it first. */
  | 'deployment'
  /** The shares of a split in one token wait until together they are worth their release, or until it is asked for. */
  | 'minimum'
  /** The recipient must release it: the server releases nothing, or the recipient’s contract needs more gas. */
  | 'recipient'
  /** It is due. The server sends its release soon, and tries again if it fails. */
  | 'server'
  /** Its release is sent, and is not final on the chain yet. */
  | 'transaction';

export type PayoutsQueryVariables = Exact<{
  filter?: PayoutFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type PayoutsQuery = { payouts: { nodes: Array<{ id: string, receiptId: string, recipient: string, token: string, amount: string | null, display: string | null, state: PayoutState, waitsFor: PayoutWaitsFor | null, requestedAt: number | null, createdAt: number, releasedAt: number | null, transactionHash: string | null, transactionUrl: string | null }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } } };

export type WaitingPayoutsQueryVariables = Exact<{ [key: string]: never; }>;


export type WaitingPayoutsQuery = { waitingPayouts: { id: string, releasesPerDay: number | null, releasesLeft: number | null, batches: Array<{ chainId: number, split: string, token: string, display: string | null, payouts: number, releases: number, waitsFor: PayoutWaitsFor, requested: boolean }> } };

export type CollectionsQueryVariables = Exact<{
  chainId?: number | null | undefined;
  split?: string | null | undefined;
  token?: string | null | undefined;
}>;


export type CollectionsQuery = { collections: Array<{ chainId: number, split: string, token: string | null, amount: string, display: string | null, addresses: number, waiting: number, deployments: Array<{ to: string, data: string }>, transaction: { to: string, data: string } }> };

export type ReleasePayoutsMutationVariables = Exact<{
  chainId: number;
  split: string;
  token: string;
  collected: boolean;
}>;


export type ReleasePayoutsMutation = { releasePayouts: { payouts: number, releases: number } };

export type PayoutNewsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type PayoutNewsSubscription = { payouts: { id: string, state: PayoutState } };

export const Payouts = ('query Payouts($filter:PayoutFilter$first:Int$after:String$last:Int$before:String){payouts(filter:$filter first:$first after:$after last:$last before:$before){nodes{id receiptId recipient token amount display state waitsFor requestedAt createdAt releasedAt transactionHash transactionUrl}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}') as Operation<PayoutsQuery, PayoutsQueryVariables>;
export const WaitingPayouts = ('query WaitingPayouts{waitingPayouts{id releasesPerDay releasesLeft batches{chainId split token display payouts releases waitsFor requested}}}') as Operation<WaitingPayoutsQuery, WaitingPayoutsQueryVariables>;
export const Collections = ('query Collections($chainId:SafeInt$split:Wallet$token:String){collections(chainId:$chainId split:$split token:$token){chainId split token amount display addresses waiting deployments{to data}transaction{to data}}}') as Operation<CollectionsQuery, CollectionsQueryVariables>;
export const ReleasePayouts = ('mutation ReleasePayouts($chainId:SafeInt!$split:Wallet!$token:String!$collected:Boolean!){releasePayouts(chainId:$chainId split:$split token:$token collected:$collected){payouts releases}}') as Operation<ReleasePayoutsMutation, ReleasePayoutsMutationVariables>;
export const PayoutNews = ('subscription PayoutNews{payouts{id state}}') as Operation<PayoutNewsSubscription, PayoutNewsSubscriptionVariables>;