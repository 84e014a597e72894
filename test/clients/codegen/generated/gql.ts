/* eslint-disable */
import * as types from './graphql.ts';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query CodegenReceipt($receiptId: ID!) {\n    receipt(receiptId: $receiptId) {\n      receiptId\n      totalUsd\n    }\n  }\n": typeof types.CodegenReceiptDocument,
    "\n  query CodegenReceipts($first: Int!, $after: String) {\n    receipts(first: $first, after: $after, orderBy: { field: createdAt, direction: asc }) {\n      nodes {\n        receiptId\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.CodegenReceiptsDocument,
    "\n  mutation CodegenSaveItem($input: InventoryItemInput!) {\n    saveInventoryItem(input: $input) {\n      name\n    }\n  }\n": typeof types.CodegenSaveItemDocument,
    "\n  subscription CodegenStatuses($after: String) {\n    receiptStatuses(after: $after) {\n      receiptId\n      seq\n      cursor\n    }\n  }\n": typeof types.CodegenStatusesDocument,
};
const documents: Documents = {
    "\n  query CodegenReceipt($receiptId: ID!) {\n    receipt(receiptId: $receiptId) {\n      receiptId\n      totalUsd\n    }\n  }\n": types.CodegenReceiptDocument,
    "\n  query CodegenReceipts($first: Int!, $after: String) {\n    receipts(first: $first, after: $after, orderBy: { field: createdAt, direction: asc }) {\n      nodes {\n        receiptId\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.CodegenReceiptsDocument,
    "\n  mutation CodegenSaveItem($input: InventoryItemInput!) {\n    saveInventoryItem(input: $input) {\n      name\n    }\n  }\n": types.CodegenSaveItemDocument,
    "\n  subscription CodegenStatuses($after: String) {\n    receiptStatuses(after: $after) {\n      receiptId\n      seq\n      cursor\n    }\n  }\n": types.CodegenStatusesDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CodegenReceipt($receiptId: ID!) {\n    receipt(receiptId: $receiptId) {\n      receiptId\n      totalUsd\n    }\n  }\n"): typeof import('./graphql.ts').CodegenReceiptDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CodegenReceipts($first: Int!, $after: String) {\n    receipts(first: $first, after: $after, orderBy: { field: createdAt, direction: asc }) {\n      nodes {\n        receiptId\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CodegenReceiptsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CodegenSaveItem($input: InventoryItemInput!) {\n    saveInventoryItem(input: $input) {\n      name\n    }\n  }\n"): typeof import('./graphql.ts').CodegenSaveItemDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription CodegenStatuses($after: String) {\n    receiptStatuses(after: $after) {\n      receiptId\n      seq\n      cursor\n    }\n  }\n"): typeof import('./graphql.ts').CodegenStatusesDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
