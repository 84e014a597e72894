/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
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
}>;


export type IssueKeyMutation = { issueKey: { secret: string, key: { id: string, keyId: string, label: string | null, scopes: Array<Scope>, state: KeyState, writes: boolean, trustedOnly: boolean, origins: Array<string>, addresses: Array<string>, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null } | null } };

export type RotateKeyMutationVariables = Exact<{
  keyId: string | number;
  overlapHours?: number | null | undefined;
}>;


export type RotateKeyMutation = { rotateKey: { secret: string, key: { id: string, keyId: string, label: string | null, scopes: Array<Scope>, state: KeyState, writes: boolean, trustedOnly: boolean, origins: Array<string>, addresses: Array<string>, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null } | null } };

export type RevokeKeyMutationVariables = Exact<{
  keyId: string | number;
}>;


export type RevokeKeyMutation = { revokeKey: { id: string, keyId: string, label: string | null, scopes: Array<Scope>, state: KeyState, writes: boolean, trustedOnly: boolean, origins: Array<string>, addresses: Array<string>, createdAt: number, lastUsedAt: number | null, expiresAt: number | null, revokedAt: number | null, replacedBy: string | null } };

export type FailedRequestsQueryVariables = Exact<{ [key: string]: never; }>;


export type FailedRequestsQuery = { failedRequests: Array<{ id: string, at: number, operation: string, status: number, code: string, field: string | null, correlationId: string, keyId: string | null, keyLabel: string | null }> };

const KeyRowText = 'fragment KeyRow on ApiKey{id keyId label scopes state writes trustedOnly origins addresses createdAt lastUsedAt expiresAt revokedAt replacedBy}';
export const Keys = ('query Keys($first:Int$after:String$last:Int$before:String){keys(first:$first after:$after last:$last before:$before){nodes{...KeyRow}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}' + KeyRowText) as Operation<KeysQuery, KeysQueryVariables>;
export const IssueKey = ('mutation IssueKey($input:IssueKeyInput!){issueKey(input:$input){secret key{...KeyRow}}}' + KeyRowText) as Operation<IssueKeyMutation, IssueKeyMutationVariables>;
export const RotateKey = ('mutation RotateKey($keyId:ID!$overlapHours:Int){rotateKey(keyId:$keyId overlapHours:$overlapHours){secret key{...KeyRow}}}' + KeyRowText) as Operation<RotateKeyMutation, RotateKeyMutationVariables>;
export const RevokeKey = ('mutation RevokeKey($keyId:ID!){revokeKey(keyId:$keyId){...KeyRow}}' + KeyRowText) as Operation<RevokeKeyMutation, RevokeKeyMutationVariables>;
export const FailedRequests = ('query FailedRequests{failedRequests{id at operation status code field correlationId keyId keyLabel}}') as Operation<FailedRequestsQuery, FailedRequestsQueryVariables>;