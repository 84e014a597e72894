import { merchantOf } from '../../core/caller.ts';
import { refuse } from '../../core/errors.ts';
import { listReceiptsOnce } from '../../receipts/newest.ts';
import { limitQuery, receiptBody, receiptIdQuery, terminalBody, trackingBody } from '../bodies.ts';
import {
  CheckPaymentDocument,
  CreateReceiptDocument,
  CreateTerminalReceiptDocument,
  ReceiptDocument,
  ReceiptStatusDocument,
  ReceiptsDocument,
  ReportTrackingDocument,
} from '../generated/graphql.ts';
import { nativePricing, newRecord, without, withoutNulls } from '../records.ts';
import { type Route, route, scope, till } from '../route.ts';

/** Receipts, their status, and the till. */
export const receiptRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/receipts',
    access: scope('receipts:read'),
    rate: 'reads',
    summary: 'The newest receipts',
    operation: ReceiptsDocument,
    variables: ({ query }) => ({ limit: limitQuery(query) }),
    answer: ({ receipts }) => ({ body: { receipts } }),
    source: (context, { limit }) => listReceiptsOnce(context, merchantOf(context.caller), limit as number),
  }),
  route({
    method: 'POST',
    path: '/api/receipts',
    access: scope('receipts:write'),
    rate: 'orders',
    summary: 'Creates a receipt over lines of the caller’s own',
    operation: CreateReceiptDocument,
    variables: (request) => ({ input: receiptBody(request) }),
    answer: ({ createReceipt }) => ({ status: 201, body: createReceipt }),
  }),
  route({
    method: 'GET',
    path: '/api/receipts/:id',
    access: scope('receipts:read'),
    rate: 'reads',
    summary: 'One receipt',
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
    operation: ReceiptStatusDocument,
    variables: ({ query }) => ({ receiptId: receiptIdQuery(query) }),
    answer: ({ receiptStatusReport: { failure, ...report } }) => ({ body: { ...report, ...failure } }),
  }),
  route({
    method: 'POST',
    path: '/api/receipts/status',
    access: scope('receipts:write'),
    rate: 'others',
    summary: 'Reports what the buyer’s side does',
    operation: ReportTrackingDocument,
    variables: (request) => trackingBody(request),
    answer: () => ({ body: { ok: true } }),
  }),
  route({
    method: 'POST',
    path: '/api/receipts/terminal',
    access: till,
    rate: 'orders',
    summary: 'A receipt over one amount that a cashier types',
    operation: CreateTerminalReceiptDocument,
    variables: (request) => ({ input: terminalBody(request), idempotencyKey: request.idempotencyKey }),
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
    operation: CheckPaymentDocument,
    variables: ({ query }) => ({ receiptId: receiptIdQuery(query) }),
    answer: ({ checkPayment }) => ({ body: { ok: true, ...checkPayment } }),
  }),
];
