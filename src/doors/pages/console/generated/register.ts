import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
export const Signup = ('query Signup{onboarding{signup}}') as Operation<types.SignupQuery, types.SignupQueryVariables>;
export const RegisterShop = ('mutation RegisterShop($input:RegisterMerchantInput!){registerMerchant(input:$input){merchant}}') as Operation<types.RegisterShopMutation, types.RegisterShopMutationVariables>;
export const EnterOwnShop = ('mutation EnterOwnShop($merchant:Wallet!){switchMerchant(merchant:$merchant){id}}') as Operation<types.EnterOwnShopMutation, types.EnterOwnShopMutationVariables>;