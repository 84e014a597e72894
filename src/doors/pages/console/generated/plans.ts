/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** The state of a charge. */
export type ChargeState =
  /** The transaction failed. It may be sent again in the same period. */
  | 'failed'
  /** The transaction was sent and has no outcome yet. */
  | 'sent'
  /** The customer was charged. */
  | 'succeeded';

/** A token on a chain that buyers may pay in. */
export type ChosenTokenInput = {
  /** A chain of the server (EIP-155). */
  chainId: number;
  /** The symbol of a token of this chain. */
  token: string;
};

/** A new plan. */
export type CreatePlanInput = {
  /** At most 4,000 characters. */
  description?: string | null | undefined;
  /** 1 to 256 characters. */
  name: string;
  /** The dollar tokens, each with its chain, that customers may choose from; the default first. Without it: those of the first chain. */
  paymentTokens?: Array<ChosenTokenInput> | null | undefined;
  /** How often the plan is paid. */
  period: PlanPeriod;
  /** 0.01 to 10,000,000.00. */
  priceUsd: number;
  /** Optional. If given, it must be the caller's own merchant wallet. */
  wallet?: string | null | undefined;
};

/** Why a payment failed. */
export type FailureCode =
  /** The wallet lacks tokens or gas. */
  | 'PORTAL_CHAIN_INSUFFICIENT_BALANCE'
  /** The rate moved beyond the tolerance. */
  | 'PORTAL_CHAIN_SLIPPAGE_EXCEEDED'
  /** The payment transaction was reverted. */
  | 'PORTAL_CHAIN_TX_REVERTED'
  /** The buyer rejected the request in the wallet. */
  | 'PORTAL_CHAIN_USER_REJECTED'
  /** The wallet could not prove that it is its owner. */
  | 'PORTAL_CHAIN_WALLET_MISMATCH'
  /** The date of birth does not match the records. */
  | 'PORTAL_KYC_DOB_MISMATCH'
  /** A document and a selfie are needed. */
  | 'PORTAL_KYC_DOC_REQUIRED'
  /** The document is unreadable, blurry or expired. */
  | 'PORTAL_KYC_DOC_UNREADABLE'
  /** Identity (name and address) is needed. */
  | 'PORTAL_KYC_REQUIRED'
  /** The buyer matched a sanctions or anti-money-laundering list. */
  | 'PORTAL_KYC_SANCTIONS_BLOCKED'
  /** Date of birth and tax ID are needed. */
  | 'PORTAL_KYC_STEP_UP_REQUIRED'
  /** The buyer is below the minimum age of 18. */
  | 'PORTAL_KYC_UNDERAGE'
  /** The amount is above the single-transaction maximum. */
  | 'PORTAL_LIMIT_AMOUNT_ABOVE_MAX'
  /** The amount is below the minimum. */
  | 'PORTAL_LIMIT_AMOUNT_BELOW_MIN'
  /** The total exceeds the buyer's verification limit. */
  | 'PORTAL_LIMIT_EXCEEDED'
  /** 3D Secure failed or was cancelled. */
  | 'PORTAL_PAY_3DS_FAILED'
  /** The bank's policy blocks purchases of digital assets. */
  | 'PORTAL_PAY_BANK_INSTITUTION_BLOCK'
  /** The card was declined by its issuer. */
  | 'PORTAL_PAY_CARD_DECLINED'
  /** The bank declined the payment. */
  | 'PORTAL_PAY_DO_NOT_HONOR'
  /** The card has expired. */
  | 'PORTAL_PAY_EXPIRED_CARD'
  /** The payment was blocked by risk screening. */
  | 'PORTAL_PAY_FRAUD_BLOCKED'
  /** The security code is wrong. */
  | 'PORTAL_PAY_INCORRECT_CVC'
  /** The card number is invalid. */
  | 'PORTAL_PAY_INCORRECT_NUMBER'
  /** The card has insufficient funds. */
  | 'PORTAL_PAY_INSUFFICIENT_FUNDS'
  /** The buyer is in an unsupported jurisdiction. */
  | 'PORTAL_REGION_UNSUPPORTED'
  /** The buyer closed the portal. */
  | 'PORTAL_SESSION_ABANDONED'
  /** The buyer or the shop cancelled the payment. */
  | 'PORTAL_SESSION_CANCELLED'
  /** The session expired from inactivity. */
  | 'PORTAL_SESSION_EXPIRED'
  /** The payment could not be processed. */
  | 'PORTAL_SYS_GENERIC_FAILURE'
  /** The payment network did not answer in time. */
  | 'PORTAL_SYS_NETWORK_TIMEOUT';

