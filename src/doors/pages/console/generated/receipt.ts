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

/** `refunded` once transactions have proven the whole amount. */
export type RefundState =
  /** Transactions prove the whole amount. */
  | 'refunded'
  /** Requested, and not or only partly proven. */
  | 'requested';

/** The state of a delivery: attempts are pending, one was accepted, or all have failed. */
export type WebhookDeliveryState =
  /** The endpoint accepted an attempt. */
  | 'delivered'
  /** All attempts failed. */
  | 'failed'
  /** An attempt is due or running. */
  | 'pending';

/** What a webhook tells of. */
export type WebhookEventKind =
  /** A payee’s share of a receipt’s payment was released. */
  | 'payout_released'
  /** Every payee’s share was released. */
  | 'receipt_completed'
  /** A receipt was created, by an order, a request, the terminal or a charge. */
  | 'receipt_created'
  /** The payment failed, or the receipt expired or was voided. */
  | 'receipt_failed'
  /** The payment has its confirmations. */
  | 'receipt_paid'
  /** The receipt waits for a payment: a payment began, or one was taken back or tried again. */
  | 'receipt_pending'
  /** Everything that was paid was refunded. */
  | 'receipt_refunded'
  /** The status of a receipt changed, or its buyer’s side reported something. */
  | 'receipt_status_updated'
  /** An exact transfer was seen on chain. It lacks confirmations. */
  | 'receipt_tx_mined'
  /** A transfer was seen that is less than the amount due. */
  | 'receipt_tx_mismatch'
  /** A transaction has proven the refund of the rest of the payment. */
  | 'refund_completed'
  /** A transaction has proven the refund of a part of the payment. */
  | 'refund_partial'
  /** A refund was requested. */
  | 'refund_requested'
  /** A paid receipt sold more than the stock. */
  | 'stock_short'
  /** The customer cancelled, here or on the chain. */
  | 'subscription_cancelled'
  /** A reorganisation of the chain took a charge back. Its period is due again. */
  | 'subscription_charge_undone'
  /** A period was charged. */
  | 'subscription_charged'
  /** A customer subscribed to a plan. */
  | 'subscription_created'
  /** The permission has ended, or every retry failed. */
  | 'subscription_expired'
  /** A charge failed. It is retried. */
  | 'subscription_past_due'
  /** Money arrived that pays no receipt. */
  | 'transfer_unmatched';

export type ReceiptStoryFragment = { id: string, receiptId: string, merchant: string, status: ReceiptStatus, seq: number, totalUsd: number, currency: Currency, receivedUsd: number, refundedUsd: number, refundableUsd: number, createdAt: number, paidAt: number | null, expiresAt: number | null, closedAt: number | null, paymentUrl: string, transactionId: string | null, transactionHash: string | null, transactionUrl: string | null, buyerWallet: string | null, confirmations: number, confirmationsNeeded: number, acceptedUsd: string | null, pricing: { currency: Currency, originalTotal: number, originalLineItems: Array<{ amount: number }> } | null, billingAddress: { firstName: string | null, lastName: string | null, email: string | null, phone: string | null, line1: string | null, line2: string | null, zip: string | null, city: string | null, state: string | null, country: string | null } | null, lineItems: Array<{ label: string, qty: number | null, priceUsd: number, itemId: string | null }>, paid: { token: string, display: string } | null, missing: { token: string, display: string } | null, failure: { code: FailureCode, reason: string, action: string } | null, oversold: Array<{ sku: string, qty: number }>, settlement: Array<{ recipient: string, sharesBps: number, token: string, display: string | null, settledAt: number | null, selfRelease: boolean, transactionHash: string | null, transactionUrl: string | null }>, payments: Array<{ sender: string | null, token: string, display: string | null }>, refunds: Array<{ id: string, state: RefundState, usd: number, provenUsd: number, amount: number, currency: Currency, buyer: string, createdAt: number, refundedAt: number | null, transactions: Array<{ transactionHash: string, chainId: number, transactionUrl: string | null }> }>, history: Array<{ id: string, seq: number, kind: ReceiptEventKind, status: ReceiptStatus, previousStatus: ReceiptStatus | null, tracking: string | null, at: number, actor: string, transactionHash: string | null, accepted: { receivedUsd: string, missingUsd: string } | null }> };

