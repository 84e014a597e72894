import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
export const LiveReceipts = ('query LiveReceipts{receipts(first:50){nodes{id receiptId status closedAt seq totalUsd pricing{currency originalTotal}createdAt transactionId buyerWallet billingAddress{firstName lastName email}lineItems{label qty itemId}}}}') as Operation<types.LiveReceiptsQuery, types.LiveReceiptsQueryVariables>;
export const LivePeople = ('query LivePeople{liveUsers(limit:50){id wallet displayName platform}}') as Operation<types.LivePeopleQuery, types.LivePeopleQueryVariables>;