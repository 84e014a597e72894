/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
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

/** A currency that prices can have. */
export type Currency =
  /** Euro. */
  | 'EUR'
  /** US dollar. */
  | 'USD';

/** An item of the catalog, by its id or by its SKU. */
export type InventoryItemBy =
  {   /** The id assigned by the server. */
  id: string | number; sku?: never; }
  |  { id?: never;   /** The merchant's own identifier. */
  sku: string; };

/** An ordered product and its quantity. */
export type OrderItemInput = {
  /** The product. */
  item: InventoryItemBy;
  /** A whole number from 1 to 100000. */
  qty: number;
};

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

export type SaleFragment = { id: string, receiptId: string, status: ReceiptStatus, paidAt: number | null, totalUsd: number, currency: Currency, paymentUrl: string, expiresAt: number | null, pricing: { version: number, currency: Currency, originalTotal: number, originalLineItems: Array<{ amount: number }> } | null, lineItems: Array<{ label: string, qty: number | null, priceUsd: number }> };

export type SellingShopQueryVariables = Exact<{ [key: string]: never; }>;


export type SellingShopQuery = { shopConfig: { id: string, name: string | null, processingFeePct: number }, siteConfig: { id: string, processingFeePct: number }, pricingConfig: { id: string, nativeCurrency: Currency }, taxCatalog: { id: string, jurisdictions: Array<{ id: string, code: string, displayName: string, rate: number }> } };

export type ReadSaleQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type ReadSaleQuery = { receipt: { id: string, receiptId: string, status: ReceiptStatus, paidAt: number | null, totalUsd: number, currency: Currency, paymentUrl: string, expiresAt: number | null, pricing: { version: number, currency: Currency, originalTotal: number, originalLineItems: Array<{ amount: number }> } | null, lineItems: Array<{ label: string, qty: number | null, priceUsd: number }> } };

export type SaleStatusSubscriptionVariables = Exact<{
  receiptId: string | number;
}>;


export type SaleStatusSubscription = { receiptStatus: { seq: number, status: ReceiptStatus } };

export type SellAmountMutationVariables = Exact<{
  input: TerminalReceiptInput;
  key: string;
}>;


export type SellAmountMutation = { createTerminalReceipt: { id: string, receiptId: string, status: ReceiptStatus, paidAt: number | null, totalUsd: number, currency: Currency, paymentUrl: string, expiresAt: number | null, pricing: { version: number, currency: Currency, originalTotal: number, originalLineItems: Array<{ amount: number }> } | null, lineItems: Array<{ label: string, qty: number | null, priceUsd: number }> } };

export type SellItemsMutationVariables = Exact<{
  input: CreateOrderInput;
  key: string;
}>;


export type SellItemsMutation = { createOrder: { id: string, receiptId: string, status: ReceiptStatus, paidAt: number | null, totalUsd: number, currency: Currency, paymentUrl: string, expiresAt: number | null, pricing: { version: number, currency: Currency, originalTotal: number, originalLineItems: Array<{ amount: number }> } | null, lineItems: Array<{ label: string, qty: number | null, priceUsd: number }> } };

const SaleText = 'fragment Sale on Receipt{id receiptId status paidAt totalUsd currency pricing{version currency originalTotal originalLineItems{amount}}paymentUrl expiresAt lineItems{label qty priceUsd}}';
export const SellingShop = ('query SellingShop{shopConfig{id name processingFeePct}siteConfig{id processingFeePct}pricingConfig{id nativeCurrency}taxCatalog{id jurisdictions{id code displayName rate}}}') as Operation<SellingShopQuery, SellingShopQueryVariables>;
export const ReadSale = ('query ReadSale($receiptId:ID!){receipt(receiptId:$receiptId){...Sale}}' + SaleText) as Operation<ReadSaleQuery, ReadSaleQueryVariables>;
export const SaleStatus = ('subscription SaleStatus($receiptId:ID!){receiptStatus(receiptId:$receiptId){seq status}}') as Operation<SaleStatusSubscription, SaleStatusSubscriptionVariables>;
export const SellAmount = ('mutation SellAmount($input:TerminalReceiptInput!$key:String!){createTerminalReceipt(input:$input idempotencyKey:$key){...Sale}}' + SaleText) as Operation<SellAmountMutation, SellAmountMutationVariables>;
export const SellItems = ('mutation SellItems($input:CreateOrderInput!$key:String!){createOrder(input:$input idempotencyKey:$key){...Sale}}' + SaleText) as Operation<SellItemsMutation, SellItemsMutationVariables>;