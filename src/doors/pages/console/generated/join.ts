/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** The role of a member of a merchant. */
export type MemberRole =
  /** Reads and exports, and changes nothing. */
  | 'bookkeeper'
  /** Takes payments at the till and reads the receipts that it created. */
  | 'cashier'
  /** Manages keys and webhooks, and moves no money. Its own keys open what it may read itself. */
  | 'developer'
  /** Runs the shop, without its split, its members and keys that write. */
  | 'manager'
  /** Does everything. A merchant always has an owner. */
  | 'owner';

export type OfferQueryVariables = Exact<{
  token: string;
}>;


export type OfferQuery = { invitation: { merchant: string, name: string, role: MemberRole, label: string | null, createdBy: string, expiresAt: number } };

export type AcceptOfferMutationVariables = Exact<{
  token: string;
}>;


export type AcceptOfferMutation = { acceptInvitation: { id: string, merchant: string } };

export type EnterShopMutationVariables = Exact<{
  merchant: string;
}>;


export type EnterShopMutation = { switchMerchant: { id: string } };

export const Offer = ('query Offer($token:String!){invitation(token:$token){merchant name role label createdBy expiresAt}}') as Operation<OfferQuery, OfferQueryVariables>;
export const AcceptOffer = ('mutation AcceptOffer($token:String!){acceptInvitation(token:$token){id merchant}}') as Operation<AcceptOfferMutation, AcceptOfferMutationVariables>;
export const EnterShop = ('mutation EnterShop($merchant:Wallet!){switchMerchant(merchant:$merchant){id}}') as Operation<EnterShopMutation, EnterShopMutationVariables>;