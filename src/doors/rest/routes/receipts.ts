import { z } from 'zod';
import { merchantOf, sessionOf } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { coded, optional } from '../../../base/core/input.ts';
import { identifier, wallet } from '../../../base/core/text.ts';
import { refundInput } from '../../../domain/payments/refunds/refund.input.ts';
import { MEDIA_TYPES, openExport } from '../../../domain/reports/exports/file.ts';
import { terminalInput } from '../../../domain/sales/orders/order.input.ts';
import { listReceiptsOnce } from '../../../domain/sales/receipts/newest.ts';
import { receiptIdInput, receiptInput } from '../../../domain/sales/receipts/receipt.input.ts';
import { requireOwnWallet } from '../../../domain/shop/merchants/own-wallet.ts';
import type {
  CreateReceiptInput,
  LegacyLineInput,
  LegacyLinesInput,
  NativeLineInput,
  NativeLinesInput,
  ReceiptLinesInput,
  RefundReceiptInput,
  TerminalReceiptInput,
} from '../generated/graphql.ts';
import {
  CheckPaymentDocument,
  CreateReceiptDocument,
  CreateTerminalReceiptDocument,
  ReceiptDocument,
  ReceiptStatusDocument,
  ReceiptsDocument,
  type ReceiptsQuery,
  RefundReceiptDocument,
  ReportTrackingDocument,
} from '../generated/graphql.ts';
import { nativePricing, newRecord, withoutNulls, withoutOptions } from './omit-nulls.ts';
import { optionFields } from './orders.ts';
import { inUpperCase, pick, readsBody, readsQuery } from './reader.ts';
import { exportReader, receiptsReader } from './receipt-queries.ts';
import { admin, type Row, route, scope, streamed, till } from './route.ts';

const TERMINAL_FIELDS = [
  'amountUsd',
  'amount',
  'currency',
  'label',
  'tip',
  'jurisdictionCode',
  'taxRate',
  'taxComponents',
  'expiresInMinutes',
] as const satisfies readonly (keyof TerminalReceiptInput)[];

/**
 * The body of `POST /api/receipts/terminal`. The merchant that the session acts for overrides one named in the body.
 */
const terminalBody = readsBody(terminalInput, ({ wallet: named }, { body, caller }) => {
  const { merchant } = sessionOf(caller);
  if (merchant !== null) requireOwnWallet(merchant, named);
  return { ...inUpperCase(pick<TerminalReceiptInput>(body, TERMINAL_FIELDS)), wallet: merchant ?? named };
});

const LEGACY_LINE = ['label', 'priceUsd', 'qty'] as const satisfies readonly (keyof LegacyLineInput)[];
const NATIVE_LINE = ['label', 'amount', 'qty'] as const satisfies readonly (keyof NativeLineInput)[];

/** The lines and the total of a body, in its format. */
function linesOf(format: 'legacy' | 'native', body: unknown): ReceiptLinesInput {
  const { lineItems } = body as { readonly lineItems: readonly unknown[] };
  if (format === 'legacy') {
    const lines = lineItems.map((line) => pick<LegacyLineInput>(line, LEGACY_LINE));
    return { legacy: { ...pick<LegacyLinesInput>(body, ['totalUsd']), lineItems: lines } };
  }
  const lines = lineItems.map((line) => pick<NativeLineInput>(line, NATIVE_LINE));
  return { native: { ...inUpperCase(pick<NativeLinesInput>(body, ['currency', 'total'])), lineItems: lines } };
}

/** The body of `POST /api/receipts`, in either format. */
const receiptBody = readsBody(receiptInput, (checked, { body, caller }): CreateReceiptInput => {
  requireOwnWallet(merchantOf(caller), checked.wallet);
  return {
    id: checked.id,
    lines: linesOf(checked.format, body),
    expiresInMinutes: checked.expiresInMinutes,
    replaces: checked.replaces,
    ...optionFields(checked.options),
  };
});

const required = z.string({ error: 'is required' }).min(1, { error: 'is required' });

/** The `receiptId` of a query. */
const receiptIdQuery = readsQuery(z.object({ receiptId: required }), ({ receiptId }) => receiptId);

const filled = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The body of `POST /api/receipts/status`. */
const trackingBody = readsBody(
  z.object({
    receiptId: receiptIdInput,
    wallet: optional(wallet),
    status: coded('missing_status', filled).pipe(identifier),
  }),
  ({ receiptId, wallet: named, status }, { caller }) => {
    requireOwnWallet(merchantOf(caller), named);
    return { receiptId, status };
  },
  { mayBeMissing: true },
);

/** The body of `POST /api/receipts/refund`. A missing body counts as one without a receipt. */
const refundBody = readsBody(
  refundInput,
  ({ usdCents, items, ...checked }, { caller }): RefundReceiptInput => {
    requireOwnWallet(merchantOf(caller), checked.wallet);
    return {
      ...checked,
      usd: usdCents / 100,
      items: items.map(({ priceCents, ...item }) => ({ ...item, priceUsd: priceCents / 100 })),
    };
  },
  { mayBeMissing: true },
);

