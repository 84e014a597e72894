/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
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

export type KeyRowFragment = { id: string, keyId: string, label: string | null, scopes: Array<Scope>, state: KeyState, writes: boolean, trustedOnly: boolean, origins: Array<string>, addresses: Array<string>, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null };

export type KeysQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type KeysQuery = { keys: { nodes: Array<{ id: string, keyId: string, label: string | null, scopes: Array<Scope>, state: KeyState, writes: boolean, trustedOnly: boolean, origins: Array<string>, addresses: Array<string>, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } } };

export type IssueKeyMutationVariables = Exact<{
  input: IssueKeyInput;
  key: string;
}>;


export type IssueKeyMutation = { issueKey: { secret: string, key: { id: string, keyId: string, label: string | null, scopes: Array<Scope>, state: KeyState, writes: boolean, trustedOnly: boolean, origins: Array<string>, addresses: Array<string>, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null } | null } };

export type RotateKeyMutationVariables = Exact<{
  keyId: string | number;
  key: string;
}>;


export type RotateKeyMutation = { rotateKey: { secret: string, key: { id: string, keyId: string, label: string | null, scopes: Array<Scope>, state: KeyState, writes: boolean, trustedOnly: boolean, origins: Array<string>, addresses: Array<string>, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null } | null } };

export type RevokeKeyMutationVariables = Exact<{
  keyId: string | number;
}>;


export type RevokeKeyMutation = { revokeKey: { id: string, keyId: string, label: string | null, scopes: Array<Scope>, state: KeyState, writes: boolean, trustedOnly: boolean, origins: Array<string>, addresses: Array<string>, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null } };

export type FailedRequestsQueryVariables = Exact<{ [key: string]: never; }>;


export type FailedRequestsQuery = { failedRequests: Array<{ id: string, at: number, operation: string, status: number, code: ErrorCode, field: string | null, correlationId: string, keyId: string | null, keyLabel: string | null }> };

const KeyRowText = 'fragment KeyRow on ApiKey{id keyId label scopes state writes trustedOnly origins addresses createdAt lastUsedAt expiresAt revokedAt replacedBy}';
export const Keys = ('query Keys($first:Int$after:String$last:Int$before:String){keys(first:$first after:$after last:$last before:$before){nodes{...KeyRow}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}' + KeyRowText) as Operation<KeysQuery, KeysQueryVariables>;
export const IssueKey = ('mutation IssueKey($input:IssueKeyInput!$key:String!){issueKey(input:$input idempotencyKey:$key){secret key{...KeyRow}}}' + KeyRowText) as Operation<IssueKeyMutation, IssueKeyMutationVariables>;
export const RotateKey = ('mutation RotateKey($keyId:ID!$key:String!){rotateKey(keyId:$keyId idempotencyKey:$key){secret key{...KeyRow}}}' + KeyRowText) as Operation<RotateKeyMutation, RotateKeyMutationVariables>;
export const RevokeKey = ('mutation RevokeKey($keyId:ID!){revokeKey(keyId:$keyId){...KeyRow}}' + KeyRowText) as Operation<RevokeKeyMutation, RevokeKeyMutationVariables>;
export const FailedRequests = ('query FailedRequests{failedRequests{id at operation status code field correlationId keyId keyLabel}}') as Operation<FailedRequestsQuery, FailedRequestsQueryVariables>;