/** How often a plan is paid: every 7, 14, 30, 90 or 365 days. */
export type PlanPeriod =
  /** Every 14 days. */
  | 'BIWEEKLY'
  /** Every 30 days. */
  | 'MONTHLY'
  /** Every 90 days. */
  | 'QUARTERLY'
  /** Every 7 days. */
  | 'WEEKLY'
  /** Every 365 days. */
  | 'YEARLY';

/** What happened to a subscription. */
export type SubscriptionEventKind =
  /** The customer cancelled. */
  | 'cancelled'
  /** A charge failed. */
  | 'charge_failed'
  /** A reorganisation of the chain removed a charge. */
  | 'charge_undone'
  /** A charge succeeded. */
  | 'charged'
  /** The customer subscribed. */
  | 'created'
  /** The permission has ended, or every retry failed. */
  | 'expired'
  /** The customer revoked the permission on the chain. */
  | 'revoked';

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

/** Changes of a plan; what is left out stays. */
export type UpdatePlanInput = {
  /** True reactivates the plan, false deactivates it. */
  active?: boolean | null | undefined;
  /** At most 4,000 characters. */
  description?: string | null | undefined;
  /** 1 to 256 characters. */
  name?: string | null | undefined;
  /** For new subscriptions; null: the dollar tokens of the first chain. Existing ones keep their token. */
  paymentTokens?: Array<ChosenTokenInput> | null | undefined;
  /** For new subscriptions. Existing ones keep their period. */
  period?: PlanPeriod | null | undefined;
  /** Which plan. */
  planId: string | number;
  /** For new subscriptions. Existing ones keep their price. */
  priceUsd?: number | null | undefined;
  /** Optional. If given, it must be the caller's own merchant wallet. */
  wallet?: string | null | undefined;
};

export type PlanFieldsFragment = { id: string, planId: string, name: string, description: string, priceUsd: number, period: PlanPeriod, active: boolean, createdAt: number, paymentTokens: Array<{ chainId: number, token: string }> | null };

export type SubscriberFragment = { id: string, subscriptionId: string, planId: string, customerWallet: string, priceUsd: number, period: PlanPeriod, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number, lastFailure: FailureCode | null, createdAt: number };

export type PlansQueryVariables = Exact<{
  wallet: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type PlansQuery = { plans: { nodes: Array<{ id: string, planId: string, name: string, description: string, priceUsd: number, period: PlanPeriod, active: boolean, createdAt: number, paymentTokens: Array<{ chainId: number, token: string }> | null }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } }, subscriptions: { nodes: Array<{ id: string, subscriptionId: string, planId: string, customerWallet: string, priceUsd: number, period: PlanPeriod, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number, lastFailure: FailureCode | null, createdAt: number }> } };

export type PlanTokenOptionsQueryVariables = Exact<{ [key: string]: never; }>;


export type PlanTokenOptionsQuery = { planTokenOptions: Array<{ chainId: number, network: string, token: string, usual: boolean }> };

export type PlanByIdQueryVariables = Exact<{
  planId: string | number;
}>;


export type PlanByIdQuery = { plan: { id: string, planId: string, name: string, description: string, priceUsd: number, period: PlanPeriod, active: boolean, createdAt: number, paymentTokens: Array<{ chainId: number, token: string }> | null } };

export type SubscribersQueryVariables = Exact<{
  wallet: string;
  planId: string | number;
  status?: SubscriptionState | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type SubscribersQuery = { subscriptions: { nodes: Array<{ id: string, subscriptionId: string, planId: string, customerWallet: string, priceUsd: number, period: PlanPeriod, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number, lastFailure: FailureCode | null, createdAt: number }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } } };

export type SubscriptionByIdQueryVariables = Exact<{
  subscriptionId: string | number;
}>;


export type SubscriptionByIdQuery = { subscription: { id: string, subscriptionId: string, planId: string, customerWallet: string, priceUsd: number, period: PlanPeriod, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number, lastFailure: FailureCode | null, createdAt: number, charges: { nodes: Array<{ id: string, chargeId: string, amountUsd: number, feeUsd: number, state: ChargeState, failureCode: FailureCode | null, periodStart: number, createdAt: number, blockTime: number | null, receiptId: string, transactionHash: string }> } }, subscriptionHistory: { nodes: Array<{ id: string, kind: SubscriptionEventKind, at: number, failureCode: FailureCode | null, amountUsd: number | null }> } };

