import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
const MerchantRowText = 'fragment MerchantRow on PlatformMerchant{id wallet name createdAt suspendedAt suspendedReason paidCount paidUsd}';
export const Merchants = ('query Merchants($filter:PlatformMerchantFilter$first:Int$after:String$last:Int$before:String){platform{id merchants(filter:$filter first:$first after:$after last:$last before:$before){nodes{...MerchantRow}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}}' + MerchantRowText) as Operation<types.MerchantsQuery, types.MerchantsQueryVariables>;
export const SuspendMerchant = ('mutation SuspendMerchant($wallet:Wallet!$reason:String!){suspendMerchant(wallet:$wallet reason:$reason){...MerchantRow}}' + MerchantRowText) as Operation<types.SuspendMerchantMutation, types.SuspendMerchantMutationVariables>;
export const ResumeMerchant = ('mutation ResumeMerchant($wallet:Wallet!){resumeMerchant(wallet:$wallet){...MerchantRow}}' + MerchantRowText) as Operation<types.ResumeMerchantMutation, types.ResumeMerchantMutationVariables>;
export const InviteShop = ('mutation InviteShop($note:String$key:String!){inviteMerchant(note:$note idempotencyKey:$key){code}}') as Operation<types.InviteShopMutation, types.InviteShopMutationVariables>;