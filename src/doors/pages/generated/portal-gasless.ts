/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../client/graphql.ts';
/** A signed transfer (EIP-3009 `TransferWithAuthorization`). */
export type TransferAuthorizationInput = {
  /** The wallet that pays and has signed. */
  from: string;
  /** 32 bytes. The token accepts it once for each wallet. */
  nonce: string;
  /** Of the key of `from`, or of its deployed smart account (ERC-1271). */
  signature: string;
  /** The merchant’s split. */
  to: string;
  /** Unix seconds. */
  validAfter: number;
  /** Unix seconds. */
  validBefore: number;
  /** The amount of the quote, in base units. */
  value: string;
};

export type PortalDraftMutationVariables = Exact<{
  id: string | number;
  token: string;
  chainId?: number | null | undefined;
  from: string;
}>;


export type PortalDraftMutation = { draftAuthorization: { from: string, to: string, value: string, validAfter: number, validBefore: number, nonce: string, typedData: unknown } };

export type PortalAuthorizeMutationVariables = Exact<{
  id: string | number;
  token: string;
  chainId?: number | null | undefined;
  authorization: TransferAuthorizationInput;
}>;


export type PortalAuthorizeMutation = { payByAuthorization: { transactionHash: string } };

export const PortalDraft = ('mutation PortalDraft($id:ID!$token:String!$chainId:SafeInt$from:Wallet!){draftAuthorization(receiptId:$id token:$token chainId:$chainId from:$from){from to value validAfter validBefore nonce typedData}}') as Operation<PortalDraftMutation, PortalDraftMutationVariables>;
export const PortalAuthorize = ('mutation PortalAuthorize($id:ID!$token:String!$chainId:SafeInt$authorization:TransferAuthorizationInput!){payByAuthorization(receiptId:$id token:$token chainId:$chainId authorization:$authorization){transactionHash}}') as Operation<PortalAuthorizeMutation, PortalAuthorizeMutationVariables>;