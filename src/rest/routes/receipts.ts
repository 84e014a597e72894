import { merchantOf } from '../../core/caller.ts';
import { refuse } from '../../core/errors.ts';
import { listReceiptsOnce } from '../../receipts/newest.ts';
import { refundBody } from '../bodies/refund.ts';
import { limitQuery, receiptBody, receiptIdQuery, terminalBody, trackingBody } from '../bodies.ts';
import {
  CheckPaymentDocument,
  CreateReceiptDocument,
  CreateTerminalReceiptDocument,
  ReceiptDocument,
  ReceiptStatusDocument,
  ReceiptsDocument,
  RefundReceiptDocument,
  ReportTrackingDocument,
} from '../generated/graphql.ts';
import { nativePricing, newRecord, without, withoutNulls } from '../records.ts';
import { admin, type Route, route, scope, till } from '../route.ts';

/** Receipts, their status, and the till. */
export const receiptRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/receipts',
    access: scope('receipts:read'),
    rate: 'reads',
    summary: 'The newest receipts',
    query: limitQuery,
    degrades: true,
    refuses: [],
    operation: ReceiptsDocument,
    variables: ({ query }) => ({ limit: query }),
    answer: ({ receipts }) => ({ body: { receipts } }),
    source: (context, { limit }) => listReceiptsOnce(context, merchantOf(context.caller), limit as number),
  }),
  route({
    method: 'POST',
    path: '/api/receipts',
    access: scope('receipts:write'),
    rate: 'orders',
    summary: 'Creates a receipt over lines of the caller’s own',
    body: receiptBody,
    refuses: ['invalid_wallet', 'split_required', 'exchange_rate_unavailable'],
    operation: CreateReceiptDocument,
    variables: ({ body }) => ({ input: body }),
    answer: ({ createReceipt }) => ({ status: 201, body: createReceipt }),
  }),
  route({
    method: 'GET',
    path: '/api/receipts/:id',
    access: scope('receipts:read'),
    rate: 'reads',
    summary: 'One receipt',
    refuses: ['not_found'],
    operation: ReceiptDocument,
    variables: ({ params }) => ({ receiptId: params.id as string }),
    answer: ({ receipt }) => {
      if (!receipt) throw refuse('not_found', 'Receipt not found');
      const { billingAddress, pricing, ...record } = receipt;
      return {
        body: {
          ...without(record, 'transactionId', 'metadata'),
          ...nativePricing(pricing),
          ...(billingAddress ? { billingAddress: withoutNulls(billingAddress) } : {}),
        },
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/receipts/status',
    access: scope('receipts:read'),
    rate: 'reads',
    summary: 'The payment status of a receipt',
    query: receiptIdQuery,
    refuses: ['not_found'],
    operation: ReceiptStatusDocument,
    variables: ({ query }) => ({ receiptId: query }),
    answer: ({ receiptStatusReport: { failure, ...report } }) => ({ body: { ...report, ...failure } }),
  }),
  route({
    method: 'POST',
    path: '/api/receipts/status',
    access: scope('receipts:write'),
    rate: 'others',
    summary: 'Reports what the buyer’s side does',
    body: trackingBody,
    refuses: ['missing_receipt_id', 'invalid_wallet', 'missing_status', 'not_found'],
    operation: ReportTrackingDocument,
    variables: ({ body }) => body,
    answer: () => ({ body: { ok: true } }),
  }),
  route({
    method: 'POST',
    path: '/api/receipts/refund',
    access: admin,
    rate: 'others',
    summary: 'Asks a refund, or shows that it was sent',
    body: refundBody,
    repeatable: true,
    refuses: [
      'missing_receipt_id',
      'invalid_wallet',
      'invalid_buyer',
      'invalid_usd',
      'not_found',
      'exchange_rate_unavailable',
      'chain_unavailable',
    ],
    operation: RefundReceiptDocument,
    variables: ({ body, idempotencyKey }) => ({ input: body, idempotencyKey }),
    answer: () => ({ body: { ok: true } }),
  }),
  route({
    method: 'POST',
    path: '/api/receipts/terminal',
    access: till,
    rate: 'orders',
    summary: 'A receipt over one amount that a cashier types',
    body: terminalBody,
    repeatable: true,
    refuses: [
      'wallet_required',
      'invalid_wallet',
      'invalid_amount',
      'split_required',
      'not_found',
      'exchange_rate_unavailable',
    ],
    operation: CreateTerminalReceiptDocument,
    variables: ({ body, idempotencyKey }) => ({ input: body, idempotencyKey }),
    answer: ({ createTerminalReceipt }) => ({
      body: { ok: true, receipt: newRecord(createTerminalReceipt) },
    }),
  }),
  route({
    method: 'GET',
    path: '/api/terminal/check-payment',
    access: scope('receipts:read'),
    rate: 'reads',
    summary: 'Whether a receipt is paid',
    query: receiptIdQuery,
    refuses: ['not_found'],
    operation: CheckPaymentDocument,
    variables: ({ query }) => ({ receiptId: query }),
    answer: ({ checkPayment }) => ({ body: { ok: true, ...checkPayment } }),
  }),
];
