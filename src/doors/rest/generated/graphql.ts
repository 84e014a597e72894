/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The billing details of the buyer. Omitted fields are not stored. */
export type BillingAddressInput = {
  /** City. */
  city?: string | null | undefined;
  /** Country in two letters (ISO 3166), for example `DE`. */
  country?: string | null | undefined;
  /** E-mail address. */
  email?: string | null | undefined;
  /** First name. */
  firstName?: string | null | undefined;
  /** Last name. */
  lastName?: string | null | undefined;
  /** Street and number. */
  line1?: string | null | undefined;
  /** Second line of the address. */
  line2?: string | null | undefined;
  /** Phone number. */
  phone?: string | null | undefined;
  /** State or region. */
  state?: string | null | undefined;
  /** Zip or postal code. */
  zip?: string | null | undefined;
};

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

/** Why a subscription was not charged, or an error code. */
export type ChargeReason =
  /** PersistedQueryNotFound. */
  | 'PERSISTED_QUERY_NOT_FOUND'
  /** PersistedQueryNotSupported. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** The token would not accept this authorization. */
  | 'authorization_refused'
  /** This authorization is already used. */
  | 'authorization_used'
  /** The cursor is not one of this list in this order, or of this stream. */
  | 'bad_cursor'
  /** The chain cannot be reached right now. */
  | 'chain_unavailable'
  /** The charge did not go through. */
  | 'charge_failed'
  /** The cursor is from before the database was restored: read the current state, then follow after `resumeAfter`. */
  | 'cursor_expired'
  /** The database is temporarily unavailable. */
  | 'datastore_unavailable'
  /** The customer’s wallet cannot pay. */
  | 'declined'
  /** Withdraw with your own wallet: collect, then call release on the split contract. */
  | 'deprecated'
  /** No document has this id. */
  | 'document_not_found'
  /** No current exchange rate for this currency. */
  | 'exchange_rate_unavailable'
  /** The permission has ended. */
  | 'expired'
  /** Something went wrong; retry after a delay. */
  | 'failed'
  /** The fees of the chain exceed the limit. */
  | 'fees_too_high'
  /** Insufficient scope or not allowed. */
  | 'forbidden'
  /** This payment cannot be made without gas here. */
  | 'gasless_unavailable'
  /** The amount must be a number from 0.01 to 10000000.00 with at most two decimals. */
  | 'invalid_amount'
  /** buyer must be 0x followed by 40 hex characters. */
  | 'invalid_buyer'
  /** Invalid request parameters. */
  | 'invalid_input'
  /** The spend permission does not fit the plan. */
  | 'invalid_permission'
  /** The customer’s signature does not match these terms. */
  | 'invalid_signature'
  /** usd must be a number from 0.01 to 10000000.00 with at most two decimals. */
  | 'invalid_usd'
  /** A wallet must be 0x followed by 40 hex characters. */
  | 'invalid_wallet'
  /** Product not found in inventory. */
  | 'inventory_item_not_found'
  /** At least one item is required. */
  | 'items_required'
  /** A merchant needs an owner: give another member the role first. */
  | 'last_owner'
  /** This shop does not take payments at the moment. */
  | 'merchant_suspended'
  /** Method not allowed. */
  | 'method_not_allowed'
  /** receiptId is required. */
  | 'missing_receipt_id'
  /** status is required. */
  | 'missing_status'
  /** The Accept header names no media type that this route answers with. */
  | 'not_acceptable'
  /** The charge is not due yet. */
  | 'not_due'
  /** Not found. */
  | 'not_found'
  /** The request body is larger than 1 MiB. */
  | 'payload_too_large'
  /** A payment of this receipt is already on its way. */
  | 'payment_underway'
  /** The operator has paused the token or its chain. */
  | 'payments_paused'
  /** The transaction was sent and is not mined yet. */
  | 'pending'
  /** The permission names another token or spender. */
  | 'permission_not_usable'
  /** Plan not found. */
  | 'plan_not_found'
  /** Platform recipient address not set up. */
  | 'platform_recipient_not_configured'
  /** Provide exactly one of subscriptionId, customer or merchant. */
  | 'query_required'
  /** The query is too complex. */
  | 'query_too_complex'
  /** Rate limit exceeded. */
  | 'rate_limited'
  /** This receipt has ended: it expired or was voided. */
  | 'receipt_ended'
  /** The releases that a merchant may ask for within 24 hours are used up. */
  | 'release_limit_reached'
  /** The transaction failed. */
  | 'reverted'
  /** The customer revoked the permission. */
  | 'revoked'
  /** This server does not release shares: recipients do so with their own wallets. */
  | 'settlement_not_configured'
  /** This server does not register merchants: ask its operator. */
  | 'signup_closed'
  /** The merchants that may register within 24 hours are used up. */
  | 'signup_limit_reached'
  /** Recurring charges are not set up on this server. */
  | 'spender_not_configured'
  /** The server’s wallet cannot pay the gas. */
  | 'spender_out_of_funds'
  /** Split contract not configured for this merchant. */
  | 'split_required'
  /** What new merchants may store together on a day is used up. */
  | 'storage_limit_reached'
  /** subscriptionId is required. */
  | 'subscription_id_required'
  /** The subscription is no longer active. */
  | 'subscription_not_active'
  /** Too many live streams are open at once. */
  | 'too_many_streams'
  /** Missing or invalid subscription key. */
  | 'unauthorized'
  /** Send JSON with Content-Type: application/json. */
  | 'unsupported_media_type'
  /** wallet is required. */
  | 'wallet_required';

/** A token on a chain that buyers may pay in. */
export type ChosenTokenInput = {
  /** A chain of the server (EIP-155). */
  chainId: number;
  /** The symbol of a token of this chain. */
  token: string;
};

