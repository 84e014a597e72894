import { merchantOf } from '../../../base/core/caller.ts';
import { tokenInput } from '../../../domain/operations/connect/connect.input.ts';
import { refundRequestInput } from '../../../domain/payments/refunds/refund.input.ts';
import { replacementInput } from '../../../domain/sales/orders/order.input.ts';
import { voidInput } from '../../../domain/sales/receipts/receipt.input.ts';
import { requireOwnWallet } from '../../../domain/shop/merchants/own-wallet.ts';
import {
  ExchangeConnectCodeDocument,
  ReplaceReceiptDocument,
  RequestRefundDocument,
  type RequestRefundInput,
  VoidReceiptDocument,
} from '../generated/graphql.ts';
import { newRecord, withoutNulls } from './omit-nulls.ts';
import { ORDER_REFUSALS, orderVariables } from './orders.ts';
import { readsBody } from './reader.ts';
import { open, type Route, route, scope } from './route.ts';

/** The body of `POST /api/receipts/void`. A missing body counts as one without a receipt. */
const voidBody = readsBody(voidInput, (checked) => checked, { mayBeMissing: true });

/** The body of `POST /api/receipts/replace`. */
const replaceBody = readsBody(
  replacementInput,
  ({ receiptId, reason, order }, { caller }) => {
    requireOwnWallet(merchantOf(caller), order.wallet);
    return { receiptId, reason, input: orderVariables(order) };
  },
  { mayBeMissing: true },
);

/** The body of `POST /api/receipts/refund-requests`. */
const refundRequestBody = readsBody(
  refundRequestInput,
  ({ usdCents, items, ...checked }): RequestRefundInput => ({
    ...checked,
    usd: usdCents === null ? null : usdCents / 100,
    items: items.map(({ priceCents, ...item }) => ({ ...item, priceUsd: priceCents / 100 })),
  }),
  { mayBeMissing: true },
);

/** What a shop system does with the receipts of its orders. It decides about no money. */
export const shopSystemRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/receipts/void',
    access: scope('receipts:void'),
    summary: 'Void a receipt',
    detail:
      'Only one that is not paid. A second call answers the same. Money that comes later is listed at the receipt.',
    body: voidBody,
    refuses: ['missing_receipt_id', 'not_found', 'receipt_paid', 'payment_underway'],
    operation: VoidReceiptDocument,
    variables: ({ body }) => body,
    answer: ({ voidReceipt }) => ({ body: { ok: true, receipt: newRecord(voidReceipt) } }),
  }),
  route({
    method: 'POST',
    path: '/api/receipts/replace',
    access: scope('receipts:void', 'orders:create'),
    summary: 'Replace a receipt by a new order',
    detail:
      'Voids the receipt and creates the order, both or neither: for a cart that changes. A receipt is replaced once; `replacedBy` names the new one when it is refused.',
    body: replaceBody,
    repeatable: true,
    refuses: ['missing_receipt_id', 'receipt_paid', 'payment_underway', 'receipt_ended', ...ORDER_REFUSALS],
    operation: ReplaceReceiptDocument,
    variables: ({ body, idempotencyKey }) => ({ ...body, idempotencyKey }),
    answer: ({ replaceReceipt: { paymentUrl, checkoutToken, expiresAt, ...receipt } }) => ({
      body: { ok: true, receipt: newRecord(receipt), paymentUrl, checkoutToken, expiresAt },
    }),
  }),
  route({
    method: 'POST',
    path: '/api/receipts/refund-requests',
    access: scope('refunds:request'),
    summary: 'Ask for a refund',
    detail:
      'A person of the merchant sends it or declines it; no money moves before. The events `refund.requested`, `refund.partial`, `refund.completed` and `refund.declined` say what happens.',
    body: refundRequestBody,
    repeatable: true,
    refuses: ['missing_receipt_id', 'invalid_buyer', 'invalid_usd', 'not_found'],
    operation: RequestRefundDocument,
    variables: ({ body, idempotencyKey }) => ({ input: body, idempotencyKey }),
    answer: ({ requestRefund: { items, ...refund } }) => ({
      body: { ok: true, refundRequest: { ...refund, items: items.map(withoutNulls) } },
    }),
  }),
];

/** How a shop system gets its key. */
export const connectRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/connect/token',
    access: open,
    summary: 'Connect a shop system',
    detail:
      'Exchanges the code that the page `/console/connect` gave for a key and the secret of an endpoint. A code is valid once, for five minutes.',
    body: readsBody(tokenInput, (checked) => checked),
    refuses: ['connect_code_invalid'],
    operation: ExchangeConnectCodeDocument,
    variables: ({ body }) => body,
    answer: ({ exchangeConnectCode }) => ({ body: { ok: true, ...exchangeConnectCode } }),
  }),
];
