import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
export const Account = ('query Account($first:Int$after:String$last:Int$before:String){onboarding{signup}memberships{id merchant name role createdAt current}sessions(first:$first after:$after last:$last before:$before){nodes{id sessionId merchant role createdAt lastUsedAt address device current}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}') as Operation<types.AccountQuery, types.AccountQueryVariables>;
export const Owners = ('query Owners{members{id role}}') as Operation<types.OwnersQuery, types.OwnersQueryVariables>;
export const SwitchMerchant = ('mutation SwitchMerchant($merchant:Wallet!){switchMerchant(merchant:$merchant){id}}') as Operation<types.SwitchMerchantMutation, types.SwitchMerchantMutationVariables>;
export const EndSession = ('mutation EndSession($sessionId:ID!){endSession(sessionId:$sessionId)}') as Operation<types.EndSessionMutation, types.EndSessionMutationVariables>;
export const EndOtherSessions = ('mutation EndOtherSessions{endAllSessions(exceptThis:true)}') as Operation<types.EndOtherSessionsMutation, types.EndOtherSessionsMutationVariables>;
export const LeaveMerchant = ('mutation LeaveMerchant{leaveMerchant}') as Operation<types.LeaveMerchantMutation, types.LeaveMerchantMutationVariables>;