/** The items of an order, its tax, and the optional fields of the receipt. */
export type CreateOrderInput = {
  /** The billing details of the buyer. */
  billingAddress?: BillingAddressInput | null | undefined;
  /** The buyer's e-mail address; the portal does not ask for it again. */
  buyerEmail?: string | null | undefined;
  /** USD or EUR; defaults to the currency of the items’ prices. */
  currency?: Currency | null | undefined;
  /** Minutes until the receipt ends if it is unpaid: 5 to 129600 (90 days), or 0 for never. */
  expiresInMinutes?: number | null | undefined;
  /** At least one. */
  items: Array<OrderItemInput>;
  /** The code of the jurisdiction whose tax applies, as in the tax catalog. */
  jurisdictionCode?: string | null | undefined;
  /** JSON object of at most 8 KiB and 50 keys; returned with the receipt and in webhooks. */
  metadata?: unknown;
  /** A redirect URL or a script, run after payment. */
  onSuccess?: string | null | undefined;
  /** HTTPS URL that the card provider returns the buyer to. */
  redirectUrl?: string | null | undefined;
  /** URL that the buyer's browser goes to after payment. */
  successUrl?: string | null | undefined;
  /** The components of the jurisdiction to apply; all if left out. */
  taxComponents?: Array<string> | null | undefined;
  /** A tax rate from 0 to 1; takes precedence over the jurisdiction’s rate. */
  taxRate?: number | null | undefined;
  /** The merchant's own reference; returned with the receipt. */
  transactionId?: string | number | null | undefined;
  /** HTTPS endpoint that receives every change, signed with the key of the request. */
  webhookUrl?: string | null | undefined;
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

/** The id and lines of a receipt, and its optional fields. */
export type CreateReceiptInput = {
  /** The billing details of the buyer. */
  billingAddress?: BillingAddressInput | null | undefined;
  /** The buyer's e-mail address; the portal does not ask for it again. */
  buyerEmail?: string | null | undefined;
  /** Minutes until the receipt ends if it is unpaid: 5 to 129600 (90 days), or 0 for never. */
  expiresInMinutes?: number | null | undefined;
  /** The caller’s own id, unique per merchant. */
  id: string | number;
  /** The lines and their total. */
  lines: ReceiptLinesInput;
  /** JSON object of at most 8 KiB and 50 keys; returned with the receipt and in webhooks. */
  metadata?: unknown;
  /** A redirect URL or a script, run after payment. */
  onSuccess?: string | null | undefined;
  /** HTTPS URL that the card provider returns the buyer to. */
  redirectUrl?: string | null | undefined;
  /** URL that the buyer's browser goes to after payment. */
  successUrl?: string | null | undefined;
  /** The merchant's own reference; returned with the receipt. */
  transactionId?: string | number | null | undefined;
  /** HTTPS endpoint that receives every change, signed with the key of the request. */
  webhookUrl?: string | null | undefined;
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

/** A new endpoint. */
export type CreateWebhookEndpointInput = {
  /** A note of at most 500 characters. */
  description?: string | null | undefined;
  /** Whether it receives events from now on. Default: true. */
  enabled?: boolean | null | undefined;
  /** The events that it receives. Kinds of events, such as `receipt.paid`, all kinds of one resource, such as `receipt.*`, or `*` for every kind. */
  kinds: Array<string>;
  /** A public https address, such as `https://shop.test/hooks`. */
  url: string;
};

/** A currency that prices can have. */
export type Currency =
  /** Euro. */
  | 'EUR'
  /** US dollar. */
  | 'USD';

/** The state of something that the service depends on. */
export type DependencyState =
  /** It does not answer, or lags behind. */
  | 'down'
  /** It is not used. */
  | 'off'
  /** It works. */
  | 'up';

/** A discount from a minimum number of minutes. */
export type DiscountRuleInput = {
  /** Percent, 0 to 100, at most two decimals. */
  discountPct: number;
  /** A whole number from 0 to 525600. */
  minMinutes: number;
};

/** What an event reports. */
export type EventKind =
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

/** A group of failure codes. */
export type FailureCategory =
  /** The wallet or the transaction failed. */
  | 'blockchain'
  /** The card was declined. */
  | 'card_decline'
  /** A check of the buyer’s identity or region failed. */
  | 'compliance'
  /** The amount is outside of a limit. */
  | 'limits'
  /** The buyer left, cancelled or waited too long. */
  | 'session'
  /** The payment network failed. */
  | 'system';

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

/** An item of the catalog, by its id or by its SKU. */
export type InventoryItemBy =
  {   /** The id assigned by the server. */
  id: string | number; sku?: never; }
  |  { id?: never;   /** The merchant's own identifier. */
  sku: string; };

/** A new product, or the fields to change of the product with this SKU. The price is either `priceUsd`, or `price` with `currency`. */
export type InventoryItemInput = {
  /** An object of at most 8 KiB. Null clears. */
  attributes?: unknown;
  /** Null clears. */
  category?: string | null | undefined;
  /** The merchant’s cost. Null clears it. */
  costUsd?: number | null | undefined;
  /** `USD` or `EUR`. */
  currency?: Currency | null | undefined;
  /** Null clears. */
  description?: string | null | undefined;
  /** Replaces all pictures: https addresses or data URIs. */
  images?: Array<string> | null | undefined;
  /** Null clears. */
  jurisdictionCode?: string | null | undefined;
  /** The name shown to buyers. Required for a new item. */
  name?: string | null | undefined;
  /** In major units of `currency`, 0 or more. */
  price?: number | null | undefined;
  /** In US dollars, 0 or more. */
  priceUsd?: number | null | undefined;
  /** The SKU. The product is created if there is none with it, else changed. */
  sku: string;
  /** The number in stock; -1 means unlimited. */
  stockQty?: number | null | undefined;
  /** Replaces all tags. */
  tags?: Array<string> | null | undefined;
  /** Whether tax applies to it. */
  taxable?: boolean | null | undefined;
  /** A small picture. Null clears. */
  thumb?: string | null | undefined;
  /** Optional; must be the caller's own merchant. */
  wallet?: string | null | undefined;
};

/** The sort key of a list of items. */
export type InventorySort =
  /** By name. */
  | 'name'
  /** By price in US dollars. */
  | 'priceUsd'
  /** By SKU. */
  | 'sku'
  /** By stock. */
  | 'stockQty'
  /** By the time of the last change. */
  | 'updatedAt';

/** The properties of a new developer key. */
export type IssueKeyInput = {
  /** Addresses and networks from which it may be used. Default: all. */
  addresses?: Array<string> | null | undefined;
  /** When it stops working by itself. Default: never. */
  expiresAt?: number | null | undefined;
  /** A name for people. */
  label?: string | null | undefined;
  /** The origins from which browsers may use it. Default: all. */
  origins?: Array<string> | null | undefined;
  /** What it may do: at least one. */
  scopes: Array<Scope>;
  /** Whether it runs only trusted documents over GraphQL. Default: false. */
  trustedOnly?: boolean | null | undefined;
};

/** Whether a developer key works. */
export type KeyState =
  /** It works. */
  | 'active'
  /** Its time is over. It is refused, and signs the webhooks of the receipts that it created. */
  | 'expired'
  /** It was revoked. It is refused, and signs the webhooks of the receipts that it created. */
  | 'revoked';

/** A line in US dollars. */
export type LegacyLineInput = {
  /** The text of the line. */
  label: string;
  /** Extended amount in US dollars (legacy lines). */
  priceUsd: number;
  /** Descriptive; amounts are not multiplied by it. */
  qty?: number | null | undefined;
};

/** Lines in US dollars, and their total. */
export type LegacyLinesInput = {
  /** At least one. */
  lineItems: Array<LegacyLineInput>;
  /** Legacy total; must equal the sum of the lines. */
  totalUsd?: number | null | undefined;
};

/** A line in the receipt’s currency. */
export type NativeLineInput = {
  /** Extended amount (unit price × quantity) in the receipt’s currency, in major units. */
  amount: number;
  /** The text of the line. */
  label: string;
  /** Descriptive; amounts are not multiplied by it. */
  qty?: number | null | undefined;
};

/** Lines in one currency, and their total. */
export type NativeLinesInput = {
  /** USD (default) or EUR, for native lines. */
  currency?: Currency | null | undefined;
  /** At least one. */
  lineItems: Array<NativeLineInput>;
  /** Native total; must equal the sum of the lines. */
  total?: number | null | undefined;
};

/** An ordered product and its quantity. */
export type OrderItemInput = {
  /** The product. */
  item: InventoryItemBy;
  /** A whole number from 1 to 100000. */
  qty: number;
};

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

/** The fields to change. Omitted fields keep their values; null clears a field. */
export type PricingConfigInput = {
  /** Replaces all rules. */
  discountRules?: Array<DiscountRuleInput> | null | undefined;
  /** Ether for two minutes. */
  ethPer2Min?: number | null | undefined;
  /** A whole number from 0 to 525600. */
  minMinutes?: number | null | undefined;
  /** USD or EUR. */
  nativeCurrency?: Currency | null | undefined;
  /** Optional; must be the caller's own merchant. */
  wallet?: string | null | undefined;
};

/** The source of an exchange rate. */
export type RateProvider =
  /** A Chainlink price feed. */
  | 'chainlink'
  /** The daily reference rates of the European Central Bank. */
  | 'ecb'
  /** One to one. */
  | 'par'
  /** Configured by the operator. */
  | 'static';

/** The status of a receipt in the terms of `GET /api/receipts/status`. */
export type ReceiptEndpointStatus =
  /** Every recipient’s share was released. */
  | 'completed'
  /** The attempt to pay failed, or the receipt expired or was voided. */
  | 'failed'
  /** Created from an order. No amount was quoted yet. */
  | 'generated'
  /** Waits for money. */
  | 'pending'
  /** Paid: recipient and amount are validated. */
  | 'recipient_validated'
  /** The payment was refunded. */
  | 'refunded'
  /** What is due was seen on the chain and waits for its confirmations. */
  | 'tx_mined'
  /** Money arrived, but less than is due. */
  | 'tx_mismatch';

/** Conditions on receipts; all that are given must hold. Both ends of a range are included. Changes of the last second may be missing. */
export type ReceiptFilter = {
  /** The buyer’s e-mail address, in any letter case. */
  buyerEmail?: string | null | undefined;
  /** The wallet that paid, or that subscribed. */
  buyerWallet?: string | null | undefined;
  /** Created at this time or later. */
  createdFrom?: number | null | undefined;
  /** Created at this time or earlier. */
  createdTo?: number | null | undefined;
  /** The currency of the receipt: USD or EUR. */
  currency?: Currency | null | undefined;
  /** Receipts that the merchant should look at: the amount does not match, the receipt has ended with money of its buyer, items were sold beyond the stock, the payment is stuck, or a refund is open. False: the other receipts. */
  needsAttention?: boolean | null | undefined;
  /** How the receipt was created. */
  origin?: ReceiptOrigin | null | undefined;
  /** Paid at this time or later. */
  paidFrom?: number | null | undefined;
  /** Paid at this time or earlier. */
  paidTo?: number | null | undefined;
  /** Charges of subscriptions to this plan. */
  planId?: string | number | null | undefined;
  /** Words, all of which must match: each is a whole value, or the beginning of one (at least 3 characters), of receipt id, reference, e-mail address, wallet, transaction hash, SKU, plan or subscription, in any letter case. `%` and `_` have no special meaning. */
  q?: string | null | undefined;
  /** Receipts with a line of exactly this SKU. */
  sku?: string | null | undefined;
  /** One of these statuses, as in `Receipt.status`: `[paid, completed]`. */
  statuses?: Array<ReceiptStatus> | null | undefined;
  /** Charges of this subscription. */
  subscriptionId?: string | number | null | undefined;
  /** A total of at most this amount in US dollars. */
  totalMax?: number | null | undefined;
  /** A total of at least this amount in US dollars. */
  totalMin?: number | null | undefined;
  /** A transaction that pays or refunds the receipt, or that the buyer submitted for it. */
  transactionHash?: string | null | undefined;
  /** Exactly this reference of the merchant: `cart-1042`. */
  transactionId?: string | number | null | undefined;
};

/** The lines of a receipt, in one of two formats. */
export type ReceiptLinesInput =
  {   /** In US dollars. */
  legacy: LegacyLinesInput; native?: never; }
  |  { legacy?: never;   /** In a currency of the caller’s choice. */
  native: NativeLinesInput; };

/** The order of receipts. Equal values are ordered by id. */
export type ReceiptOrder = {
  /** Default: `desc`. */
  direction?: SortOrder | null | undefined;
  /** Default: `createdAt`. */
  field?: ReceiptSort | null | undefined;
};

/** How a receipt was created. */
export type ReceiptOrigin =
  /** By the charge of a subscription. */
  | 'charge'
  /** By an order: items of the catalog, with tax and fee. */
  | 'order'
  /** By a request with lines of its own. */
  | 'receipt'
  /** At the till. */
  | 'terminal';

/** The status of a receipt in the order flow. */
export type ReceiptRecordStatus =
  /** Every recipient’s share was released. */
  | 'completed'
  /** The attempt to pay failed, or the receipt expired or was voided. */
  | 'failed'
  /** Created from an order. No amount was quoted yet. */
  | 'generated'
  /** The payment has its confirmations. */
  | 'paid'
  /** Waits for money, for the rest of it, or for its confirmations. */
  | 'pending'
  /** The payment was refunded. */
  | 'refunded';

/** What receipts are ordered by. */
export type ReceiptSort =
  /** By the time of creation. */
  | 'createdAt'
  /** By the time of payment. Only receipts that were paid are listed. */
  | 'paidAt'
  /** By total. */
  | 'totalUsd';

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

/** A role of a signed-in wallet. */
export type Role =
  /** Administers its own merchant. */
  | 'admin'
  /** The wallet of a registered merchant. */
  | 'merchant'
  /** Named by the operator; acts for any merchant at the till. */
  | 'platform_admin'
  /** Every signed-in wallet. */
  | 'user';

/** A permission of a developer key. REST writes it with a colon. */
export type Scope =
  /** Sends GraphQL queries and subscriptions (`graphql:read`). */
  | 'graphql_read'
  /** Reads the catalog (`inventory:read`). */
  | 'inventory_read'
  /** Changes the catalog (`inventory:write`). */
  | 'inventory_write'
  /** Places orders (`orders:create`). */
  | 'orders_create'
  /** Reads receipts and their status (`receipts:read`). */
  | 'receipts_read'
  /** Creates receipts and reports the buyer’s progress (`receipts:write`). */
  | 'receipts_write'
  /** Reads shop, prices, taxes, balances and reserve (`shop:read`). */
  | 'shop_read'
  /** Reads the split and its transactions (`split:read`). */
  | 'split_read'
  /** Searches users and follows their presence (`users:read`). */
  | 'users_read';

/** The state of the service. */
export type ServiceHealth =
  /** The database works, something else does not. */
  | 'degraded'
  /** Everything works. */
  | 'ok'
  /** The database does not answer. */
  | 'unavailable';

/** The fields to change. Omitted fields keep their values; null clears a field. */
export type ShopConfigInput = {
  /** Whether buyers may renew expired receipts, at the current price. */
  allowRenewal?: boolean | null | undefined;
  /** A keyword for the layout. */
  arrangement?: string | null | undefined;
  /** About the people behind the shop. */
  bio?: string | null | undefined;
  /** What the shop sells. */
  description?: string | null | undefined;
  /** Whether buyers may pay with a signature, so that the operator pays the gas. */
  gasless?: boolean | null | undefined;
  /** Whether orders hold the stock of their items until they are paid or end. */
  holdStock?: boolean | null | undefined;
  /** For how many hours after a receipt has expired money still pays it: 0 to 720. */
  lateHours?: number | null | undefined;
  /** Replaces all links. */
  links?: Array<ShopLinkInput> | null | undefined;
  /** The name shown to buyers. */
  name?: string | null | undefined;
  /** What buyers may pay in, most preferred first; null: everything. Money in other tokens and on other chains is listed as unmatched. */
  paymentTokens?: Array<ChosenTokenInput> | null | undefined;
  /** Whether scripts supplied with orders may run in the buyer’s browser, in a sandbox. */
  postPaymentScripts?: boolean | null | undefined;
  /** Percent, 0 to 20, at most two decimals. */
  processingFeePct?: number | null | undefined;
  /** Whether the merchant has completed the setup. */
  setupComplete?: boolean | null | undefined;
  /** Lower-case letters, digits and hyphens. */
  slug?: string | null | undefined;
  /** The look of its pages. Omitted fields keep their values. */
  theme?: ShopThemeInput | null | undefined;
  /** How much of a total may be missing, in percent: 0 to 10, at most two decimals. */
  tolerancePct?: number | null | undefined;
  /** How much may be missing, in US dollars: 0 to 1000, at most two decimals. */
  toleranceUsd?: number | null | undefined;
  /** Optional; must be the caller's own merchant. */
  wallet?: string | null | undefined;
  /** 0 to 1,000,000. */
  xpPerDollar?: number | null | undefined;
};

/** A link for the shop to show. */
export type ShopLinkInput = {
  /** The text of the link. */
  label: string;
  /** An https address. */
  url: string;
};

/** The theme fields to change; null clears a field. */
export type ShopThemeInput = {
  /** A CSS hex colour. */
  accentColor?: string | null | undefined;
  /** An https address or a data URI. */
  brandLogoUrl?: string | null | undefined;
  /** An https address or a data URI. */
  coverPhotoUrl?: string | null | undefined;
  /** Font names, in order of preference. */
  fontFamily?: string | null | undefined;
  /** A keyword for the title’s size. */
  heroFontSize?: string | null | undefined;
  /** A keyword for the logo’s frame. */
  logoShape?: string | null | undefined;
  /** A CSS hex colour. */
  primaryColor?: string | null | undefined;
  /** A CSS hex colour. */
  secondaryColor?: string | null | undefined;
  /** A CSS hex colour. */
  textColor?: string | null | undefined;
};

/** The sort direction. */
export type SortOrder =
  /** Ascending. */
  | 'asc'
  /** Descending. */
  | 'desc';

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

/** A split. The shares add up to 10000 with the platform's 50 or more, or to 9950 without it. */
export type SplitInput = {
  /** Default: 9950 for the merchant, 50 for the platform. */
  recipients?: Array<SplitRecipientInput> | null | undefined;
  /** The address of your own contract. Default: a contract is created from the recipients. */
  splitAddress?: string | null | undefined;
  /** Optional; must be the caller's own merchant. */
  wallet?: string | null | undefined;
};

/** A recipient of a share of every payment. */
export type SplitRecipientInput = {
  /** 0x followed by 40 hex characters. */
  address: string;
  /** Basis points, 1 to 10000. */
  sharesBps: number;
};

/** The status of a payment that a split has received. */
export type SplitTransactionStatus =
  /** Every payee has its share. */
  | 'completed'
  /** Some share is not released yet. */
  | 'pending';

/** A filter by stock. */
export type StockFilter =
  /** No filter. */
  | 'any'
  /** In stock, or unlimited. */
  | 'in'
  /** Limited, with at most 5 pieces left. */
  | 'low'
  /** Out of stock. */
  | 'out';

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

/** One subscription, or all of a wallet. */
export type SubscriptionStatusOf =
  {   /** Lists the subscriptions that this wallet pays. */
  customer: string; merchant?: never; subscriptionId?: never; }
  |  { customer?: never;   /** Lists the subscriptions that pay this merchant. */
  merchant: string; subscriptionId?: never; }
  |  { customer?: never; merchant?: never;   /** One subscription. */
  subscriptionId: string | number; };

/** How to match several tags. */
export type TagsMode =
  /** All tags match. */
  | 'all'
  /** At least one tag matches. */
  | 'any';

/** One amount, in US dollars (`amountUsd`) or natively (`amount` with `currency`), and its tax. */
export type TerminalReceiptInput = {
  /** The amount before tax and fee in `currency`, in major units. */
  amount?: number | null | undefined;
  /** US dollars before tax and fee. */
  amountUsd?: number | null | undefined;
  /** USD or EUR, the currency of `amount`; defaults to the merchant’s native currency. */
  currency?: Currency | null | undefined;
  /** Minutes until the receipt ends if it is unpaid: 5 to 129600 (90 days), or 0 for never. */
  expiresInMinutes?: number | null | undefined;
  /** The code of the jurisdiction whose tax applies, as in the tax catalog. */
  jurisdictionCode?: string | null | undefined;
  /** The text of the line; defaults to “Payment”. */
  label?: string | null | undefined;
  /** The components of the jurisdiction to apply; all if left out. */
  taxComponents?: Array<string> | null | undefined;
  /** A tax rate from 0 to 1; takes precedence over the jurisdiction’s rate. */
  taxRate?: number | null | undefined;
  /** A tip in the same currency, in major units. It is a line of its own, without tax. */
  tip?: number | null | undefined;
  /** The merchant’s wallet. Required for platform admins; otherwise it defaults to the caller’s merchant. */
  wallet?: string | null | undefined;
};

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

/** Changes of an endpoint; what is left out stays. */
export type UpdateWebhookEndpointInput = {
  /** A note of at most 500 characters. */
  description?: string | null | undefined;
  /** True: it receives the events from now on. False: it receives nothing. */
  enabled?: boolean | null | undefined;
  /** The events that it receives. Kinds of events, such as `receipt.paid`, all kinds of one resource, such as `receipt.*`, or `*` for every kind. */
  kinds?: Array<string> | null | undefined;
  /** A public https address. Deliveries that are due go to it as well. */
  url?: string | null | undefined;
};

/** Why an endpoint is disabled. */
export type WebhookEndpointDisabledReason =
  /** An admin disabled it. */
  | 'by_admin'
  /** Every attempt has failed for five days. */
  | 'failing';

export type BillingBalanceQueryVariables = Exact<{ [key: string]: never; }>;


export type BillingBalanceQuery = { billing: { balances: Array<{ currency: string, available: number, reserved: number }>, usage: { monthUsd: number, orders: number, feesUsd: number, lastUpdatedAt: number } } };

export type CancelSubscriptionMutationVariables = Exact<{
  input: CancelSubscriptionInput;
}>;


export type CancelSubscriptionMutation = { cancelSubscription: { subscriptionId: string, planId: string, merchantWallet: string, customerWallet: string, priceUsd: number, period: PlanPeriod, chainId: number, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number, createdAt: number, updatedAt: number } };

export type ChargeDueSubscriptionsMutationVariables = Exact<{ [key: string]: never; }>;


export type ChargeDueSubscriptionsMutation = { chargeDueSubscriptions: { processed: number, succeeded: number, failed: number, durationMs: number, results: Array<{ success: boolean, subscriptionId: string, chargeId: string | null, transactionHash: string | null, amountUsd: number | null, feeUsd: number | null, nextChargeAt: number | null, reason: ChargeReason | null, failureCode: FailureCode | null }>, failedChains: Array<{ chainId: number, reason: ChargeReason }> | null } };

export type ChargeRecordFragment = { success: boolean, subscriptionId: string, chargeId: string | null, transactionHash: string | null, amountUsd: number | null, feeUsd: number | null, nextChargeAt: number | null, reason: ChargeReason | null, failureCode: FailureCode | null };

export type ChargeSubscriptionMutationVariables = Exact<{
  subscriptionId: string | number;
}>;


export type ChargeSubscriptionMutation = { chargeSubscription: { success: boolean, subscriptionId: string, chargeId: string | null, transactionHash: string | null, amountUsd: number | null, feeUsd: number | null, nextChargeAt: number | null, reason: ChargeReason | null, failureCode: FailureCode | null } };

export type CheckPaymentQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type CheckPaymentQuery = { checkPayment: { receiptId: string, status: ReceiptRecordStatus, paid: boolean, transactionHash: string | null } };

export type CreateOrderMutationVariables = Exact<{
  input: CreateOrderInput;
  idempotencyKey?: string | null | undefined;
}>;


export type CreateOrderMutation = { createOrder: { paymentUrl: string, expiresAt: number | null, receiptId: string, totalUsd: number, currency: Currency, createdAt: number, brandName: string, jurisdictionCode: string | null, taxRate: number | null, taxComponents: Array<string> | null, transactionId: string | null, metadata: unknown, status: ReceiptRecordStatus, lineItems: Array<{ label: string, priceUsd: number, qty: number | null, thumb: string | null, itemId: string | null, sku: string | null }>, pricing: { version: number, currency: Currency, usdPerUnit: number, quotedAt: number, provider: RateProvider, originalTotal: number, originalLineItems: Array<{ label: string, amount: number, qty: number | null }> } | null } };

export type CreatePlanMutationVariables = Exact<{
  input: CreatePlanInput;
}>;


export type CreatePlanMutation = { createPlan: { planId: string, name: string, description: string, priceUsd: number, period: PlanPeriod, active: boolean, createdAt: number } };

export type CreateReceiptMutationVariables = Exact<{
  input: CreateReceiptInput;
}>;


export type CreateReceiptMutation = { createReceipt: { paymentUrl: string, redirectUrl: string | null, webhookUrl: string | null, id: string, status: ReceiptRecordStatus } };

export type CreateSubscriptionMutationVariables = Exact<{
  input: CreateSubscriptionInput;
  idempotencyKey?: string | null | undefined;
}>;


export type CreateSubscriptionMutation = { createSubscription: { subscriptionId: string, status: SubscriptionState, nextChargeAt: number | null } };

export type CreateTerminalReceiptMutationVariables = Exact<{
  input: TerminalReceiptInput;
  idempotencyKey?: string | null | undefined;
}>;


export type CreateTerminalReceiptMutation = { createTerminalReceipt: { paymentUrl: string, expiresAt: number | null, receiptId: string, totalUsd: number, currency: Currency, createdAt: number, brandName: string, jurisdictionCode: string | null, taxRate: number | null, taxComponents: Array<string> | null, transactionId: string | null, metadata: unknown, status: ReceiptRecordStatus, lineItems: Array<{ label: string, priceUsd: number, qty: number | null, thumb: string | null, itemId: string | null, sku: string | null }>, pricing: { version: number, currency: Currency, usdPerUnit: number, quotedAt: number, provider: RateProvider, originalTotal: number, originalLineItems: Array<{ label: string, amount: number, qty: number | null }> } | null } };

export type CreateWebhookEndpointMutationVariables = Exact<{
  input: CreateWebhookEndpointInput;
  idempotencyKey?: string | null | undefined;
}>;


export type CreateWebhookEndpointMutation = { createWebhookEndpoint: { secret: string, endpoint: { id: string, url: string, description: string, kinds: Array<string>, enabled: boolean, disabledReason: WebhookEndpointDisabledReason | null, disabledAt: number | null, failingSince: number | null, previousSecretUntil: number | null, createdAt: number, updatedAt: number } } };

export type CreatedReceiptRecordFragment = { paymentUrl: string, redirectUrl: string | null, webhookUrl: string | null, id: string, status: ReceiptRecordStatus };

export type DeactivatePlanMutationVariables = Exact<{
  planId: string | number;
}>;


export type DeactivatePlanMutation = { deactivatePlan: { planId: string, name: string, description: string, priceUsd: number, period: PlanPeriod, active: boolean, createdAt: number } };

export type DeleteInventoryItemMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteInventoryItemMutation = { deleteInventoryItem: boolean };

export type DeleteWebhookEndpointMutationVariables = Exact<{
  endpointId: string | number;
}>;


export type DeleteWebhookEndpointMutation = { deleteWebhookEndpoint: boolean };

export type DeploySplitMutationVariables = Exact<{
  input: SplitInput;
}>;


export type DeploySplitMutation = { deploySplit: { idempotent: boolean, split: { address: string | null, recipients: Array<{ address: string, sharesBps: number }> } } };

export type EventsQueryVariables = Exact<{
  after?: string | null | undefined;
  limit?: number | null | undefined;
}>;


export type EventsQuery = { events: { nextCursor: string, events: Array<{ id: string, type: EventKind, createdAt: number, data: unknown }> } };

export type InventoryQueryVariables = Exact<{
  q?: string | null | undefined;
  category?: string | null | undefined;
  taxable?: boolean | null | undefined;
  stock?: StockFilter | null | undefined;
  priceMin?: number | null | undefined;
  priceMax?: number | null | undefined;
  tags?: Array<string> | string | null | undefined;
  tagsMode?: TagsMode | null | undefined;
  sort?: InventorySort | null | undefined;
  order?: SortOrder | null | undefined;
  limit?: number | null | undefined;
  page?: number | null | undefined;
}>;


export type InventoryQuery = { inventoryPage: { total: number, page: number, pageSize: number, items: Array<{ id: string, sku: string, name: string, priceUsd: number | null, price: number | null, currency: Currency | null, stockQty: number, taxable: boolean, category: string | null, description: string | null, tags: Array<string>, images: Array<string>, thumb: string, attributes: unknown, costUsd: number | null, jurisdictionCode: string | null, createdAt: number, updatedAt: number, wallet: string }> } };

export type IssueKeyMutationVariables = Exact<{
  input: IssueKeyInput;
  idempotencyKey?: string | null | undefined;
}>;


export type IssueKeyMutation = { issueKey: { secret: string, key: { keyId: string, label: string | null, scopes: Array<Scope>, writes: boolean, state: KeyState, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null, origins: Array<string>, addresses: Array<string>, trustedOnly: boolean } | null } };

export type ItemRecordFragment = { id: string, sku: string, name: string, priceUsd: number | null, price: number | null, currency: Currency | null, stockQty: number, taxable: boolean, category: string | null, description: string | null, tags: Array<string>, images: Array<string>, thumb: string, attributes: unknown, costUsd: number | null, jurisdictionCode: string | null, createdAt: number, updatedAt: number, wallet: string };

export type KeyRecordFragment = { keyId: string, label: string | null, scopes: Array<Scope>, writes: boolean, state: KeyState, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null, origins: Array<string>, addresses: Array<string>, trustedOnly: boolean };

export type KeysQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type KeysQuery = { keys: { nodes: Array<{ keyId: string, label: string | null, scopes: Array<Scope>, writes: boolean, state: KeyState, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null, origins: Array<string>, addresses: Array<string>, trustedOnly: boolean }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } };

export type LiveUserRecordFragment = { wallet: string, displayName: string, pfpUrl: string, spaceUrl: string, liveSince: number | null, lastHeartbeat: number | null, languages: Array<string>, domains: Array<string>, platform: string, spacePublic: boolean };

export type LiveUsersQueryVariables = Exact<{ [key: string]: never; }>;


export type LiveUsersQuery = { liveUsers: Array<{ wallet: string, displayName: string, pfpUrl: string, spaceUrl: string, liveSince: number | null, lastHeartbeat: number | null, languages: Array<string>, domains: Array<string>, platform: string, spacePublic: boolean }> };

export type LoginMutationVariables = Exact<{
  wallet: string;
  nonce: string;
  signature: string;
}>;


export type LoginMutation = { login: { wallet: string, roles: Array<Role>, csrfToken: string } };

export type LoginChallengeMutationVariables = Exact<{
  wallet: string;
}>;


export type LoginChallengeMutation = { loginChallenge: { nonce: string, expiresAt: number, typedData: unknown } };

export type LogoutMutationVariables = Exact<{ [key: string]: never; }>;


export type LogoutMutation = { logout: boolean };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { me: { wallet: string, roles: Array<Role>, merchant: string | null } };

export type NewReceiptLineRecordFragment = { label: string, priceUsd: number, qty: number | null, thumb: string | null, itemId: string | null, sku: string | null };

export type NewReceiptRecordFragment = { receiptId: string, totalUsd: number, currency: Currency, createdAt: number, brandName: string, jurisdictionCode: string | null, taxRate: number | null, taxComponents: Array<string> | null, transactionId: string | null, metadata: unknown, status: ReceiptRecordStatus, lineItems: Array<{ label: string, priceUsd: number, qty: number | null, thumb: string | null, itemId: string | null, sku: string | null }>, pricing: { version: number, currency: Currency, usdPerUnit: number, quotedAt: number, provider: RateProvider, originalTotal: number, originalLineItems: Array<{ label: string, amount: number, qty: number | null }> } | null };

export type PayoutsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: PayoutFilter | null | undefined;
}>;


export type PayoutsQuery = { payouts: { nodes: Array<{ receiptId: string, recipient: string, sharesBps: number, split: string, chainId: number, token: string, decimals: number | null, amount: string | null, display: string | null, state: PayoutState, waitsFor: PayoutWaitsFor | null, requestedAt: number | null, createdAt: number, releasedAt: number | null, transactionHash: string | null, transactionUrl: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type PlanRecordFragment = { planId: string, name: string, description: string, priceUsd: number, period: PlanPeriod, active: boolean, createdAt: number };

export type PlansQueryVariables = Exact<{
  wallet: string;
}>;


export type PlansQuery = { activePlans: Array<{ planId: string, name: string, description: string, priceUsd: number, period: PlanPeriod, active: boolean, createdAt: number }> };

export type PricingConfigQueryVariables = Exact<{ [key: string]: never; }>;


export type PricingConfigQuery = { pricingConfig: { nativeCurrency: Currency, ethPer2Min: number | null, minMinutes: number | null, updatedAt: number | null, discountRules: Array<{ minMinutes: number, discountPct: number }> } };

export type PricingConfigRecordFragment = { nativeCurrency: Currency, ethPer2Min: number | null, minMinutes: number | null, updatedAt: number | null, discountRules: Array<{ minMinutes: number, discountPct: number }> };

export type PricingRecordFragment = { version: number, currency: Currency, usdPerUnit: number, quotedAt: number, provider: RateProvider, originalTotal: number, originalLineItems: Array<{ label: string, amount: number, qty: number | null }> };

export type ReceiptQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type ReceiptQuery = { receipt: { expiresAt: number | null, transactionHash: string | null, transactionTimestamp: number | null, receiptId: string, totalUsd: number, currency: Currency, createdAt: number, brandName: string, jurisdictionCode: string | null, taxRate: number | null, taxComponents: Array<string> | null, transactionId: string | null, metadata: unknown, status: ReceiptRecordStatus, lineItems: Array<{ label: string, priceUsd: number }>, billingAddress: { firstName: string | null, lastName: string | null, phone: string | null, email: string | null, line1: string | null, line2: string | null, city: string | null, state: string | null, zip: string | null, country: string | null } | null, pricing: { version: number, currency: Currency, usdPerUnit: number, quotedAt: number, provider: RateProvider, originalTotal: number, originalLineItems: Array<{ label: string, amount: number, qty: number | null }> } | null } };

export type ReceiptRecordFragment = { receiptId: string, totalUsd: number, currency: Currency, createdAt: number, brandName: string, jurisdictionCode: string | null, taxRate: number | null, taxComponents: Array<string> | null, transactionId: string | null, metadata: unknown, status: ReceiptRecordStatus, pricing: { version: number, currency: Currency, usdPerUnit: number, quotedAt: number, provider: RateProvider, originalTotal: number, originalLineItems: Array<{ label: string, amount: number, qty: number | null }> } | null };

export type ReceiptStatusQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type ReceiptStatusQuery = { receiptStatusReport: { status: ReceiptEndpointStatus, transactionHash: string | null, currency: string, amount: number, id: string, failure: { failureCode: FailureCode, failureCategory: FailureCategory, failureReason: string, failureAction: string } | null } };

export type ReceiptSummaryRecordFragment = { receiptId: string, totalUsd: number, currency: Currency, createdAt: number, brandName: string, status: ReceiptRecordStatus, lineItems: Array<{ label: string, priceUsd: number }> };

export type ReceiptsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: ReceiptFilter | null | undefined;
  orderBy?: ReceiptOrder | null | undefined;
  paged: boolean;
}>;


export type ReceiptsQuery = { receipts: { nodes: Array<{ receiptId: string, totalUsd: number, currency: Currency, createdAt: number, brandName: string, status: ReceiptRecordStatus, lineItems: Array<{ label: string, priceUsd: number }> }>, pageInfo: { hasNextPage: boolean, endCursor: string | null }, page?: { hasNextPage: boolean, endCursor: string | null } } };

export type RefundReceiptMutationVariables = Exact<{
  input: RefundReceiptInput;
  idempotencyKey?: string | null | undefined;
}>;


export type RefundReceiptMutation = { refundReceipt: { receiptId: string } };

export type ReportTrackingMutationVariables = Exact<{
  receiptId: string | number;
  status: string;
}>;


export type ReportTrackingMutation = { reportTracking: { receiptId: string } };

export type ReserveBalancesQueryVariables = Exact<{ [key: string]: never; }>;


export type ReserveBalancesQuery = { reserve: { updatedAt: number, balances: Array<{ currency: string, reserved: number, target: number }> } };

export type ReserveRecommendQueryVariables = Exact<{ [key: string]: never; }>;


export type ReserveRecommendQuery = { reserveAdvice: { windowDays: number, updatedAt: number, recommendations: Array<{ currency: string, target: number, basis: { refunded: number, paidOut: number } }> } };

export type RevokeKeyMutationVariables = Exact<{
  keyId: string | number;
}>;


export type RevokeKeyMutation = { revokeKey: { keyId: string, label: string | null, scopes: Array<Scope>, writes: boolean, state: KeyState, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null, origins: Array<string>, addresses: Array<string>, trustedOnly: boolean } };

export type RotateKeyMutationVariables = Exact<{
  keyId: string | number;
  overlapHours?: number | null | undefined;
  idempotencyKey?: string | null | undefined;
}>;


export type RotateKeyMutation = { rotateKey: { secret: string, key: { keyId: string, label: string | null, scopes: Array<Scope>, writes: boolean, state: KeyState, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null, origins: Array<string>, addresses: Array<string>, trustedOnly: boolean } | null } };

export type RotateWebhookSecretMutationVariables = Exact<{
  endpointId: string | number;
  overlapHours?: number | null | undefined;
  idempotencyKey?: string | null | undefined;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret: { secret: string, endpoint: { id: string, url: string, description: string, kinds: Array<string>, enabled: boolean, disabledReason: WebhookEndpointDisabledReason | null, disabledAt: number | null, failingSince: number | null, previousSecretUntil: number | null, createdAt: number, updatedAt: number } } };

export type SaveInventoryItemMutationVariables = Exact<{
  input: InventoryItemInput;
}>;


export type SaveInventoryItemMutation = { saveInventoryItem: { id: string, sku: string, name: string, priceUsd: number | null, price: number | null, currency: Currency | null, stockQty: number, taxable: boolean, category: string | null, description: string | null, tags: Array<string>, images: Array<string>, thumb: string, attributes: unknown, costUsd: number | null, jurisdictionCode: string | null, createdAt: number, updatedAt: number, wallet: string } };

export type SearchUsersQueryVariables = Exact<{
  q?: string | null | undefined;
  domains?: Array<string> | string | null | undefined;
  platforms?: Array<string> | string | null | undefined;
  languages?: Array<string> | string | null | undefined;
  minXp?: number | null | undefined;
  maxXp?: number | null | undefined;
  live?: boolean | null | undefined;
  limit?: number | null | undefined;
  scan?: number | null | undefined;
}>;


export type SearchUsersQuery = { searchUsers: { total: number | null, users: Array<{ wallet: string, displayName: string, pfpUrl: string, xp: number, live: boolean, lastSeen: number | null, lastHeartbeat: number | null, domains: Array<string>, platforms: Array<string>, languages: Array<string>, spacePublic: boolean }> } };

export type ShopConfigQueryVariables = Exact<{ [key: string]: never; }>;


export type ShopConfigQuery = { shopConfig: { name: string | null, description: string | null, bio: string | null, arrangement: string | null, xpPerDollar: number, slug: string | null, processingFeePct: number, setupComplete: boolean, postPaymentScripts: boolean, allowRenewal: boolean, holdStock: boolean, gasless: boolean, lateHours: number, tolerancePct: number, toleranceUsd: number, createdAt: number, updatedAt: number, theme: { primaryColor: string | null, secondaryColor: string | null, textColor: string | null, accentColor: string | null, brandLogoUrl: string | null, coverPhotoUrl: string | null, fontFamily: string | null, logoShape: string | null, heroFontSize: string | null }, links: Array<{ label: string, url: string }>, paymentTokens: Array<{ chainId: number, token: string }> | null } };

export type ShopRecordFragment = { name: string | null, description: string | null, bio: string | null, arrangement: string | null, xpPerDollar: number, slug: string | null, processingFeePct: number, setupComplete: boolean, postPaymentScripts: boolean, allowRenewal: boolean, holdStock: boolean, gasless: boolean, lateHours: number, tolerancePct: number, toleranceUsd: number, createdAt: number, updatedAt: number, theme: { primaryColor: string | null, secondaryColor: string | null, textColor: string | null, accentColor: string | null, brandLogoUrl: string | null, coverPhotoUrl: string | null, fontFamily: string | null, logoShape: string | null, heroFontSize: string | null }, links: Array<{ label: string, url: string }>, paymentTokens: Array<{ chainId: number, token: string }> | null };

export type SiteConfigQueryVariables = Exact<{ [key: string]: never; }>;


export type SiteConfigQuery = { siteConfig: { brandKey: string, processingFeePct: number, defaultPaymentToken: string | null, reserveRatios: unknown, theme: { primaryColor: string, secondaryColor: string, brandLogoUrl: string | null, brandFaviconUrl: string | null, brandName: string, fontFamily: string, receiptBackgroundUrl: string | null } } };

export type SplitQueryVariables = Exact<{ [key: string]: never; }>;


export type SplitQuery = { split: { address: string | null, recipients: Array<{ address: string, sharesBps: number }> } };

export type SplitRecordFragment = { address: string | null, recipients: Array<{ address: string, sharesBps: number }> };

export type SplitTransactionsQueryVariables = Exact<{
  address?: string | null | undefined;
}>;


export type SplitTransactionsQuery = { splitTransactions: { nodes: Array<{ id: string, receiptId: string, amount: number | null, currency: string, status: SplitTransactionStatus, timestamp: string, transactionHash: string, fees: number | null }> } };

export type StatusPingQueryVariables = Exact<{ [key: string]: never; }>;


export type StatusPingQuery = { statusPing: { status: ServiceHealth, version: string, time: number, merchant: string, scopes: Array<Scope>, dependencies: { database: DependencyState, redis: DependencyState, chain: DependencyState, watcher: DependencyState } } };

export type SubscriptionRecordFragment = { subscriptionId: string, planId: string, merchantWallet: string, customerWallet: string, priceUsd: number, period: PlanPeriod, chainId: number, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number, createdAt: number, updatedAt: number };

export type SubscriptionStatusQueryVariables = Exact<{
  of: SubscriptionStatusOf;
  limit?: number | null | undefined;
  page?: number | null | undefined;
}>;


export type SubscriptionStatusQuery = { subscriptionStatusReport: { subscription: { subscriptionId: string, planId: string, merchantWallet: string, customerWallet: string, priceUsd: number, period: PlanPeriod, chainId: number, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number, createdAt: number, updatedAt: number } | null, subscriptions: Array<{ subscriptionId: string, planId: string, merchantWallet: string, customerWallet: string, priceUsd: number, period: PlanPeriod, chainId: number, status: SubscriptionState, nextChargeAt: number | null, lastChargedAt: number | null, chargeCount: number, totalChargedUsd: number, createdAt: number, updatedAt: number }> | null } };

export type TaxCatalogQueryVariables = Exact<{ [key: string]: never; }>;


export type TaxCatalogQuery = { taxCatalog: { jurisdictions: Array<{ code: string, displayName: string, rate: number, updatedAt: number, components: Array<{ code: string, rate: number }> }> } };

export type TestWebhookEndpointMutationVariables = Exact<{
  endpointId: string | number;
}>;


export type TestWebhookEndpointMutation = { testWebhookEndpoint: { eventId: string, body: string, ok: boolean, at: number, durationMs: number, statusCode: number | null, error: string | null, answer: string | null } };

export type UpdatePlanMutationVariables = Exact<{
  input: UpdatePlanInput;
}>;


export type UpdatePlanMutation = { updatePlan: { planId: string, name: string, description: string, priceUsd: number, period: PlanPeriod, active: boolean, createdAt: number } };

export type UpdatePricingConfigMutationVariables = Exact<{
  input: PricingConfigInput;
}>;


export type UpdatePricingConfigMutation = { updatePricingConfig: { nativeCurrency: Currency, ethPer2Min: number | null, minMinutes: number | null, updatedAt: number | null, discountRules: Array<{ minMinutes: number, discountPct: number }> } };

export type UpdateShopConfigMutationVariables = Exact<{
  input: ShopConfigInput;
}>;


export type UpdateShopConfigMutation = { updateShopConfig: { name: string | null, description: string | null, bio: string | null, arrangement: string | null, xpPerDollar: number, slug: string | null, processingFeePct: number, setupComplete: boolean, postPaymentScripts: boolean, allowRenewal: boolean, holdStock: boolean, gasless: boolean, lateHours: number, tolerancePct: number, toleranceUsd: number, createdAt: number, updatedAt: number, theme: { primaryColor: string | null, secondaryColor: string | null, textColor: string | null, accentColor: string | null, brandLogoUrl: string | null, coverPhotoUrl: string | null, fontFamily: string | null, logoShape: string | null, heroFontSize: string | null }, links: Array<{ label: string, url: string }>, paymentTokens: Array<{ chainId: number, token: string }> | null } };

export type UpdateWebhookEndpointMutationVariables = Exact<{
  endpointId: string | number;
  input: UpdateWebhookEndpointInput;
}>;


export type UpdateWebhookEndpointMutation = { updateWebhookEndpoint: { id: string, url: string, description: string, kinds: Array<string>, enabled: boolean, disabledReason: WebhookEndpointDisabledReason | null, disabledAt: number | null, failingSince: number | null, previousSecretUntil: number | null, createdAt: number, updatedAt: number } };

export type WebhookEndpointQueryVariables = Exact<{
  endpointId: string | number;
}>;


export type WebhookEndpointQuery = { webhookEndpoint: { id: string, url: string, description: string, kinds: Array<string>, enabled: boolean, disabledReason: WebhookEndpointDisabledReason | null, disabledAt: number | null, failingSince: number | null, previousSecretUntil: number | null, createdAt: number, updatedAt: number } };

export type WebhookEndpointRecordFragment = { id: string, url: string, description: string, kinds: Array<string>, enabled: boolean, disabledReason: WebhookEndpointDisabledReason | null, disabledAt: number | null, failingSince: number | null, previousSecretUntil: number | null, createdAt: number, updatedAt: number };

export type WebhookEndpointsQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhookEndpointsQuery = { webhookEndpoints: Array<{ id: string, url: string, description: string, kinds: Array<string>, enabled: boolean, disabledReason: WebhookEndpointDisabledReason | null, disabledAt: number | null, failingSince: number | null, previousSecretUntil: number | null, createdAt: number, updatedAt: number }> };

export const ChargeRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ChargeRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChargeResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"success"}},{"kind":"Field","name":{"kind":"Name","value":"subscriptionId"}},{"kind":"Field","name":{"kind":"Name","value":"chargeId"}},{"kind":"Field","name":{"kind":"Name","value":"transactionHash"}},{"kind":"Field","name":{"kind":"Name","value":"amountUsd"}},{"kind":"Field","name":{"kind":"Name","value":"feeUsd"}},{"kind":"Field","name":{"kind":"Name","value":"nextChargeAt"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}}]}}]} as unknown as DocumentNode<ChargeRecordFragment, unknown>;
export const CreatedReceiptRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CreatedReceiptRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"id"},"name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"paymentUrl"}},{"kind":"Field","alias":{"kind":"Name","value":"status"},"name":{"kind":"Name","value":"recordStatus"}},{"kind":"Field","name":{"kind":"Name","value":"redirectUrl"}},{"kind":"Field","name":{"kind":"Name","value":"webhookUrl"}}]}}]} as unknown as DocumentNode<CreatedReceiptRecordFragment, unknown>;
export const ItemRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ItemRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryItem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"stockQty"}},{"kind":"Field","name":{"kind":"Name","value":"taxable"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"tags"}},{"kind":"Field","name":{"kind":"Name","value":"images"}},{"kind":"Field","name":{"kind":"Name","value":"thumb"}},{"kind":"Field","name":{"kind":"Name","value":"attributes"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionCode"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"wallet"}}]}}]} as unknown as DocumentNode<ItemRecordFragment, unknown>;
export const KeyRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeyRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"origins"}},{"kind":"Field","name":{"kind":"Name","value":"addresses"}},{"kind":"Field","name":{"kind":"Name","value":"trustedOnly"}}]}}]} as unknown as DocumentNode<KeyRecordFragment, unknown>;
export const LiveUserRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"LiveUserRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"wallet"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"pfpUrl"}},{"kind":"Field","name":{"kind":"Name","value":"spaceUrl"}},{"kind":"Field","name":{"kind":"Name","value":"liveSince"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeat"}},{"kind":"Field","name":{"kind":"Name","value":"languages"}},{"kind":"Field","name":{"kind":"Name","value":"domains"}},{"kind":"Field","name":{"kind":"Name","value":"platform"}},{"kind":"Field","name":{"kind":"Name","value":"spacePublic"}}]}}]} as unknown as DocumentNode<LiveUserRecordFragment, unknown>;
export const PricingRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricingRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pricing"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"usdPerUnit"}},{"kind":"Field","name":{"kind":"Name","value":"quotedAt"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"originalTotal"}},{"kind":"Field","name":{"kind":"Name","value":"originalLineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"qty"}}]}}]}}]} as unknown as DocumentNode<PricingRecordFragment, unknown>;
export const ReceiptRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReceiptRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"totalUsd"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"brandName"}},{"kind":"Field","alias":{"kind":"Name","value":"status"},"name":{"kind":"Name","value":"recordStatus"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionCode"}},{"kind":"Field","name":{"kind":"Name","value":"taxRate"}},{"kind":"Field","name":{"kind":"Name","value":"taxComponents"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PricingRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricingRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pricing"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"usdPerUnit"}},{"kind":"Field","name":{"kind":"Name","value":"quotedAt"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"originalTotal"}},{"kind":"Field","name":{"kind":"Name","value":"originalLineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"qty"}}]}}]}}]} as unknown as DocumentNode<ReceiptRecordFragment, unknown>;
export const NewReceiptLineRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NewReceiptLineRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReceiptLine"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"qty"}},{"kind":"Field","name":{"kind":"Name","value":"thumb"}},{"kind":"Field","name":{"kind":"Name","value":"itemId"}},{"kind":"Field","name":{"kind":"Name","value":"sku"}}]}}]} as unknown as DocumentNode<NewReceiptLineRecordFragment, unknown>;
export const NewReceiptRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NewReceiptRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReceiptRecord"}},{"kind":"Field","name":{"kind":"Name","value":"lineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NewReceiptLineRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricingRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pricing"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"usdPerUnit"}},{"kind":"Field","name":{"kind":"Name","value":"quotedAt"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"originalTotal"}},{"kind":"Field","name":{"kind":"Name","value":"originalLineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"qty"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReceiptRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"totalUsd"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"brandName"}},{"kind":"Field","alias":{"kind":"Name","value":"status"},"name":{"kind":"Name","value":"recordStatus"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionCode"}},{"kind":"Field","name":{"kind":"Name","value":"taxRate"}},{"kind":"Field","name":{"kind":"Name","value":"taxComponents"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PricingRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NewReceiptLineRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReceiptLine"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"qty"}},{"kind":"Field","name":{"kind":"Name","value":"thumb"}},{"kind":"Field","name":{"kind":"Name","value":"itemId"}},{"kind":"Field","name":{"kind":"Name","value":"sku"}}]}}]} as unknown as DocumentNode<NewReceiptRecordFragment, unknown>;
export const PlanRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlanRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Plan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"planId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<PlanRecordFragment, unknown>;
export const PricingConfigRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricingConfigRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PricingConfig"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nativeCurrency"}},{"kind":"Field","name":{"kind":"Name","value":"ethPer2Min"}},{"kind":"Field","name":{"kind":"Name","value":"minMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"discountRules"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"minMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"discountPct"}}]}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<PricingConfigRecordFragment, unknown>;
export const ReceiptSummaryRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReceiptSummaryRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"totalUsd"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"brandName"}},{"kind":"Field","alias":{"kind":"Name","value":"status"},"name":{"kind":"Name","value":"recordStatus"}}]}}]} as unknown as DocumentNode<ReceiptSummaryRecordFragment, unknown>;
export const ShopRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ShopRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ShopConfig"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"bio"}},{"kind":"Field","name":{"kind":"Name","value":"theme"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"primaryColor"}},{"kind":"Field","name":{"kind":"Name","value":"secondaryColor"}},{"kind":"Field","name":{"kind":"Name","value":"textColor"}},{"kind":"Field","name":{"kind":"Name","value":"accentColor"}},{"kind":"Field","name":{"kind":"Name","value":"brandLogoUrl"}},{"kind":"Field","name":{"kind":"Name","value":"coverPhotoUrl"}},{"kind":"Field","name":{"kind":"Name","value":"fontFamily"}},{"kind":"Field","name":{"kind":"Name","value":"logoShape"}},{"kind":"Field","name":{"kind":"Name","value":"heroFontSize"}}]}},{"kind":"Field","name":{"kind":"Name","value":"arrangement"}},{"kind":"Field","name":{"kind":"Name","value":"xpPerDollar"}},{"kind":"Field","name":{"kind":"Name","value":"slug"}},{"kind":"Field","name":{"kind":"Name","value":"links"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"processingFeePct"}},{"kind":"Field","name":{"kind":"Name","value":"setupComplete"}},{"kind":"Field","name":{"kind":"Name","value":"postPaymentScripts"}},{"kind":"Field","name":{"kind":"Name","value":"allowRenewal"}},{"kind":"Field","name":{"kind":"Name","value":"holdStock"}},{"kind":"Field","name":{"kind":"Name","value":"gasless"}},{"kind":"Field","name":{"kind":"Name","value":"paymentTokens"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chainId"}},{"kind":"Field","name":{"kind":"Name","value":"token"}}]}},{"kind":"Field","name":{"kind":"Name","value":"lateHours"}},{"kind":"Field","name":{"kind":"Name","value":"tolerancePct"}},{"kind":"Field","name":{"kind":"Name","value":"toleranceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<ShopRecordFragment, unknown>;
export const SplitRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SplitRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Split"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"recipients"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"sharesBps"}}]}}]}}]} as unknown as DocumentNode<SplitRecordFragment, unknown>;
export const SubscriptionRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SubscriptionRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PlanSubscription"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subscriptionId"}},{"kind":"Field","name":{"kind":"Name","value":"planId"}},{"kind":"Field","name":{"kind":"Name","value":"merchantWallet"}},{"kind":"Field","name":{"kind":"Name","value":"customerWallet"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"chainId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextChargeAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastChargedAt"}},{"kind":"Field","name":{"kind":"Name","value":"chargeCount"}},{"kind":"Field","name":{"kind":"Name","value":"totalChargedUsd"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<SubscriptionRecordFragment, unknown>;
export const WebhookEndpointRecordFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookEndpointRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookEndpoint"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"disabledAt"}},{"kind":"Field","name":{"kind":"Name","value":"failingSince"}},{"kind":"Field","name":{"kind":"Name","value":"previousSecretUntil"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<WebhookEndpointRecordFragment, unknown>;
export const BillingBalanceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"BillingBalance"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"billing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"balances"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"available"}},{"kind":"Field","name":{"kind":"Name","value":"reserved"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"monthUsd"}},{"kind":"Field","name":{"kind":"Name","value":"orders"}},{"kind":"Field","name":{"kind":"Name","value":"feesUsd"}},{"kind":"Field","name":{"kind":"Name","value":"lastUpdatedAt"}}]}}]}}]}}]} as unknown as DocumentNode<BillingBalanceQuery, BillingBalanceQueryVariables>;
export const CancelSubscriptionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelSubscription"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CancelSubscriptionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelSubscription"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SubscriptionRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SubscriptionRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PlanSubscription"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subscriptionId"}},{"kind":"Field","name":{"kind":"Name","value":"planId"}},{"kind":"Field","name":{"kind":"Name","value":"merchantWallet"}},{"kind":"Field","name":{"kind":"Name","value":"customerWallet"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"chainId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextChargeAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastChargedAt"}},{"kind":"Field","name":{"kind":"Name","value":"chargeCount"}},{"kind":"Field","name":{"kind":"Name","value":"totalChargedUsd"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<CancelSubscriptionMutation, CancelSubscriptionMutationVariables>;
export const ChargeDueSubscriptionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChargeDueSubscriptions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chargeDueSubscriptions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processed"}},{"kind":"Field","name":{"kind":"Name","value":"succeeded"}},{"kind":"Field","name":{"kind":"Name","value":"failed"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"results"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ChargeRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"failedChains"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chainId"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ChargeRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ChargeResult"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"success"}},{"kind":"Field","name":{"kind":"Name","value":"subscriptionId"}},{"kind":"Field","name":{"kind":"Name","value":"chargeId"}},{"kind":"Field","name":{"kind":"Name","value":"transactionHash"}},{"kind":"Field","name":{"kind":"Name","value":"amountUsd"}},{"kind":"Field","name":{"kind":"Name","value":"feeUsd"}},{"kind":"Field","name":{"kind":"Name","value":"nextChargeAt"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}}]}}]} as unknown as DocumentNode<ChargeDueSubscriptionsMutation, ChargeDueSubscriptionsMutationVariables>;
export const ChargeSubscriptionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChargeSubscription"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"subscriptionId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chargeSubscription"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"subscriptionId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"subscriptionId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"success"}},{"kind":"Field","name":{"kind":"Name","value":"subscriptionId"}},{"kind":"Field","name":{"kind":"Name","value":"chargeId"}},{"kind":"Field","name":{"kind":"Name","value":"transactionHash"}},{"kind":"Field","name":{"kind":"Name","value":"amountUsd"}},{"kind":"Field","name":{"kind":"Name","value":"feeUsd"}},{"kind":"Field","name":{"kind":"Name","value":"nextChargeAt"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"failureCode"}}]}}]}}]} as unknown as DocumentNode<ChargeSubscriptionMutation, ChargeSubscriptionMutationVariables>;
export const CheckPaymentDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CheckPayment"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"receiptId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"checkPayment"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"receiptId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"receiptId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"paid"}},{"kind":"Field","name":{"kind":"Name","value":"transactionHash"}}]}}]}}]} as unknown as DocumentNode<CheckPaymentQuery, CheckPaymentQueryVariables>;
export const CreateOrderDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateOrder"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateOrderInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createOrder"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NewReceiptRecord"}},{"kind":"Field","name":{"kind":"Name","value":"paymentUrl"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricingRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pricing"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"usdPerUnit"}},{"kind":"Field","name":{"kind":"Name","value":"quotedAt"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"originalTotal"}},{"kind":"Field","name":{"kind":"Name","value":"originalLineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"qty"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReceiptRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"totalUsd"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"brandName"}},{"kind":"Field","alias":{"kind":"Name","value":"status"},"name":{"kind":"Name","value":"recordStatus"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionCode"}},{"kind":"Field","name":{"kind":"Name","value":"taxRate"}},{"kind":"Field","name":{"kind":"Name","value":"taxComponents"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PricingRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NewReceiptLineRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReceiptLine"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"qty"}},{"kind":"Field","name":{"kind":"Name","value":"thumb"}},{"kind":"Field","name":{"kind":"Name","value":"itemId"}},{"kind":"Field","name":{"kind":"Name","value":"sku"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NewReceiptRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReceiptRecord"}},{"kind":"Field","name":{"kind":"Name","value":"lineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NewReceiptLineRecord"}}]}}]}}]} as unknown as DocumentNode<CreateOrderMutation, CreateOrderMutationVariables>;
export const CreatePlanDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreatePlan"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreatePlanInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createPlan"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PlanRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlanRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Plan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"planId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<CreatePlanMutation, CreatePlanMutationVariables>;
export const CreateReceiptDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateReceipt"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateReceiptInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createReceipt"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"CreatedReceiptRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"CreatedReceiptRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"id"},"name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"paymentUrl"}},{"kind":"Field","alias":{"kind":"Name","value":"status"},"name":{"kind":"Name","value":"recordStatus"}},{"kind":"Field","name":{"kind":"Name","value":"redirectUrl"}},{"kind":"Field","name":{"kind":"Name","value":"webhookUrl"}}]}}]} as unknown as DocumentNode<CreateReceiptMutation, CreateReceiptMutationVariables>;
export const CreateSubscriptionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSubscription"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSubscriptionInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSubscription"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subscriptionId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextChargeAt"}}]}}]}}]} as unknown as DocumentNode<CreateSubscriptionMutation, CreateSubscriptionMutationVariables>;
export const CreateTerminalReceiptDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateTerminalReceipt"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TerminalReceiptInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createTerminalReceipt"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NewReceiptRecord"}},{"kind":"Field","name":{"kind":"Name","value":"paymentUrl"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricingRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pricing"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"usdPerUnit"}},{"kind":"Field","name":{"kind":"Name","value":"quotedAt"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"originalTotal"}},{"kind":"Field","name":{"kind":"Name","value":"originalLineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"qty"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReceiptRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"totalUsd"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"brandName"}},{"kind":"Field","alias":{"kind":"Name","value":"status"},"name":{"kind":"Name","value":"recordStatus"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionCode"}},{"kind":"Field","name":{"kind":"Name","value":"taxRate"}},{"kind":"Field","name":{"kind":"Name","value":"taxComponents"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PricingRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NewReceiptLineRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReceiptLine"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"qty"}},{"kind":"Field","name":{"kind":"Name","value":"thumb"}},{"kind":"Field","name":{"kind":"Name","value":"itemId"}},{"kind":"Field","name":{"kind":"Name","value":"sku"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"NewReceiptRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReceiptRecord"}},{"kind":"Field","name":{"kind":"Name","value":"lineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"NewReceiptLineRecord"}}]}}]}}]} as unknown as DocumentNode<CreateTerminalReceiptMutation, CreateTerminalReceiptMutationVariables>;
export const CreateWebhookEndpointDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateWebhookEndpoint"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateWebhookEndpointInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createWebhookEndpoint"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endpoint"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhookEndpointRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookEndpointRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookEndpoint"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"disabledAt"}},{"kind":"Field","name":{"kind":"Name","value":"failingSince"}},{"kind":"Field","name":{"kind":"Name","value":"previousSecretUntil"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<CreateWebhookEndpointMutation, CreateWebhookEndpointMutationVariables>;
export const DeactivatePlanDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeactivatePlan"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"planId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deactivatePlan"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"planId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"planId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PlanRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlanRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Plan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"planId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<DeactivatePlanMutation, DeactivatePlanMutationVariables>;
export const DeleteInventoryItemDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteInventoryItem"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteInventoryItem"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}]}]}}]} as unknown as DocumentNode<DeleteInventoryItemMutation, DeleteInventoryItemMutationVariables>;
export const DeleteWebhookEndpointDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteWebhookEndpoint"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"endpointId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteWebhookEndpoint"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"endpointId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"endpointId"}}}]}]}}]} as unknown as DocumentNode<DeleteWebhookEndpointMutation, DeleteWebhookEndpointMutationVariables>;
export const DeploySplitDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeploySplit"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SplitInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deploySplit"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"split"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SplitRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"idempotent"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SplitRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Split"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"recipients"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"sharesBps"}}]}}]}}]} as unknown as DocumentNode<DeploySplitMutation, DeploySplitMutationVariables>;
export const EventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Events"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"data"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nextCursor"}}]}}]}}]} as unknown as DocumentNode<EventsQuery, EventsQueryVariables>;
export const InventoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Inventory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"q"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"category"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"taxable"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"stock"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"StockFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"priceMin"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Usd"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"priceMax"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Usd"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"tags"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"tagsMode"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"TagsMode"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"sort"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"InventorySort"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"order"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"SortOrder"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"page"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inventoryPage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"q"},"value":{"kind":"Variable","name":{"kind":"Name","value":"q"}}},{"kind":"Argument","name":{"kind":"Name","value":"category"},"value":{"kind":"Variable","name":{"kind":"Name","value":"category"}}},{"kind":"Argument","name":{"kind":"Name","value":"taxable"},"value":{"kind":"Variable","name":{"kind":"Name","value":"taxable"}}},{"kind":"Argument","name":{"kind":"Name","value":"stock"},"value":{"kind":"Variable","name":{"kind":"Name","value":"stock"}}},{"kind":"Argument","name":{"kind":"Name","value":"priceMin"},"value":{"kind":"Variable","name":{"kind":"Name","value":"priceMin"}}},{"kind":"Argument","name":{"kind":"Name","value":"priceMax"},"value":{"kind":"Variable","name":{"kind":"Name","value":"priceMax"}}},{"kind":"Argument","name":{"kind":"Name","value":"tags"},"value":{"kind":"Variable","name":{"kind":"Name","value":"tags"}}},{"kind":"Argument","name":{"kind":"Name","value":"tagsMode"},"value":{"kind":"Variable","name":{"kind":"Name","value":"tagsMode"}}},{"kind":"Argument","name":{"kind":"Name","value":"sort"},"value":{"kind":"Variable","name":{"kind":"Name","value":"sort"}}},{"kind":"Argument","name":{"kind":"Name","value":"order"},"value":{"kind":"Variable","name":{"kind":"Name","value":"order"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}},{"kind":"Argument","name":{"kind":"Name","value":"page"},"value":{"kind":"Variable","name":{"kind":"Name","value":"page"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"items"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ItemRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"total"}},{"kind":"Field","name":{"kind":"Name","value":"page"}},{"kind":"Field","name":{"kind":"Name","value":"pageSize"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ItemRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryItem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"stockQty"}},{"kind":"Field","name":{"kind":"Name","value":"taxable"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"tags"}},{"kind":"Field","name":{"kind":"Name","value":"images"}},{"kind":"Field","name":{"kind":"Name","value":"thumb"}},{"kind":"Field","name":{"kind":"Name","value":"attributes"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionCode"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"wallet"}}]}}]} as unknown as DocumentNode<InventoryQuery, InventoryQueryVariables>;
export const IssueKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"IssueKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"IssueKeyInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"issueKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeyRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeyRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"origins"}},{"kind":"Field","name":{"kind":"Name","value":"addresses"}},{"kind":"Field","name":{"kind":"Name","value":"trustedOnly"}}]}}]} as unknown as DocumentNode<IssueKeyMutation, IssueKeyMutationVariables>;
export const KeysDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Keys"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"keys"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeyRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeyRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"origins"}},{"kind":"Field","name":{"kind":"Name","value":"addresses"}},{"kind":"Field","name":{"kind":"Name","value":"trustedOnly"}}]}}]} as unknown as DocumentNode<KeysQuery, KeysQueryVariables>;
export const LiveUsersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"LiveUsers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"liveUsers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"LiveUserRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"LiveUserRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"wallet"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"pfpUrl"}},{"kind":"Field","name":{"kind":"Name","value":"spaceUrl"}},{"kind":"Field","name":{"kind":"Name","value":"liveSince"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeat"}},{"kind":"Field","name":{"kind":"Name","value":"languages"}},{"kind":"Field","name":{"kind":"Name","value":"domains"}},{"kind":"Field","name":{"kind":"Name","value":"platform"}},{"kind":"Field","name":{"kind":"Name","value":"spacePublic"}}]}}]} as unknown as DocumentNode<LiveUsersQuery, LiveUsersQueryVariables>;
export const LoginDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Login"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"wallet"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Wallet"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"nonce"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"signature"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Hex"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"login"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"wallet"},"value":{"kind":"Variable","name":{"kind":"Name","value":"wallet"}}},{"kind":"Argument","name":{"kind":"Name","value":"nonce"},"value":{"kind":"Variable","name":{"kind":"Name","value":"nonce"}}},{"kind":"Argument","name":{"kind":"Name","value":"signature"},"value":{"kind":"Variable","name":{"kind":"Name","value":"signature"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"wallet"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"csrfToken"}}]}}]}}]} as unknown as DocumentNode<LoginMutation, LoginMutationVariables>;
export const LoginChallengeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"LoginChallenge"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"wallet"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Wallet"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"loginChallenge"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"wallet"},"value":{"kind":"Variable","name":{"kind":"Name","value":"wallet"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nonce"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"typedData"}}]}}]}}]} as unknown as DocumentNode<LoginChallengeMutation, LoginChallengeMutationVariables>;
export const LogoutDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Logout"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"logout"}}]}}]} as unknown as DocumentNode<LogoutMutation, LogoutMutationVariables>;
export const MeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"wallet"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"}}]}}]}}]} as unknown as DocumentNode<MeQuery, MeQueryVariables>;
export const PayoutsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Payouts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"PayoutFilter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"payouts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"recipient"}},{"kind":"Field","name":{"kind":"Name","value":"sharesBps"}},{"kind":"Field","name":{"kind":"Name","value":"split"}},{"kind":"Field","name":{"kind":"Name","value":"chainId"}},{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"decimals"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"display"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"waitsFor"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"releasedAt"}},{"kind":"Field","name":{"kind":"Name","value":"transactionHash"}},{"kind":"Field","name":{"kind":"Name","value":"transactionUrl"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<PayoutsQuery, PayoutsQueryVariables>;
export const PlansDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Plans"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"wallet"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Wallet"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activePlans"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"wallet"},"value":{"kind":"Variable","name":{"kind":"Name","value":"wallet"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PlanRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlanRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Plan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"planId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<PlansQuery, PlansQueryVariables>;
export const PricingConfigDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PricingConfig"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pricingConfig"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PricingConfigRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricingConfigRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PricingConfig"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nativeCurrency"}},{"kind":"Field","name":{"kind":"Name","value":"ethPer2Min"}},{"kind":"Field","name":{"kind":"Name","value":"minMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"discountRules"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"minMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"discountPct"}}]}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<PricingConfigQuery, PricingConfigQueryVariables>;
export const ReceiptDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Receipt"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"receiptId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receipt"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"receiptId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"receiptId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReceiptRecord"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"lineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"transactionHash"}},{"kind":"Field","name":{"kind":"Name","value":"transactionTimestamp"}},{"kind":"Field","name":{"kind":"Name","value":"billingAddress"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"firstName"}},{"kind":"Field","name":{"kind":"Name","value":"lastName"}},{"kind":"Field","name":{"kind":"Name","value":"phone"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"line1"}},{"kind":"Field","name":{"kind":"Name","value":"line2"}},{"kind":"Field","name":{"kind":"Name","value":"city"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"zip"}},{"kind":"Field","name":{"kind":"Name","value":"country"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricingRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Pricing"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"usdPerUnit"}},{"kind":"Field","name":{"kind":"Name","value":"quotedAt"}},{"kind":"Field","name":{"kind":"Name","value":"provider"}},{"kind":"Field","name":{"kind":"Name","value":"originalTotal"}},{"kind":"Field","name":{"kind":"Name","value":"originalLineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"qty"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReceiptRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"totalUsd"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"brandName"}},{"kind":"Field","alias":{"kind":"Name","value":"status"},"name":{"kind":"Name","value":"recordStatus"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionCode"}},{"kind":"Field","name":{"kind":"Name","value":"taxRate"}},{"kind":"Field","name":{"kind":"Name","value":"taxComponents"}},{"kind":"Field","name":{"kind":"Name","value":"pricing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PricingRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"transactionId"}},{"kind":"Field","name":{"kind":"Name","value":"metadata"}}]}}]} as unknown as DocumentNode<ReceiptQuery, ReceiptQueryVariables>;
export const ReceiptStatusDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ReceiptStatus"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"receiptId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptStatusReport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"receiptId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"receiptId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"id"},"name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"transactionHash"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"failure"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"failureCode"},"name":{"kind":"Name","value":"code"}},{"kind":"Field","alias":{"kind":"Name","value":"failureCategory"},"name":{"kind":"Name","value":"category"}},{"kind":"Field","alias":{"kind":"Name","value":"failureReason"},"name":{"kind":"Name","value":"reason"}},{"kind":"Field","alias":{"kind":"Name","value":"failureAction"},"name":{"kind":"Name","value":"action"}}]}}]}}]}}]} as unknown as DocumentNode<ReceiptStatusQuery, ReceiptStatusQueryVariables>;
export const ReceiptsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Receipts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ReceiptFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ReceiptOrder"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"paged"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receipts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ReceiptSummaryRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","alias":{"kind":"Name","value":"page"},"name":{"kind":"Name","value":"pageInfo"},"directives":[{"kind":"Directive","name":{"kind":"Name","value":"include"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"if"},"value":{"kind":"Variable","name":{"kind":"Name","value":"paged"}}}]}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ReceiptSummaryRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Receipt"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"totalUsd"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"lineItems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"brandName"}},{"kind":"Field","alias":{"kind":"Name","value":"status"},"name":{"kind":"Name","value":"recordStatus"}}]}}]} as unknown as DocumentNode<ReceiptsQuery, ReceiptsQueryVariables>;
export const RefundReceiptDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RefundReceipt"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RefundReceiptInput"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refundReceipt"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptId"}}]}}]}}]} as unknown as DocumentNode<RefundReceiptMutation, RefundReceiptMutationVariables>;
export const ReportTrackingDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ReportTracking"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"receiptId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"status"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reportTracking"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"receiptId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"receiptId"}}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"Variable","name":{"kind":"Name","value":"status"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"receiptId"}}]}}]}}]} as unknown as DocumentNode<ReportTrackingMutation, ReportTrackingMutationVariables>;
export const ReserveBalancesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ReserveBalances"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reserve"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"balances"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"reserved"}},{"kind":"Field","name":{"kind":"Name","value":"target"}}]}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<ReserveBalancesQuery, ReserveBalancesQueryVariables>;
export const ReserveRecommendDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ReserveRecommend"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reserveAdvice"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recommendations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"target"}},{"kind":"Field","name":{"kind":"Name","value":"basis"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"refunded"}},{"kind":"Field","name":{"kind":"Name","value":"paidOut"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"windowDays"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]} as unknown as DocumentNode<ReserveRecommendQuery, ReserveRecommendQueryVariables>;
export const RevokeKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"keyId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"keyId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"keyId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeyRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeyRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"origins"}},{"kind":"Field","name":{"kind":"Name","value":"addresses"}},{"kind":"Field","name":{"kind":"Name","value":"trustedOnly"}}]}}]} as unknown as DocumentNode<RevokeKeyMutation, RevokeKeyMutationVariables>;
export const RotateKeyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RotateKey"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"keyId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"overlapHours"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateKey"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"keyId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"keyId"}}},{"kind":"Argument","name":{"kind":"Name","value":"overlapHours"},"value":{"kind":"Variable","name":{"kind":"Name","value":"overlapHours"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"key"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"KeyRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"KeyRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ApiKey"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"keyId"}},{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"revokedAt"}},{"kind":"Field","name":{"kind":"Name","value":"replacedBy"}},{"kind":"Field","name":{"kind":"Name","value":"origins"}},{"kind":"Field","name":{"kind":"Name","value":"addresses"}},{"kind":"Field","name":{"kind":"Name","value":"trustedOnly"}}]}}]} as unknown as DocumentNode<RotateKeyMutation, RotateKeyMutationVariables>;
export const RotateWebhookSecretDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RotateWebhookSecret"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"endpointId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"overlapHours"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateWebhookSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"endpointId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"endpointId"}}},{"kind":"Argument","name":{"kind":"Name","value":"overlapHours"},"value":{"kind":"Variable","name":{"kind":"Name","value":"overlapHours"}}},{"kind":"Argument","name":{"kind":"Name","value":"idempotencyKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"idempotencyKey"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endpoint"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhookEndpointRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookEndpointRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookEndpoint"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"disabledAt"}},{"kind":"Field","name":{"kind":"Name","value":"failingSince"}},{"kind":"Field","name":{"kind":"Name","value":"previousSecretUntil"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>;
export const SaveInventoryItemDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SaveInventoryItem"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryItemInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"saveInventoryItem"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ItemRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ItemRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InventoryItem"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sku"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"stockQty"}},{"kind":"Field","name":{"kind":"Name","value":"taxable"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"tags"}},{"kind":"Field","name":{"kind":"Name","value":"images"}},{"kind":"Field","name":{"kind":"Name","value":"thumb"}},{"kind":"Field","name":{"kind":"Name","value":"attributes"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}},{"kind":"Field","name":{"kind":"Name","value":"jurisdictionCode"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"wallet"}}]}}]} as unknown as DocumentNode<SaveInventoryItemMutation, SaveInventoryItemMutationVariables>;
export const SearchUsersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SearchUsers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"q"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"domains"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"platforms"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"languages"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"minXp"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Float"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"maxXp"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Float"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"live"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"scan"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"searchUsers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"q"},"value":{"kind":"Variable","name":{"kind":"Name","value":"q"}}},{"kind":"Argument","name":{"kind":"Name","value":"domains"},"value":{"kind":"Variable","name":{"kind":"Name","value":"domains"}}},{"kind":"Argument","name":{"kind":"Name","value":"platforms"},"value":{"kind":"Variable","name":{"kind":"Name","value":"platforms"}}},{"kind":"Argument","name":{"kind":"Name","value":"languages"},"value":{"kind":"Variable","name":{"kind":"Name","value":"languages"}}},{"kind":"Argument","name":{"kind":"Name","value":"minXp"},"value":{"kind":"Variable","name":{"kind":"Name","value":"minXp"}}},{"kind":"Argument","name":{"kind":"Name","value":"maxXp"},"value":{"kind":"Variable","name":{"kind":"Name","value":"maxXp"}}},{"kind":"Argument","name":{"kind":"Name","value":"live"},"value":{"kind":"Variable","name":{"kind":"Name","value":"live"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}},{"kind":"Argument","name":{"kind":"Name","value":"scan"},"value":{"kind":"Variable","name":{"kind":"Name","value":"scan"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"users"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"wallet"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"pfpUrl"}},{"kind":"Field","name":{"kind":"Name","value":"xp"}},{"kind":"Field","name":{"kind":"Name","value":"live"}},{"kind":"Field","name":{"kind":"Name","value":"lastSeen"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeat"}},{"kind":"Field","name":{"kind":"Name","value":"domains"}},{"kind":"Field","name":{"kind":"Name","value":"platforms"}},{"kind":"Field","name":{"kind":"Name","value":"languages"}},{"kind":"Field","name":{"kind":"Name","value":"spacePublic"}}]}},{"kind":"Field","name":{"kind":"Name","value":"total"}}]}}]}}]} as unknown as DocumentNode<SearchUsersQuery, SearchUsersQueryVariables>;
export const ShopConfigDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ShopConfig"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"shopConfig"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ShopRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ShopRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ShopConfig"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"bio"}},{"kind":"Field","name":{"kind":"Name","value":"theme"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"primaryColor"}},{"kind":"Field","name":{"kind":"Name","value":"secondaryColor"}},{"kind":"Field","name":{"kind":"Name","value":"textColor"}},{"kind":"Field","name":{"kind":"Name","value":"accentColor"}},{"kind":"Field","name":{"kind":"Name","value":"brandLogoUrl"}},{"kind":"Field","name":{"kind":"Name","value":"coverPhotoUrl"}},{"kind":"Field","name":{"kind":"Name","value":"fontFamily"}},{"kind":"Field","name":{"kind":"Name","value":"logoShape"}},{"kind":"Field","name":{"kind":"Name","value":"heroFontSize"}}]}},{"kind":"Field","name":{"kind":"Name","value":"arrangement"}},{"kind":"Field","name":{"kind":"Name","value":"xpPerDollar"}},{"kind":"Field","name":{"kind":"Name","value":"slug"}},{"kind":"Field","name":{"kind":"Name","value":"links"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"processingFeePct"}},{"kind":"Field","name":{"kind":"Name","value":"setupComplete"}},{"kind":"Field","name":{"kind":"Name","value":"postPaymentScripts"}},{"kind":"Field","name":{"kind":"Name","value":"allowRenewal"}},{"kind":"Field","name":{"kind":"Name","value":"holdStock"}},{"kind":"Field","name":{"kind":"Name","value":"gasless"}},{"kind":"Field","name":{"kind":"Name","value":"paymentTokens"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chainId"}},{"kind":"Field","name":{"kind":"Name","value":"token"}}]}},{"kind":"Field","name":{"kind":"Name","value":"lateHours"}},{"kind":"Field","name":{"kind":"Name","value":"tolerancePct"}},{"kind":"Field","name":{"kind":"Name","value":"toleranceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<ShopConfigQuery, ShopConfigQueryVariables>;
export const SiteConfigDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SiteConfig"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"siteConfig"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"theme"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"primaryColor"}},{"kind":"Field","name":{"kind":"Name","value":"secondaryColor"}},{"kind":"Field","name":{"kind":"Name","value":"brandLogoUrl"}},{"kind":"Field","name":{"kind":"Name","value":"brandFaviconUrl"}},{"kind":"Field","name":{"kind":"Name","value":"brandName"}},{"kind":"Field","name":{"kind":"Name","value":"fontFamily"}},{"kind":"Field","name":{"kind":"Name","value":"receiptBackgroundUrl"}}]}},{"kind":"Field","name":{"kind":"Name","value":"brandKey"}},{"kind":"Field","name":{"kind":"Name","value":"processingFeePct"}},{"kind":"Field","name":{"kind":"Name","value":"defaultPaymentToken"}},{"kind":"Field","name":{"kind":"Name","value":"reserveRatios"}}]}}]}}]} as unknown as DocumentNode<SiteConfigQuery, SiteConfigQueryVariables>;
export const SplitDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Split"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"split"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SplitRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SplitRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Split"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"recipients"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"address"}},{"kind":"Field","name":{"kind":"Name","value":"sharesBps"}}]}}]}}]} as unknown as DocumentNode<SplitQuery, SplitQueryVariables>;
export const SplitTransactionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SplitTransactions"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"address"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"splitTransactions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"address"},"value":{"kind":"Variable","name":{"kind":"Name","value":"address"}}},{"kind":"Argument","name":{"kind":"Name","value":"receiptAddresses"},"value":{"kind":"BooleanValue","value":false}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"receiptId"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"currency"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"timestamp"}},{"kind":"Field","name":{"kind":"Name","value":"transactionHash"}},{"kind":"Field","name":{"kind":"Name","value":"fees"}}]}}]}}]}}]} as unknown as DocumentNode<SplitTransactionsQuery, SplitTransactionsQueryVariables>;
export const StatusPingDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"StatusPing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"statusPing"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"time"}},{"kind":"Field","name":{"kind":"Name","value":"merchant"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}},{"kind":"Field","name":{"kind":"Name","value":"dependencies"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"database"}},{"kind":"Field","name":{"kind":"Name","value":"redis"}},{"kind":"Field","name":{"kind":"Name","value":"chain"}},{"kind":"Field","name":{"kind":"Name","value":"watcher"}}]}}]}}]}}]} as unknown as DocumentNode<StatusPingQuery, StatusPingQueryVariables>;
export const SubscriptionStatusDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SubscriptionStatus"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"of"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SubscriptionStatusOf"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"page"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subscriptionStatusReport"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"of"},"value":{"kind":"Variable","name":{"kind":"Name","value":"of"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}},{"kind":"Argument","name":{"kind":"Name","value":"page"},"value":{"kind":"Variable","name":{"kind":"Name","value":"page"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subscription"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SubscriptionRecord"}}]}},{"kind":"Field","name":{"kind":"Name","value":"subscriptions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SubscriptionRecord"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SubscriptionRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PlanSubscription"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subscriptionId"}},{"kind":"Field","name":{"kind":"Name","value":"planId"}},{"kind":"Field","name":{"kind":"Name","value":"merchantWallet"}},{"kind":"Field","name":{"kind":"Name","value":"customerWallet"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"chainId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"nextChargeAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastChargedAt"}},{"kind":"Field","name":{"kind":"Name","value":"chargeCount"}},{"kind":"Field","name":{"kind":"Name","value":"totalChargedUsd"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<SubscriptionStatusQuery, SubscriptionStatusQueryVariables>;
export const TaxCatalogDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TaxCatalog"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"taxCatalog"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"jurisdictions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"displayName"}},{"kind":"Field","name":{"kind":"Name","value":"rate"}},{"kind":"Field","name":{"kind":"Name","value":"components"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"rate"}}]}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}}]}}]} as unknown as DocumentNode<TaxCatalogQuery, TaxCatalogQueryVariables>;
export const TestWebhookEndpointDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TestWebhookEndpoint"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"endpointId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testWebhookEndpoint"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"endpointId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"endpointId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventId"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"ok"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"statusCode"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"answer"}}]}}]}}]} as unknown as DocumentNode<TestWebhookEndpointMutation, TestWebhookEndpointMutationVariables>;
export const UpdatePlanDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdatePlan"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdatePlanInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatePlan"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PlanRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PlanRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Plan"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"planId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"priceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"period"}},{"kind":"Field","name":{"kind":"Name","value":"active"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<UpdatePlanMutation, UpdatePlanMutationVariables>;
export const UpdatePricingConfigDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdatePricingConfig"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PricingConfigInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updatePricingConfig"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PricingConfigRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PricingConfigRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"PricingConfig"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nativeCurrency"}},{"kind":"Field","name":{"kind":"Name","value":"ethPer2Min"}},{"kind":"Field","name":{"kind":"Name","value":"minMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"discountRules"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"minMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"discountPct"}}]}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<UpdatePricingConfigMutation, UpdatePricingConfigMutationVariables>;
export const UpdateShopConfigDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateShopConfig"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ShopConfigInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateShopConfig"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ShopRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ShopRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ShopConfig"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"bio"}},{"kind":"Field","name":{"kind":"Name","value":"theme"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"primaryColor"}},{"kind":"Field","name":{"kind":"Name","value":"secondaryColor"}},{"kind":"Field","name":{"kind":"Name","value":"textColor"}},{"kind":"Field","name":{"kind":"Name","value":"accentColor"}},{"kind":"Field","name":{"kind":"Name","value":"brandLogoUrl"}},{"kind":"Field","name":{"kind":"Name","value":"coverPhotoUrl"}},{"kind":"Field","name":{"kind":"Name","value":"fontFamily"}},{"kind":"Field","name":{"kind":"Name","value":"logoShape"}},{"kind":"Field","name":{"kind":"Name","value":"heroFontSize"}}]}},{"kind":"Field","name":{"kind":"Name","value":"arrangement"}},{"kind":"Field","name":{"kind":"Name","value":"xpPerDollar"}},{"kind":"Field","name":{"kind":"Name","value":"slug"}},{"kind":"Field","name":{"kind":"Name","value":"links"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"label"}},{"kind":"Field","name":{"kind":"Name","value":"url"}}]}},{"kind":"Field","name":{"kind":"Name","value":"processingFeePct"}},{"kind":"Field","name":{"kind":"Name","value":"setupComplete"}},{"kind":"Field","name":{"kind":"Name","value":"postPaymentScripts"}},{"kind":"Field","name":{"kind":"Name","value":"allowRenewal"}},{"kind":"Field","name":{"kind":"Name","value":"holdStock"}},{"kind":"Field","name":{"kind":"Name","value":"gasless"}},{"kind":"Field","name":{"kind":"Name","value":"paymentTokens"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chainId"}},{"kind":"Field","name":{"kind":"Name","value":"token"}}]}},{"kind":"Field","name":{"kind":"Name","value":"lateHours"}},{"kind":"Field","name":{"kind":"Name","value":"tolerancePct"}},{"kind":"Field","name":{"kind":"Name","value":"toleranceUsd"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<UpdateShopConfigMutation, UpdateShopConfigMutationVariables>;
export const UpdateWebhookEndpointDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateWebhookEndpoint"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"endpointId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateWebhookEndpointInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateWebhookEndpoint"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"endpointId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"endpointId"}}},{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhookEndpointRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookEndpointRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookEndpoint"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"disabledAt"}},{"kind":"Field","name":{"kind":"Name","value":"failingSince"}},{"kind":"Field","name":{"kind":"Name","value":"previousSecretUntil"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<UpdateWebhookEndpointMutation, UpdateWebhookEndpointMutationVariables>;
export const WebhookEndpointDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WebhookEndpoint"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"endpointId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhookEndpoint"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"endpointId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"endpointId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhookEndpointRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookEndpointRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookEndpoint"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"disabledAt"}},{"kind":"Field","name":{"kind":"Name","value":"failingSince"}},{"kind":"Field","name":{"kind":"Name","value":"previousSecretUntil"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<WebhookEndpointQuery, WebhookEndpointQueryVariables>;
export const WebhookEndpointsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WebhookEndpoints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"webhookEndpoints"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WebhookEndpointRecord"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WebhookEndpointRecord"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"WebhookEndpoint"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"kinds"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"disabledReason"}},{"kind":"Field","name":{"kind":"Name","value":"disabledAt"}},{"kind":"Field","name":{"kind":"Name","value":"failingSince"}},{"kind":"Field","name":{"kind":"Name","value":"previousSecretUntil"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]} as unknown as DocumentNode<WebhookEndpointsQuery, WebhookEndpointsQueryVariables>;