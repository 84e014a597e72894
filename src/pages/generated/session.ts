/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { Operation } from '../client/graphql.ts';
export type PageSessionFragment = { wallet: string, merchant: string | null, csrfToken: string };

export type PageSessionQueryVariables = Exact<{ [key: string]: never; }>;


export type PageSessionQuery = { me: { wallet: string, merchant: string | null, csrfToken: string } };

export type PageChallengeMutationVariables = Exact<{
  wallet: string;
}>;


export type PageChallengeMutation = { loginChallenge: { nonce: string, typedData: unknown } };

export type PageLoginMutationVariables = Exact<{
  wallet: string;
  nonce: string;
  signature: string;
}>;


export type PageLoginMutation = { login: { wallet: string, merchant: string | null, csrfToken: string } };

export type PageLogoutMutationVariables = Exact<{ [key: string]: never; }>;


export type PageLogoutMutation = { logout: boolean };

const PageSessionText = 'fragment PageSession on SignedIn{wallet merchant csrfToken}';
export const PageSession = ('query PageSession{me{...PageSession}}' + PageSessionText) as Operation<PageSessionQuery, PageSessionQueryVariables>;
export const PageChallenge = ('mutation PageChallenge($wallet:Wallet!){loginChallenge(wallet:$wallet){nonce typedData}}') as Operation<PageChallengeMutation, PageChallengeMutationVariables>;
export const PageLogin = ('mutation PageLogin($wallet:Wallet!$nonce:String!$signature:Hex!){login(wallet:$wallet nonce:$nonce signature:$signature){...PageSession}}' + PageSessionText) as Operation<PageLoginMutation, PageLoginMutationVariables>;
export const PageLogout = ('mutation PageLogout{logout}') as Operation<PageLogoutMutation, PageLogoutMutationVariables>;