const nextOf = ({ hasNextPage, endCursor }: ReceiptsQuery['receipts']['pageInfo']): string | null =>
  hasNextPage ? (endCursor ?? null) : null;

/** Receipts, their status, and the terminal. */
export const receiptRoutes: readonly Row[] = [
  route({
    method: 'GET',
    path: '/api/receipts',
    access: scope('receipts:read'),
    summary: 'List receipts',
    detail:
      'The newest first. `nextCursor` is the `cursor` of the next page, which the header `Link` names too. On the last page it is null if the request has a filter, `sort`, `order` or `cursor`, and absent otherwise.',
    query: receiptsReader,
    degrades: true,
    refuses: ['bad_cursor'],
    operation: ReceiptsDocument,
    variables: ({ query }) => query,
    answer: ({ receipts: { nodes, page, pageInfo } }) => ({
      body: page || pageInfo.hasNextPage ? { receipts: nodes, nextCursor: nextOf(pageInfo) } : { receipts: nodes },
    }),
    next: ({ receipts: { pageInfo } }) => nextOf(pageInfo),
    // One row more than the page tells whether there is a next one.
    source: async (context, { first, paged }) =>
      paged ? null : listReceiptsOnce(context, merchantOf(context.caller), (first as number) + 1),
  }),
  streamed({
    method: 'GET',
    path: '/api/exports/receipts',
    access: scope('receipts:read'),
    permission: 'reports',
    summary: 'Export receipts',
    detail:
      'As CSV or JSON lines: receipts, their lines, the shares of their payments, their payments, or their refunds, by the filters of `GET /api/receipts`. The export has the receipts that were created until its beginning. If it cannot be finished, the connection is closed before the end of the answer; JSON lines end with an object that has `error` and `message`.',
    query: exportReader,
    refuses: ['too_many_streams'],
    operationId: 'exportReceipts',
    operation: ReceiptsDocument,
    types: Object.values(MEDIA_TYPES),
    open: (deps, { caller, query }) => openExport(deps, { ...query, merchant: merchantOf(caller) }),
  }),
  route({
    method: 'POST',
    path: '/api/receipts',
    access: scope('receipts:write'),
    summary: 'Create a receipt',
    detail: 'With the caller’s own lines instead of catalog items.',
    body: receiptBody,
    refuses: [
      ...(['invalid_wallet', 'merchant_suspended', 'split_required', 'exchange_rate_unavailable'] as const),
      ...(['not_found', 'receipt_paid', 'payment_underway', 'receipt_ended'] as const),
    ],
    operation: CreateReceiptDocument,
    variables: ({ body }) => ({ input: body }),
    answer: ({ createReceipt }) => ({ status: 201, body: createReceipt }),
  }),
  route({
    method: 'GET',
    path: '/api/receipts/:id',
    access: scope('receipts:read'),
    summary: 'Read a receipt',
    refuses: ['not_found'],
    operation: ReceiptDocument,
    variables: ({ params }) => ({ receiptId: params.id as string }),
    answer: ({ receipt }) => {
      if (!receipt) throw refuse('not_found', 'Receipt not found');
      const { billingAddress, pricing, ...record } = receipt;
      return {
        body: {
          ...withoutOptions(record),
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
    summary: 'Read a payment status',
    query: receiptIdQuery,
    refuses: ['not_found'],
    operation: ReceiptStatusDocument,
    variables: ({ query }) => ({ receiptId: query }),
    answer: ({ receiptStatusReport: { failure, endedAt, ...report } }) => ({
      body: { ...report, ...failure, ...(endedAt === null ? {} : { endedAt }) },
    }),
  }),
  route({
    method: 'POST',
    path: '/api/receipts/status',
    access: scope('receipts:write'),
    summary: 'Report buyer progress',
    detail: 'The buyer’s progress, as reported by the shop’s own page.',
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
    summary: 'Refund a receipt',
    detail: 'Requests a refund, or proves by its transaction that it was sent.',
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
    summary: 'Create a terminal receipt',
    detail: 'For one amount that a cashier enters.',
    body: terminalBody,
    repeatable: true,
    refuses: [
      'wallet_required',
      'invalid_wallet',
      'invalid_amount',
      'merchant_suspended',
      'split_required',
      'not_found',
      'exchange_rate_unavailable',
    ],
    operation: CreateTerminalReceiptDocument,
    variables: ({ body, idempotencyKey }) => ({ input: body, idempotencyKey }),
    answer: ({ createTerminalReceipt: { paymentUrl, checkoutToken, expiresAt, ...receipt } }) => ({
      body: { ok: true, receipt: newRecord(receipt), paymentUrl, checkoutToken, expiresAt },
    }),
  }),
  route({
    method: 'GET',
    path: '/api/terminal/check-payment',
    access: scope('receipts:read'),
    summary: 'Check a payment',
    query: receiptIdQuery,
    refuses: ['not_found'],
    operation: CheckPaymentDocument,
    variables: ({ query }) => ({ receiptId: query }),
    answer: ({ checkPayment }) => ({ body: { ok: true, ...checkPayment } }),
  }),
];
