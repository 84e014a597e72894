/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../client/graphql.ts';
/** The status of a card checkout. */
export type CardSessionStatus =
  /** The buyer left the page. */
  | 'abandoned'
  /** The buyer cancelled. */
  | 'cancelled'
  /** The buyer did not pay in time. */
  | 'expired'
  /** The provider rejected the payment. */
  | 'failed'
  /** The tokens were delivered. */
  | 'fulfillment_complete'
  /** The card was charged. The tokens are on their way. */
  | 'fulfillment_processing'
  /** The page is open. */
  | 'initialized'
  /** The buyer has to pay. */
  | 'requires_payment';

/** A currency that prices can have. */
export type Currency =
  /** Euro. */
  | 'EUR'
  /** US dollar. */
  | 'USD';

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

export type PortalReceiptQueryVariables = Exact<{
  id: string | number;
}>;


export type PortalReceiptQuery = { receipt: { status: ReceiptStatus, seq: number, transactionHash: string | null, transactionTimestamp: number | null, expiresAt: number | null, closedAt: number | null, confirmations: number, confirmationsNeeded: number, receivedUsd: number, refundedUsd: number, missing: { token: string, amount: string, display: string } | null, paid: { token: string, display: string } | null, failure: { code: FailureCode } | null, cardSession: { status: CardSessionStatus } | null } };

export type PortalPublicQueryVariables = Exact<{
  id: string | number;
}>;


export type PortalPublicQuery = { receipt: { receiptId: string, status: ReceiptStatus, brandName: string, totalUsd: number, currency: Currency, transactionId: string | null, transactionHash: string | null, transactionUrl: string | null, createdAt: number, lineItems: Array<{ label: string, priceUsd: number, qty: number | null }> } };

export type PortalQuoteMutationVariables = Exact<{
  id: string | number;
  token: string;
  chainId?: number | null | undefined;
}>;


export type PortalQuoteMutation = { quotePayment: { token: string, chainId: number, amount: string, payTo: string, uri: string, expiresAt: number | null, decimals: number, display: string, qr: string } };

export type PortalRenewQuoteMutationVariables = Exact<{
  id: string | number;
  token: string;
  chainId?: number | null | undefined;
}>;


export type PortalRenewQuoteMutation = { renewQuote: { token: string, chainId: number, amount: string, payTo: string, uri: string, expiresAt: number | null, decimals: number, display: string, qr: string } };

export type PortalEmailMutationVariables = Exact<{
  id: string | number;
  email: string;
}>;


export type PortalEmailMutation = { setBuyerEmail: { receiptId: string } };

export type PortalSubmitMutationVariables = Exact<{
  id: string | number;
  transactionHash: string;
}>;


export type PortalSubmitMutation = { submitTransaction: { receiptId: string } };

export type PortalTestPayMutationVariables = Exact<{
  id: string | number;
  token: string;
  chainId?: number | null | undefined;
}>;


export type PortalTestPayMutation = { payWithTestWallet: { transactionHash: string } };

export type PortalRenewMutationVariables = Exact<{
  id: string | number;
}>;


export type PortalRenewMutation = { renewReceipt: { receiptId: string } };

export type PortalCardMutationVariables = Exact<{
  id: string | number;
}>;


export type PortalCardMutation = { startCardCheckout: { url: string | null, opensInNewTab: boolean } };

export type PortalFailureMutationVariables = Exact<{
  id: string | number;
  code: FailureCode;
}>;


export type PortalFailureMutation = { reportFailure: { receiptId: string } };

export type PortalTrackingMutationVariables = Exact<{
  id: string | number;
  status: string;
}>;


export type PortalTrackingMutation = { reportTracking: { receiptId: string } };

export type PortalStatusSubscriptionVariables = Exact<{
  id: string | number;
  afterSeq?: number | null | undefined;
}>;


export type PortalStatusSubscription = { receiptStatus: { seq: number, kind: ReceiptEventKind, status: ReceiptStatus, tracking: string | null } };

export const PortalReceipt = ('query PortalReceipt($id:ID!){receipt(receiptId:$id){status seq transactionHash transactionTimestamp expiresAt closedAt confirmations confirmationsNeeded missing{token amount display}paid{token display}receivedUsd refundedUsd failure{code}cardSession{status}}}') as Operation<PortalReceiptQuery, PortalReceiptQueryVariables>;
export const PortalPublic = ('query PortalPublic($id:ID!){receipt(receiptId:$id){receiptId status brandName totalUsd currency lineItems{label priceUsd qty}transactionId transactionHash transactionUrl createdAt}}') as Operation<PortalPublicQuery, PortalPublicQueryVariables>;
export const PortalQuote = ('mutation PortalQuote($id:ID!$token:String!$chainId:SafeInt){quotePayment(receiptId:$id token:$token chainId:$chainId){token chainId amount payTo uri expiresAt decimals display qr}}') as Operation<PortalQuoteMutation, PortalQuoteMutationVariables>;
export const PortalRenewQuote = ('mutation PortalRenewQuote($id:ID!$token:String!$chainId:SafeInt){renewQuote(receiptId:$id token:$token chainId:$chainId){token chainId amount payTo uri expiresAt decimals display qr}}') as Operation<PortalRenewQuoteMutation, PortalRenewQuoteMutationVariables>;
export const PortalEmail = ('mutation PortalEmail($id:ID!$email:String!){setBuyerEmail(receiptId:$id email:$email){receiptId}}') as Operation<PortalEmailMutation, PortalEmailMutationVariables>;
export const PortalSubmit = ('mutation PortalSubmit($id:ID!$transactionHash:Hex!){submitTransaction(receiptId:$id transactionHash:$transactionHash){receiptId}}') as Operation<PortalSubmitMutation, PortalSubmitMutationVariables>;
export const PortalTestPay = ('mutation PortalTestPay($id:ID!$token:String!$chainId:SafeInt){payWithTestWallet(receiptId:$id token:$token chainId:$chainId){transactionHash}}') as Operation<PortalTestPayMutation, PortalTestPayMutationVariables>;
export const PortalRenew = ('mutation PortalRenew($id:ID!){renewReceipt(receiptId:$id){receiptId}}') as Operation<PortalRenewMutation, PortalRenewMutationVariables>;
export const PortalCard = ('mutation PortalCard($id:ID!){startCardCheckout(receiptId:$id){url opensInNewTab}}') as Operation<PortalCardMutation, PortalCardMutationVariables>;
export const PortalFailure = ('mutation PortalFailure($id:ID!$code:FailureCode!){reportFailure(receiptId:$id code:$code){receiptId}}') as Operation<PortalFailureMutation, PortalFailureMutationVariables>;
export const PortalTracking = ('mutation PortalTracking($id:ID!$status:String!){reportTracking(receiptId:$id status:$status){receiptId}}') as Operation<PortalTrackingMutation, PortalTrackingMutationVariables>;
export const PortalStatus = ('subscription PortalStatus($id:ID!$afterSeq:Int){receiptStatus(receiptId:$id afterSeq:$afterSeq){seq kind status tracking}}') as Operation<PortalStatusSubscription, PortalStatusSubscriptionVariables>;