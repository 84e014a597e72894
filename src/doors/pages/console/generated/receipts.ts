import type { Operation } from '../../client/graphql.ts';
import type * as types from '../../generated/types.d.ts';
export type * from '../../generated/types.d.ts';
const ReceiptRowText = 'fragment ReceiptRow on Receipt{id receiptId status closedAt seq totalUsd pricing{currency originalTotal}refundedUsd createdAt transactionId buyerWallet billingAddress{firstName lastName email}lineItems{label qty itemId}}';
export const VoidReceipts = ('mutation VoidReceipts($ids:[ID!]!){voidReceipts(receiptIds:$ids){id error message reason}}') as Operation<types.VoidReceiptsMutation, types.VoidReceiptsMutationVariables>;
export const Receipts = ('query Receipts($filter:ReceiptFilter$first:Int$after:String$last:Int$before:String){receipts(filter:$filter first:$first after:$after last:$last before:$before){nodes{...ReceiptRow}pageInfo{startCursor endCursor hasNextPage hasPreviousPage}}}' + ReceiptRowText) as Operation<types.ReceiptsQuery, types.ReceiptsQueryVariables>;