import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
export const ConnectShop = ('mutation ConnectShop($input:ConnectShopInput!){connectShop(input:$input){returnUrl}}') as Operation<types.ConnectShopMutation, types.ConnectShopMutationVariables>;