export type OneReceiptQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type OneReceiptQuery = { receipt: { id: string, receiptId: string, merchant: string, status: ReceiptStatus, seq: number, totalUsd: number, currency: Currency, receivedUsd: number, refundedUsd: number, refundableUsd: number, createdAt: number, paidAt: number | null, expiresAt: number | null, closedAt: number | null, paymentUrl: string, transactionId: string | null, transactionHash: string | null, transactionUrl: string | null, buyerWallet: string | null, confirmations: number, confirmationsNeeded: number, acceptedUsd: string | null, pricing: { currency: Currency, originalTotal: number, originalLineItems: Array<{ amount: number }> } | null, billingAddress: { firstName: string | null, lastName: string | null, email: string | null, phone: string | null, line1: string | null, line2: string | null, zip: string | null, city: string | null, state: string | null, country: string | null } | null, lineItems: Array<{ label: string, qty: number | null, priceUsd: number, itemId: string | null }>, paid: { token: string, display: string } | null, missing: { token: string, display: string } | null, failure: { code: FailureCode, reason: string, action: string } | null, oversold: Array<{ sku: string, qty: number }>, settlement: Array<{ recipient: string, sharesBps: number, token: string, display: string | null, settledAt: number | null, selfRelease: boolean, transactionHash: string | null, transactionUrl: string | null }>, payments: Array<{ sender: string | null, token: string, display: string | null }>, refunds: Array<{ id: string, state: RefundState, usd: number, provenUsd: number, amount: number, currency: Currency, buyer: string, createdAt: number, refundedAt: number | null, transactions: Array<{ transactionHash: string, chainId: number, transactionUrl: string | null }> }>, history: Array<{ id: string, seq: number, kind: ReceiptEventKind, status: ReceiptStatus, previousStatus: ReceiptStatus | null, tracking: string | null, at: number, actor: string, transactionHash: string | null, accepted: { receivedUsd: string, missingUsd: string } | null }> } };

export type ReceiptDeliveriesQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type ReceiptDeliveriesQuery = { webhookDeliveries: { nodes: Array<{ id: string, event: WebhookEventKind, state: WebhookDeliveryState, url: string, createdAt: number, finishedAt: number | null, attempts: Array<{ number: number, at: number, statusCode: number | null, error: string | null }> }> } };

export type AcceptReceiptMutationVariables = Exact<{
  receiptId: string | number;
}>;


export type AcceptReceiptMutation = { acceptPayment: { id: string, receiptId: string, merchant: string, status: ReceiptStatus, seq: number, totalUsd: number, currency: Currency, receivedUsd: number, refundedUsd: number, refundableUsd: number, createdAt: number, paidAt: number | null, expiresAt: number | null, closedAt: number | null, paymentUrl: string, transactionId: string | null, transactionHash: string | null, transactionUrl: string | null, buyerWallet: string | null, confirmations: number, confirmationsNeeded: number, acceptedUsd: string | null, pricing: { currency: Currency, originalTotal: number, originalLineItems: Array<{ amount: number }> } | null, billingAddress: { firstName: string | null, lastName: string | null, email: string | null, phone: string | null, line1: string | null, line2: string | null, zip: string | null, city: string | null, state: string | null, country: string | null } | null, lineItems: Array<{ label: string, qty: number | null, priceUsd: number, itemId: string | null }>, paid: { token: string, display: string } | null, missing: { token: string, display: string } | null, failure: { code: FailureCode, reason: string, action: string } | null, oversold: Array<{ sku: string, qty: number }>, settlement: Array<{ recipient: string, sharesBps: number, token: string, display: string | null, settledAt: number | null, selfRelease: boolean, transactionHash: string | null, transactionUrl: string | null }>, payments: Array<{ sender: string | null, token: string, display: string | null }>, refunds: Array<{ id: string, state: RefundState, usd: number, provenUsd: number, amount: number, currency: Currency, buyer: string, createdAt: number, refundedAt: number | null, transactions: Array<{ transactionHash: string, chainId: number, transactionUrl: string | null }> }>, history: Array<{ id: string, seq: number, kind: ReceiptEventKind, status: ReceiptStatus, previousStatus: ReceiptStatus | null, tracking: string | null, at: number, actor: string, transactionHash: string | null, accepted: { receivedUsd: string, missingUsd: string } | null }> } };

export type VoidReceiptMutationVariables = Exact<{
  receiptId: string | number;
}>;


