/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../client/graphql.ts';
export type PortalReceiptQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type PortalReceiptQuery = { receipt: { receiptId: string, status: string, seq: number, transactionHash: string | null, expiresAt: number | null, closedAt: number | null, confirmations: number, confirmationsNeeded: number, missing: { token: string, amount: string, display: string } | null, paid: { token: string, display: string } | null, failure: { code: string } | null, cardSession: { status: string } | null } | null };

export type PortalPublicQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type PortalPublicQuery = { receipt: { receiptId: string, status: string, brandName: string, totalUsd: number, currency: string, transactionId: string | null, transactionHash: string | null, transactionUrl: string | null, createdAt: number, lineItems: Array<{ label: string, priceUsd: number, qty: number | null }> } | null };

export type PortalQuoteMutationVariables = Exact<{
  receiptId: string | number;
  token: string;
}>;


export type PortalQuoteMutation = { quotePayment: { token: string, chainId: number, amount: string, payTo: string, uri: string, expiresAt: number | null, decimals: number, display: string, qr: string } };

export type PortalRenewQuoteMutationVariables = Exact<{
  receiptId: string | number;
  token: string;
}>;


export type PortalRenewQuoteMutation = { renewQuote: { token: string, chainId: number, amount: string, payTo: string, uri: string, expiresAt: number | null, decimals: number, display: string, qr: string } };

export type PortalEmailMutationVariables = Exact<{
  receiptId: string | number;
  email: string;
}>;


export type PortalEmailMutation = { setBuyerEmail: { receiptId: string } };

export type PortalSubmitMutationVariables = Exact<{
  receiptId: string | number;
  transactionHash: string;
}>;


export type PortalSubmitMutation = { submitTransaction: { receiptId: string, status: string } };

export type PortalTestPayMutationVariables = Exact<{
  receiptId: string | number;
  token: string;
}>;


export type PortalTestPayMutation = { payWithTestWallet: { transactionHash: string } };

export type PortalRenewMutationVariables = Exact<{
  receiptId: string | number;
}>;


export type PortalRenewMutation = { renewReceipt: { receiptId: string, status: string } };

export type PortalCardMutationVariables = Exact<{
  receiptId: string | number;
}>;


export type PortalCardMutation = { startCardCheckout: { url: string | null, opensInNewTab: boolean } };

export type PortalFailureMutationVariables = Exact<{
  receiptId: string | number;
  code: string;
}>;


export type PortalFailureMutation = { reportFailure: { receiptId: string, status: string } };

export type PortalTrackingMutationVariables = Exact<{
  receiptId: string | number;
  status: string;
}>;


export type PortalTrackingMutation = { reportTracking: { receiptId: string, status: string } };

export type PortalStatusSubscriptionVariables = Exact<{
  receiptId: string | number;
  afterSeq?: number | null | undefined;
}>;


export type PortalStatusSubscription = { receiptStatus: { receiptId: string, seq: number, kind: string, status: string, previousStatus: string | null, tracking: string | null, at: number, transactionHash: string | null } };

export const PortalReceipt = ('query PortalReceipt($receiptId:ID!){receipt(receiptId:$receiptId){receiptId status seq transactionHash expiresAt closedAt confirmations confirmationsNeeded missing{token amount display}paid{token display}failure{code}cardSession{status}}}') as Operation<PortalReceiptQuery, PortalReceiptQueryVariables>;
export const PortalPublic = ('query PortalPublic($receiptId:ID!){receipt(receiptId:$receiptId){receiptId status brandName totalUsd currency lineItems{label priceUsd qty}transactionId transactionHash transactionUrl createdAt}}') as Operation<PortalPublicQuery, PortalPublicQueryVariables>;
export const PortalQuote = ('mutation PortalQuote($receiptId:ID!$token:String!){quotePayment(receiptId:$receiptId token:$token){token chainId amount payTo uri expiresAt decimals display qr}}') as Operation<PortalQuoteMutation, PortalQuoteMutationVariables>;
export const PortalRenewQuote = ('mutation PortalRenewQuote($receiptId:ID!$token:String!){renewQuote(receiptId:$receiptId token:$token){token chainId amount payTo uri expiresAt decimals display qr}}') as Operation<PortalRenewQuoteMutation, PortalRenewQuoteMutationVariables>;
export const PortalEmail = ('mutation PortalEmail($receiptId:ID!$email:String!){setBuyerEmail(receiptId:$receiptId email:$email){receiptId}}') as Operation<PortalEmailMutation, PortalEmailMutationVariables>;
export const PortalSubmit = ('mutation PortalSubmit($receiptId:ID!$transactionHash:Hex!){submitTransaction(receiptId:$receiptId transactionHash:$transactionHash){receiptId status}}') as Operation<PortalSubmitMutation, PortalSubmitMutationVariables>;
export const PortalTestPay = ('mutation PortalTestPay($receiptId:ID!$token:String!){payWithTestWallet(receiptId:$receiptId token:$token){transactionHash}}') as Operation<PortalTestPayMutation, PortalTestPayMutationVariables>;
export const PortalRenew = ('mutation PortalRenew($receiptId:ID!){renewReceipt(receiptId:$receiptId){receiptId status}}') as Operation<PortalRenewMutation, PortalRenewMutationVariables>;
export const PortalCard = ('mutation PortalCard($receiptId:ID!){startCardCheckout(receiptId:$receiptId){url opensInNewTab}}') as Operation<PortalCardMutation, PortalCardMutationVariables>;
export const PortalFailure = ('mutation PortalFailure($receiptId:ID!$code:String!){reportFailure(receiptId:$receiptId code:$code){receiptId status}}') as Operation<PortalFailureMutation, PortalFailureMutationVariables>;
export const PortalTracking = ('mutation PortalTracking($receiptId:ID!$status:String!){reportTracking(receiptId:$receiptId status:$status){receiptId status}}') as Operation<PortalTrackingMutation, PortalTrackingMutationVariables>;
export const PortalStatus = ('subscription PortalStatus($receiptId:ID!$afterSeq:Int){receiptStatus(receiptId:$receiptId afterSeq:$afterSeq){receiptId seq kind status previousStatus tracking at transactionHash}}') as Operation<PortalStatusSubscription, PortalStatusSubscriptionVariables>;