export type SubscriptionNewsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type SubscriptionNewsSubscription = { subscriptionEvents: { id: string, subscriptionId: string } };

export type CreatePlanMutationVariables = Exact<{
  input: CreatePlanInput;
  key: string;
}>;


export type CreatePlanMutation = { createPlan: { id: string, planId: string, name: string, description: string, priceUsd: number, period: PlanPeriod, active: boolean, createdAt: number, paymentTokens: Array<{ chainId: number, token: string }> | null } };

export type UpdatePlanMutationVariables = Exact<{
  input: UpdatePlanInput;
}>;


export type UpdatePlanMutation = { updatePlan: { id: string, planId: string, name: string, description: string, priceUsd: number, period: PlanPeriod, active: boolean, createdAt: number, paymentTokens: Array<{ chainId: number, token: string }> | null } };

export type EndSubscriptionMutationVariables = Exact<{
  subscriptionId: string | number;
}>;


export type EndSubscriptionMutation = { endSubscription: { id: string, subscriptionId: string, planId: string, customerWallet: string, priceUsd: number, period: PlanPeriod, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number, lastFailure: FailureCode | null, createdAt: number } };

const PlanFieldsText = 'fragment PlanFields on Plan{id planId name description priceUsd period paymentTokens{chainId token}active createdAt}';
const SubscriberText = 'fragment Subscriber on PlanSubscription{id subscriptionId planId customerWallet priceUsd period status nextChargeAt lastChargedAt chargeCount totalChargedUsd lastFailure createdAt}';
export const Plans = ('query Plans($wallet:Wallet!$first:Int$after:String$last:Int$before:String){plans(wallet:$wallet includeInactive:true first:$first after:$after last:$last before:$before){nodes{...PlanFields}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}subscriptions(merchant:$wallet status:past_due first:20){nodes{...Subscriber}}}' + PlanFieldsText + SubscriberText) as Operation<PlansQuery, PlansQueryVariables>;
export const PlanTokenOptions = ('query PlanTokenOptions{planTokenOptions{chainId network token usual}}') as Operation<PlanTokenOptionsQuery, PlanTokenOptionsQueryVariables>;
export const PlanById = ('query PlanById($planId:ID!){plan(planId:$planId){...PlanFields}}' + PlanFieldsText) as Operation<PlanByIdQuery, PlanByIdQueryVariables>;
export const Subscribers = ('query Subscribers($wallet:Wallet!$planId:ID!$status:SubscriptionState$first:Int$after:String$last:Int$before:String){subscriptions(merchant:$wallet planId:$planId status:$status first:$first after:$after last:$last before:$before){nodes{...Subscriber}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}' + SubscriberText) as Operation<SubscribersQuery, SubscribersQueryVariables>;
export const SubscriptionById = ('query SubscriptionById($subscriptionId:ID!){subscription(subscriptionId:$subscriptionId){...Subscriber charges(first:50){nodes{id chargeId amountUsd feeUsd state failureCode periodStart createdAt blockTime receiptId transactionHash}}}subscriptionHistory(subscriptionId:$subscriptionId last:50){nodes{id kind at failureCode amountUsd}}}' + SubscriberText) as Operation<SubscriptionByIdQuery, SubscriptionByIdQueryVariables>;
export const SubscriptionNews = ('subscription SubscriptionNews{subscriptionEvents{id subscriptionId}}') as Operation<SubscriptionNewsSubscription, SubscriptionNewsSubscriptionVariables>;
export const CreatePlan = ('mutation CreatePlan($input:CreatePlanInput!$key:String!){createPlan(input:$input idempotencyKey:$key){...PlanFields}}' + PlanFieldsText) as Operation<CreatePlanMutation, CreatePlanMutationVariables>;
export const UpdatePlan = ('mutation UpdatePlan($input:UpdatePlanInput!){updatePlan(input:$input){...PlanFields}}' + PlanFieldsText) as Operation<UpdatePlanMutation, UpdatePlanMutationVariables>;
export const EndSubscription = ('mutation EndSubscription($subscriptionId:ID!){endSubscription(subscriptionId:$subscriptionId){...Subscriber}}' + SubscriberText) as Operation<EndSubscriptionMutation, EndSubscriptionMutationVariables>;