import type { Operation } from '../client/graphql.ts';
import type * as types from './types.d.ts';
export type * from './types.d.ts';
const PageSessionText = 'fragment PageSession on SignedIn{wallet roles merchant role permissions csrfToken}';
export const PageSession = ('query PageSession{me{...PageSession}}' + PageSessionText) as Operation<types.PageSessionQuery, types.PageSessionQueryVariables>;
export const PageChallenge = ('mutation PageChallenge($wallet:Wallet!){loginChallenge(wallet:$wallet){nonce typedData}}') as Operation<types.PageChallengeMutation, types.PageChallengeMutationVariables>;
export const PageLogin = ('mutation PageLogin($wallet:Wallet!$nonce:String!$signature:Hex!){login(wallet:$wallet nonce:$nonce signature:$signature){...PageSession}}' + PageSessionText) as Operation<types.PageLoginMutation, types.PageLoginMutationVariables>;
export const PageLogout = ('mutation PageLogout{logout}') as Operation<types.PageLogoutMutation, types.PageLogoutMutationVariables>;