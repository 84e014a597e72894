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
export const DeleteCatalogItem = ('mutation DeleteCatalogItem($id:ID!){deleteInventoryItem(id:$id)}') as Operation<DeleteCatalogItemMutation, DeleteCatalogItemMutationVariables>;
export const CatalogExport = ('query CatalogExport($after:String){inventory(first:100 after:$after sort:sku order:asc){nodes{id sku name priceUsd price currency stockQty taxable category description tags}pageInfo{endCursor hasNextPage}}}') as Operation<CatalogExportQuery, CatalogExportQueryVariables>;