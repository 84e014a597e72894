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

/** An error code, as in `extensions.code`. */
export type ErrorCode =
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
  /** Withdraw with your own wallet: collect, then call release on the split contract. */
  | 'deprecated'
  /** No document has this id. */
  | 'document_not_found'
  /** No current exchange rate for this currency. */
  | 'exchange_rate_unavailable'
  /** Something went wrong; retry after a delay. */
  | 'failed'
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
  /** Not found. */
  | 'not_found'
  /** The request body is larger than 1 MiB. */
  | 'payload_too_large'
  /** A payment of this receipt is already on its way. */
  | 'payment_underway'
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
  /** This server does not release shares: recipients do so with their own wallets. */
  | 'settlement_not_configured'
  /** This server does not register merchants: ask its operator. */
  | 'signup_closed'
  /** The merchants that may register within 24 hours are used up. */
  | 'signup_limit_reached'
  /** Recurring charges are not set up on this server. */
  | 'spender_not_configured'
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

export type CatalogItemFragment = { id: string, sku: string, name: string, priceUsd: number | null, price: number | null, currency: Currency | null, stockQty: number, held: number, category: string | null, thumbUrl: string | null };

export type CatalogItemsQueryVariables = Exact<{
  q?: string | null | undefined;
  category?: string | null | undefined;
  stock?: StockFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type CatalogItemsQuery = { inventoryCategories: Array<string>, inventory: { nodes: Array<{ id: string, sku: string, name: string, priceUsd: number | null, price: number | null, currency: Currency | null, stockQty: number, held: number, category: string | null, thumbUrl: string | null }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } } };

export type CatalogItemByIdQueryVariables = Exact<{
  id: string | number;
}>;


export type CatalogItemByIdQuery = { inventoryItem: { description: string | null, taxable: boolean, images: Array<string>, id: string, sku: string, name: string, priceUsd: number | null, price: number | null, currency: Currency | null, stockQty: number, held: number, category: string | null, thumbUrl: string | null } };

export type CatalogCurrencyQueryVariables = Exact<{ [key: string]: never; }>;


export type CatalogCurrencyQuery = { pricingConfig: { id: string, nativeCurrency: Currency } };

export type SaveCatalogItemMutationVariables = Exact<{
  input: InventoryItemInput;
}>;


export type SaveCatalogItemMutation = { saveInventoryItem: { description: string | null, taxable: boolean, images: Array<string>, id: string, sku: string, name: string, priceUsd: number | null, price: number | null, currency: Currency | null, stockQty: number, held: number, category: string | null, thumbUrl: string | null } };

export type SaveCatalogItemsMutationVariables = Exact<{
  input: Array<InventoryItemInput> | InventoryItemInput;
}>;


export type SaveCatalogItemsMutation = { saveInventoryItems: Array<{ sku: string, error: ErrorCode | null, message: string | null }> };

export type DeleteCatalogItemMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteCatalogItemMutation = { deleteInventoryItem: boolean };

export type CatalogExportQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type CatalogExportQuery = { inventory: { nodes: Array<{ id: string, sku: string, name: string, priceUsd: number | null, price: number | null, currency: Currency | null, stockQty: number, taxable: boolean, category: string | null, description: string | null, tags: Array<string> }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } };

const CatalogItemText = 'fragment CatalogItem on InventoryItem{id sku name priceUsd price currency stockQty held category thumbUrl}';
export const CatalogItems = ('query CatalogItems($q:String$category:String$stock:StockFilter$first:Int$after:String$last:Int$before:String){inventory(q:$q category:$category stock:$stock sort:name order:asc first:$first after:$after last:$last before:$before){nodes{...CatalogItem}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}inventoryCategories}' + CatalogItemText) as Operation<CatalogItemsQuery, CatalogItemsQueryVariables>;
export const CatalogItemById = ('query CatalogItemById($id:ID!){inventoryItem(by:{id:$id}){...CatalogItem description taxable images}}' + CatalogItemText) as Operation<CatalogItemByIdQuery, CatalogItemByIdQueryVariables>;
export const CatalogCurrency = ('query CatalogCurrency{pricingConfig{id nativeCurrency}}') as Operation<CatalogCurrencyQuery, CatalogCurrencyQueryVariables>;
export const SaveCatalogItem = ('mutation SaveCatalogItem($input:InventoryItemInput!){saveInventoryItem(input:$input){...CatalogItem description taxable images}}' + CatalogItemText) as Operation<SaveCatalogItemMutation, SaveCatalogItemMutationVariables>;
export const SaveCatalogItems = ('mutation SaveCatalogItems($input:[InventoryItemInput!]!){saveInventoryItems(input:$input){sku error message}}') as Operation<SaveCatalogItemsMutation, SaveCatalogItemsMutationVariables>;
export const DeleteCatalogItem = ('mutation DeleteCatalogItem($id:ID!){deleteInventoryItem(id:$id)}') as Operation<DeleteCatalogItemMutation, DeleteCatalogItemMutationVariables>;
export const CatalogExport = ('query CatalogExport($after:String){inventory(first:200 after:$after sort:sku order:asc){nodes{id sku name priceUsd price currency stockQty taxable category description tags}pageInfo{endCursor hasNextPage}}}') as Operation<CatalogExportQuery, CatalogExportQueryVariables>;