import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
export const Home = ('query Home($from:String!$to:String!$setUp:Boolean!){receiptStats(from:$from to:$to interval:DAY){building total{groups{status figures{count currencies{currency created}}}}periods{from figures{paidCount grossUsd currencies{currency gross}}}}attention{id unmatchedTransfers receipts failedDeliveries pastDueSubscriptions lowStock takesNothing suspendedAt}onboarding@include(if:$setUp){steps{step done}}}') as Operation<types.HomeQuery, types.HomeQueryVariables>;
export const HomeGas = ('query HomeGas{platform{id wallets{role low}}}') as Operation<types.HomeGasQuery, types.HomeGasQueryVariables>;