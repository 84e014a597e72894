/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../../client/graphql.ts';
/** A merchant to register under the signed-in wallet. */
export type RegisterMerchantInput = {
  /** The code of the operator, if `signup` is `invite`. */
  code?: string | null | undefined;
  /** The name that buyers see, 1 to 256 characters. */
  name: string;
};

/** Whether a signed-in wallet may register a merchant. */
export type Signup =
  /** Only the operator registers merchants. */
  | 'closed'
  /** A wallet needs a code of the operator. */
  | 'invite'
  /** Any signed-in wallet may register a merchant. */
  | 'open';

export type SignupQueryVariables = Exact<{ [key: string]: never; }>;


export type SignupQuery = { onboarding: { signup: Signup } };

export type RegisterShopMutationVariables = Exact<{
  input: RegisterMerchantInput;
}>;


export type RegisterShopMutation = { registerMerchant: { merchant: string | null } };

export type EnterOwnShopMutationVariables = Exact<{
  merchant: string;
}>;


export type EnterOwnShopMutation = { switchMerchant: { id: string } };

export const Signup = ('query Signup{onboarding{signup}}') as Operation<SignupQuery, SignupQueryVariables>;
export const RegisterShop = ('mutation RegisterShop($input:RegisterMerchantInput!){registerMerchant(input:$input){merchant}}') as Operation<RegisterShopMutation, RegisterShopMutationVariables>;
export const EnterOwnShop = ('mutation EnterOwnShop($merchant:Wallet!){switchMerchant(merchant:$merchant){id}}') as Operation<EnterOwnShopMutation, EnterOwnShopMutationVariables>;