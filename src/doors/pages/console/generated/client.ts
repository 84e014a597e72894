import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
export const ConsoleShop = ('query ConsoleShop{shopConfig{id name profile{timeZone}theme{brandLogoUrl}}pricingConfig{id nativeCurrency}memberships{id name current}}') as Operation<types.ConsoleShopQuery, types.ConsoleShopQueryVariables>;
export const ConsoleCursor = ('query ConsoleCursor{receiptsCursor}') as Operation<types.ConsoleCursorQuery, types.ConsoleCursorQueryVariables>;
export const ConsoleReceipts = ('subscription ConsoleReceipts($after:String){receiptStatuses(after:$after){receiptId seq kind status tracking at cursor}}') as Operation<types.ConsoleReceiptsSubscription, types.ConsoleReceiptsSubscriptionVariables>;
export const ArrivedPayment = ('query ArrivedPayment($receiptId:ID!){receipt(receiptId:$receiptId){id receiptId totalUsd pricing{currency originalTotal}lineItems{label qty itemId}}}') as Operation<types.ArrivedPaymentQuery, types.ArrivedPaymentQueryVariables>;
export const ConsoleChallenge = ('mutation ConsoleChallenge{confirmChallenge{nonce typedData}}') as Operation<types.ConsoleChallengeMutation, types.ConsoleChallengeMutationVariables>;
export const ConsoleConfirm = ('mutation ConsoleConfirm($nonce:String!$signature:Hex!){confirmSession(nonce:$nonce signature:$signature){id confirmedAt}}') as Operation<types.ConsoleConfirmMutation, types.ConsoleConfirmMutationVariables>;