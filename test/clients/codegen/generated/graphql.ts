/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

export type CodegenReceiptQueryVariables = Exact<{
  receiptId: string | number;
}>;


export type CodegenReceiptQuery = { receipt: { receiptId: string, totalUsd: number } | null };

export type CodegenReceiptsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type CodegenReceiptsQuery = { receipts: { nodes: Array<{ receiptId: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type CodegenSaveItemMutationVariables = Exact<{
  input: InventoryItemInput;
}>;


export type CodegenSaveItemMutation = { saveInventoryItem: { name: string } | null };

export type CodegenStatusesSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type CodegenStatusesSubscription = { receiptStatuses: { receiptId: string, seq: number, cursor: string } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const CodegenReceiptDocument = new TypedDocumentString(`
    query CodegenReceipt($receiptId: ID!) {
  receipt(receiptId: $receiptId) {
    receiptId
    totalUsd
  }
}
    `) as unknown as TypedDocumentString<CodegenReceiptQuery, CodegenReceiptQueryVariables>;
export const CodegenReceiptsDocument = new TypedDocumentString(`
    query CodegenReceipts($first: Int!, $after: String) {
  receipts(
    first: $first
    after: $after
    orderBy: {field: createdAt, direction: asc}
  ) {
    nodes {
      receiptId
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<CodegenReceiptsQuery, CodegenReceiptsQueryVariables>;
export const CodegenSaveItemDocument = new TypedDocumentString(`
    mutation CodegenSaveItem($input: InventoryItemInput!) {
  saveInventoryItem(input: $input) {
    name
  }
}
    `) as unknown as TypedDocumentString<CodegenSaveItemMutation, CodegenSaveItemMutationVariables>;
export const CodegenStatusesDocument = new TypedDocumentString(`
    subscription CodegenStatuses($after: String) {
  receiptStatuses(after: $after) {
    receiptId
    seq
    cursor
  }
}
    `) as unknown as TypedDocumentString<CodegenStatusesSubscription, CodegenStatusesSubscriptionVariables>;