import { builder } from '../../../base/graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { RECEIPT_PAGES } from '../../../base/graphql/page-fields.ts';
import { FailureType } from '../../sales/receipts/failures.ts';
import { readableReceipt } from '../../sales/receipts/own-receipt.ts';
import { RECEIPT_READERS } from '../../sales/receipts/receipt-type.ts';
import { EndpointStatusEnum } from '../../sales/receipts/status-types.ts';
import { readStatus, type StatusReport } from './status-report.ts';

const StatusReportType = builder.objectRef<StatusReport>('ReceiptStatusReport').implement({
  description: 'The status of a receipt, for polling.',
  pages: RECEIPT_PAGES,
  authScopes: RECEIPT_READERS,
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: ({ merchant, receiptId }) => globalId('ReceiptStatusReport', merchant, receiptId),
    }),
    receiptId: t.exposeID('receiptId', { description: 'The id of the receipt.' }),
    status: t.expose('status', {
      type: EndpointStatusEnum,
      description:
        'generated, pending, tx_mined, recipient_validated (paid), completed, failed, refunded or tx_mismatch.',
    }),
    transactionHash: t.exposeString('transactionHash', {
      nullable: true,
      description: 'The hash of the payment transaction, once it is known.',
    }),
    currency: t.exposeString('currency', {
      description: 'The token that was paid; else the token last quoted; else the default token.',
    }),
    amount: t.exposeFloat('amount', { description: 'The amount in that token.' }),
    failure: t.field({
      type: FailureType,
      nullable: true,
      description: 'The reason of the failure; null unless the receipt failed.',
      resolve: (report) => report.failure,
    }),
    endedAt: t.expose('endedAt', {
      type: 'Millis',
      nullable: true,
      description: 'When the receipt expired or was voided; null while it can be paid, and once it is.',
    }),
  }),
});

builder.queryFields((t) => ({
  receiptStatusReport: t.field({
    type: StatusReportType,
    description: 'The status of one receipt in the terms of `GET /api/receipts/status`.',
    authScopes: { scope: 'receipts:read', may: 'receipts:own', buyer: true },
    args: { receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }) },
    resolve: async (_root, args, context) => {
      const { merchant, receiptId } = await readableReceipt(context, args.receiptId);
      return readStatus(context, merchant, receiptId);
    },
  }),
}));
