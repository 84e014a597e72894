/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** Conditions on merchants; all that are given must hold. */
export type PlatformMerchantFilter = {
  /** A part of the name in any letter case, or the wallet. `%` has no special meaning. */
  q?: string | null | undefined;
  /** Only merchants that are, or are not, suspended. */
  suspended?: boolean | null | undefined;
};

export type MerchantRowFragment = { id: string, wallet: string, name: string, createdAt: number, suspendedAt: number | null, suspendedReason: string | null, paidCount: number, paidUsd: number };

export type MerchantsQueryVariables = Exact<{
  filter?: PlatformMerchantFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type MerchantsQuery = { platform: { id: string, merchants: { nodes: Array<{ id: string, wallet: string, name: string, createdAt: number, suspendedAt: number | null, suspendedReason: string | null, paidCount: number, paidUsd: number }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } } } };

export type SuspendMerchantMutationVariables = Exact<{
  wallet: string;
  reason: string;
}>;


export type SuspendMerchantMutation = { suspendMerchant: { id: string, wallet: string, name: string, createdAt: number, suspendedAt: number | null, suspendedReason: string | null, paidCount: number, paidUsd: number } };

export type ResumeMerchantMutationVariables = Exact<{
  wallet: string;
}>;


export type ResumeMerchantMutation = { resumeMerchant: { id: string, wallet: string, name: string, createdAt: number, suspendedAt: number | null, suspendedReason: string | null, paidCount: number, paidUsd: number } };

export type InviteShopMutationVariables = Exact<{
  note?: string | null | undefined;
  key: string;
}>;


export type InviteShopMutation = { inviteMerchant: { code: string } };

const MerchantRowText = 'fragment MerchantRow on PlatformMerchant{id wallet name createdAt suspendedAt suspendedReason paidCount paidUsd}';
export const Merchants = ('query Merchants($filter:PlatformMerchantFilter$first:Int$after:String$last:Int$before:String){platform{id merchants(filter:$filter first:$first after:$after last:$last before:$before){nodes{...MerchantRow}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}}' + MerchantRowText) as Operation<MerchantsQuery, MerchantsQueryVariables>;
export const SuspendMerchant = ('mutation SuspendMerchant($wallet:Wallet!$reason:String!){suspendMerchant(wallet:$wallet reason:$reason){...MerchantRow}}' + MerchantRowText) as Operation<SuspendMerchantMutation, SuspendMerchantMutationVariables>;
export const ResumeMerchant = ('mutation ResumeMerchant($wallet:Wallet!){resumeMerchant(wallet:$wallet){...MerchantRow}}' + MerchantRowText) as Operation<ResumeMerchantMutation, ResumeMerchantMutationVariables>;
export const InviteShop = ('mutation InviteShop($note:String$key:String!){inviteMerchant(note:$note idempotencyKey:$key){code}}') as Operation<InviteShopMutation, InviteShopMutationVariables>;