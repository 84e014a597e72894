/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../client/graphql.ts';
/** The subscription to cancel, and the proof that its customer cancels it. */
export type CancelSubscriptionInput = {
  /** The same value as in the signed data. */
  expiresAt?: number | null | undefined;
  /** The customer's signature of the GraphQL query `cancellationRequest`. Not needed with the customer's own session. */
  signature?: string | null | undefined;
  /** The id of the subscription. */
  subscriptionId: string | number;
  /** The subscribing customer. */
  wallet: string;
};

/** A signed spend permission for a plan. */
export type CreateSubscriptionInput = {
  /** The chain that the permission was signed for (EIP-155). Default: the first one of the plan. */
  chainId?: number | null | undefined;
  /** Who pays. */
  customerWallet: string;
  /** The `draftToken` of the draft. Needed only for a permission that is approved on the chain. */
  draftToken?: string | null | undefined;
  /** The signed permission. */
  permissionData: SpendPermissionInput;
  /** The customer's EIP-712 signature; `0x` if a smart account has approved the permission on the chain. */
  permissionSignature: string;
  /** The id of the plan. */
  planId: string | number;
};

/** A spend permission, exactly as signed. */
export type SpendPermissionInput = {
  /** Who pays. */
  account: string;
  /** Base units per period, in decimal digits. */
  allowance: string;
  /** Unix seconds, exclusive. */
  end: number;
  /** Hex; `0x` if empty. */
  extraData: string;
  /** Seconds. */
  period: number;
  /** A number, in decimal digits. */
  salt: string;
  /** The contract that charges. */
  spender: string;
  /** Unix seconds, inclusive. */
  start: number;
  /** The token's contract. */
  token: string;
};

/** A reason why a charge would fail. */
export type SubscriptionObstacle =
  /** The plain wallet's ERC-20 approval for the spender is too low. */
  | 'approval_missing'
  /** The wallet's balance is lower than one charge. */
  | 'balance_too_low'
  /** The smart account does not list the spend permission manager as an owner. */
  | 'manager_not_owner'
  /** The subscription has no signature, and a reorganization has removed its approval from the chain. */
  | 'permission_not_approved';

/** The status of a subscription. */
export type SubscriptionState =
  /** Charged when it is due. */
  | 'active'
  /** Cancelled by the customer, here or on the chain, or ended by the merchant. Nothing more is charged. */
  | 'cancelled'
  /** The permission has ended, or every retry failed. */
  | 'expired'
  /** The last charge failed and will be retried. */
  | 'past_due';

export type ShownSubscriptionFragment = { subscriptionId: string, chainId: number, customerWallet: string, priceUsd: number, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number };

export type SubscribePreflightQueryVariables = Exact<{
  planId: string | number;
  customer: string;
  token?: string | null | undefined;
  chainId?: number | null | undefined;
  subscriptionId?: string | number | null | undefined;
}>;


export type SubscribePreflightQuery = { subscriptionPreflight: { ready: boolean, token: string, amount: string, smartAccount: boolean, obstacles: Array<{ code: SubscriptionObstacle, message: string, fix: { transactions: Array<{ to: string, data: string }> } }> } };

export type SubscribeDraftQueryVariables = Exact<{
  planId: string | number;
  customer: string;
  token?: string | null | undefined;
  chainId?: number | null | undefined;
}>;


export type SubscribeDraftQuery = { permissionDraft: { chainId: number, typedData: unknown, draftToken: string, permission: { account: string, spender: string, token: string, allowance: string, period: number, start: number, end: number, salt: string, extraData: string }, approval: { to: string, data: string } } };

export type SubscribeMutationVariables = Exact<{
  input: CreateSubscriptionInput;
}>;


export type SubscribeMutation = { createSubscription: { subscriptionId: string, chainId: number, customerWallet: string, priceUsd: number, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number } };

export type SubscribeStatusQueryVariables = Exact<{
  subscriptionId: string | number;
}>;


export type SubscribeStatusQuery = { subscription: { subscriptionId: string, chainId: number, customerWallet: string, priceUsd: number, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number } };

export type SubscribeFindQueryVariables = Exact<{
  customer: string;
  first: number;
}>;


export type SubscribeFindQuery = { subscriptions: { nodes: Array<{ planId: string, subscriptionId: string, chainId: number, customerWallet: string, priceUsd: number, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number }> } };

export type SubscribeCancellationQueryVariables = Exact<{
  subscriptionId: string | number;
}>;


export type SubscribeCancellationQuery = { cancellationRequest: { expiresAt: number, typedData: unknown } };

export type SubscribeCancelMutationVariables = Exact<{
  input: CancelSubscriptionInput;
}>;


export type SubscribeCancelMutation = { cancelSubscription: { subscriptionId: string, chainId: number, customerWallet: string, priceUsd: number, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number } };

const ShownSubscriptionText = 'fragment ShownSubscription on PlanSubscription{subscriptionId chainId customerWallet priceUsd status nextChargeAt lastChargedAt chargeCount totalChargedUsd}';
export const SubscribePreflight = ('query SubscribePreflight($planId:ID!$customer:Wallet!$token:String$chainId:SafeInt$subscriptionId:ID){subscriptionPreflight(planId:$planId customer:$customer token:$token chainId:$chainId subscriptionId:$subscriptionId){ready token amount smartAccount obstacles{code message fix{transactions{to data}}}}}') as Operation<SubscribePreflightQuery, SubscribePreflightQueryVariables>;
export const SubscribeDraft = ('query SubscribeDraft($planId:ID!$customer:Wallet!$token:String$chainId:SafeInt){permissionDraft(planId:$planId customer:$customer token:$token chainId:$chainId){chainId permission{account spender token allowance period start end salt extraData}typedData approval{to data}draftToken}}') as Operation<SubscribeDraftQuery, SubscribeDraftQueryVariables>;
export const Subscribe = ('mutation Subscribe($input:CreateSubscriptionInput!){createSubscription(input:$input){...ShownSubscription}}' + ShownSubscriptionText) as Operation<SubscribeMutation, SubscribeMutationVariables>;
export const SubscribeStatus = ('query SubscribeStatus($subscriptionId:ID!){subscription(subscriptionId:$subscriptionId){...ShownSubscription}}' + ShownSubscriptionText) as Operation<SubscribeStatusQuery, SubscribeStatusQueryVariables>;
export const SubscribeFind = ('query SubscribeFind($customer:Wallet!$first:Int!){subscriptions(customer:$customer first:$first){nodes{planId ...ShownSubscription}}}' + ShownSubscriptionText) as Operation<SubscribeFindQuery, SubscribeFindQueryVariables>;
export const SubscribeCancellation = ('query SubscribeCancellation($subscriptionId:ID!){cancellationRequest(subscriptionId:$subscriptionId){expiresAt typedData}}') as Operation<SubscribeCancellationQuery, SubscribeCancellationQueryVariables>;
export const SubscribeCancel = ('mutation SubscribeCancel($input:CancelSubscriptionInput!){cancelSubscription(input:$input){...ShownSubscription}}' + ShownSubscriptionText) as Operation<SubscribeCancelMutation, SubscribeCancelMutationVariables>;