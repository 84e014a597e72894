import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
export const Offer = ('query Offer($token:String!){invitation(token:$token){merchant name role label createdBy expiresAt}}') as Operation<types.OfferQuery, types.OfferQueryVariables>;
export const AcceptOffer = ('mutation AcceptOffer($token:String!){acceptInvitation(token:$token){id merchant}}') as Operation<types.AcceptOfferMutation, types.AcceptOfferMutationVariables>;
export const EnterShop = ('mutation EnterShop($merchant:Wallet!){switchMerchant(merchant:$merchant){id}}') as Operation<types.EnterShopMutation, types.EnterShopMutationVariables>;