export type VoidReceiptMutation = { voidReceipt: { id: string, receiptId: string, merchant: string, status: ReceiptStatus, seq: number, totalUsd: number, currency: Currency, receivedUsd: number, refundedUsd: number, refundableUsd: number, createdAt: number, paidAt: number | null, expiresAt: number | null, closedAt: number | null, paymentUrl: string, transactionId: string | null, transactionHash: string | null, transactionUrl: string | null, buyerWallet: string | null, confirmations: number, confirmationsNeeded: number, acceptedUsd: string | null, pricing: { currency: Currency, originalTotal: number, originalLineItems: Array<{ amount: number }> } | null, billingAddress: { firstName: string | null, lastName: string | null, email: string | null, phone: string | null, line1: string | null, line2: string | null, zip: string | null, city: string | null, state: string | null, country: string | null } | null, lineItems: Array<{ label: string, qty: number | null, priceUsd: number, itemId: string | null }>, paid: { token: string, display: string } | null, missing: { token: string, display: string } | null, failure: { code: FailureCode, reason: string, action: string } | null, oversold: Array<{ sku: string, qty: number }>, settlement: Array<{ recipient: string, sharesBps: number, token: string, display: string | null, settledAt: number | null, selfRelease: boolean, transactionHash: string | null, transactionUrl: string | null }>, payments: Array<{ sender: string | null, token: string, display: string | null }>, refunds: Array<{ id: string, state: RefundState, usd: number, provenUsd: number, amount: number, currency: Currency, buyer: string, createdAt: number, refundedAt: number | null, transactions: Array<{ transactionHash: string, chainId: number, transactionUrl: string | null }> }>, history: Array<{ id: string, seq: number, kind: ReceiptEventKind, status: ReceiptStatus, previousStatus: ReceiptStatus | null, tracking: string | null, at: number, actor: string, transactionHash: string | null, accepted: { receivedUsd: string, missingUsd: string } | null }> } };

export type RedeliverWebhookMutationVariables = Exact<{
  deliveryId: string | number;
}>;


export type RedeliverWebhookMutation = { redeliverWebhook: { id: string, state: WebhookDeliveryState, finishedAt: number | null } };

const ReceiptStoryText = 'fragment ReceiptStory on Receipt{id receiptId merchant status seq totalUsd currency pricing{currency originalTotal originalLineItems{amount}}receivedUsd refundedUsd refundableUsd createdAt paidAt expiresAt closedAt paymentUrl transactionId transactionHash transactionUrl buyerWallet confirmations confirmationsNeeded acceptedUsd billingAddress{firstName lastName email phone line1 line2 zip city state country}lineItems{label qty priceUsd itemId}paid{token display}missing{token display}failure{code reason action}oversold{sku qty}settlement{recipient sharesBps token display settledAt selfRelease transactionHash transactionUrl}payments{sender token display}refunds{id state usd provenUsd amount currency buyer createdAt refundedAt transactions{transactionHash chainId transactionUrl}}history{id seq kind status previousStatus tracking at actor transactionHash accepted{receivedUsd missingUsd}}}';
export const OneReceipt = ('query OneReceipt($receiptId:ID!){receipt(receiptId:$receiptId){...ReceiptStory}}' + ReceiptStoryText) as Operation<OneReceiptQuery, OneReceiptQueryVariables>;
export const ReceiptDeliveries = ('query ReceiptDeliveries($receiptId:ID!){webhookDeliveries(receiptId:$receiptId first:50){nodes{id event state url createdAt finishedAt attempts{number at statusCode error}}}}') as Operation<ReceiptDeliveriesQuery, ReceiptDeliveriesQueryVariables>;
export const AcceptReceipt = ('mutation AcceptReceipt($receiptId:ID!){acceptPayment(receiptId:$receiptId){...ReceiptStory}}' + ReceiptStoryText) as Operation<AcceptReceiptMutation, AcceptReceiptMutationVariables>;
export const VoidReceipt = ('mutation VoidReceipt($receiptId:ID!){voidReceipt(receiptId:$receiptId){...ReceiptStory}}' + ReceiptStoryText) as Operation<VoidReceiptMutation, VoidReceiptMutationVariables>;
export const RedeliverWebhook = ('mutation RedeliverWebhook($deliveryId:ID!){redeliverWebhook(deliveryId:$deliveryId){id state finishedAt}}') as Operation<RedeliverWebhookMutation, RedeliverWebhookMutationVariables>;