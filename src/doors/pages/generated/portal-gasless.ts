import type { Operation } from '../client/graphql.ts';
import type * as types from './types.d.ts';
export type * from './types.d.ts';
export const PortalDraft = ('mutation PortalDraft($id:ID!$token:String!$chainId:SafeInt$from:Wallet!){draftAuthorization(receiptId:$id token:$token chainId:$chainId from:$from){from to value validAfter validBefore nonce typedData}}') as Operation<types.PortalDraftMutation, types.PortalDraftMutationVariables>;
export const PortalAuthorize = ('mutation PortalAuthorize($id:ID!$token:String!$chainId:SafeInt$authorization:TransferAuthorizationInput!){payByAuthorization(receiptId:$id token:$token chainId:$chainId authorization:$authorization){transactionHash}}') as Operation<types.PortalAuthorizeMutation, types.PortalAuthorizeMutationVariables>;