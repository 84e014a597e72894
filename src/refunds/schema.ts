import { usdFromCents } from '../core/money.ts';
import { configuredRates } from '../fx/usd-per-token.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { RECEIPT_PAGES } from '../graphql/page-option.ts';
import { countsAs, OUTSIDE_POINTS } from '../graphql/rate.ts';
import { perReceipt } from '../receipts/per-receipt.ts';
import { ReceiptRef } from '../receipts/receipt-type.ts';
import { isRefundable } from './account.ts';
import { type RefundRow, readPaidOf, readRefundsOf } from './read.ts';
import type { RefundItem } from './refund.entity.ts';
import { refundReceipt } from './refund-receipt.ts';

const RefundState = builder.enumType('RefundState', {
  description: 'Whether the chain has shown that all of it is back with the buyer.',
  values: ['requested', 'refunded'] as const,
});

const RefundItemType = builder.objectRef<RefundItem>('RefundItem').implement({
  pages: RECEIPT_PAGES,
  ...throughParent,
  description: 'What was given back, in the merchant’s words.',
  fields: (t) => ({
    label: t.exposeString('label', { description: 'What it is.' }),
    priceUsd: t.field({
      type: 'Usd',
      description: 'As it was sent; items need not add up to the refund.',
      resolve: ({ priceCents }) => usdFromCents(priceCents),
    }),
    qty: t.int({ nullable: true, description: 'How many; descriptive.', resolve: ({ qty }) => qty ?? null }),
  }),
});

const RefundType = builder.objectRef<RefundRow>('Refund').implement({
  ...throughParent,
  description: 'Money of a receipt that its buyer gets back, or has got back.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its own id.' }),
    state: t.expose('state', {
      pages: RECEIPT_PAGES,
      type: RefundState,
      description: '`requested` until all of it is proven.',
    }),
    usd: t.field({
      pages: RECEIPT_PAGES,
      type: 'Usd',
      description: 'How much.',
      resolve: ({ usdCents }) => usdFromCents(usdCents),
    }),
    provenUsd: t.field({
      type: 'Usd',
      description: 'How much of it transactions have shown to be back.',
      resolve: ({ provenCents }) => usdFromCents(provenCents),
    }),
    buyer: t.field({
      pages: RECEIPT_PAGES,
      type: 'Wallet',
      description: 'Who gets it.',
      resolve: ({ buyer }) => buyer,
    }),
    items: t.field({
      pages: RECEIPT_PAGES,
      type: [RefundItemType],
      description: 'What for.',
      resolve: ({ items }) => [...items],
    }),
    transactionHashes: t.field({
      pages: RECEIPT_PAGES,
      type: ['Hex'],
      description: 'The transactions that prove it.',
      resolve: ({ transactionHashes }) => [...transactionHashes],
    }),
    senderVerified: t.exposeBoolean('senderVerified', {
      nullable: true,
      description:
        'Whether all of the money that proves it came from the merchant’s own wallet. Money from elsewhere counts as well, as exchanges refund too. Null where nothing is proven.',
    }),
    createdAt: t.expose('createdAt', {
      pages: RECEIPT_PAGES,
      type: 'Millis',
      description: 'When it was asked for or shown.',
    }),
    refundedAt: t.expose('refundedAt', {
      pages: RECEIPT_PAGES,
      type: 'Millis',
      nullable: true,
      description: 'When the last of it was proven.',
    }),
  }),
});

const refundsOf = perReceipt('refunds', readRefundsOf);
const paidOf = perReceipt('paid', readPaidOf);

const provenOf = (refunds: readonly RefundRow[]) => refunds.reduce((sum, { provenCents }) => sum + provenCents, 0);

builder.objectFields(ReceiptRef, (t) => ({
  refunds: t.field({
    pages: RECEIPT_PAGES,
    type: [RefundType],
    description: 'What was asked back or given back, the oldest first.',
    resolve: (receipt, _args, context) => refundsOf(context, receipt),
  }),
  refundedUsd: t.field({
    pages: RECEIPT_PAGES,
    type: 'Usd',
    description: 'What transactions have shown to be back with the buyer.',
    resolve: async (receipt, _args, context) => usdFromCents(provenOf(await refundsOf(context, receipt))),
  }),
  refundableUsd: t.field({
    type: 'Usd',
    description: 'What of its payment, a surplus included, is not back yet; open requests are part of it.',
    resolve: async (receipt, _args, context) => {
      if (!isRefundable(receipt)) return 0;
      const [paidCents, refunds] = await Promise.all([paidOf(context, receipt), refundsOf(context, receipt)]);
      return usdFromCents(Math.max(0, paidCents - provenOf(refunds)));
    },
  }),
}));

const RefundItemInput = builder.inputType('RefundItemInput', {
  description: 'What is given back.',
  fields: (t) => ({
    label: t.string({ required: true, description: 'What it is.' }),
    priceUsd: t.float({ required: true, description: 'At most two decimals.' }),
    qty: t.int({ description: 'How many; descriptive.' }),
  }),
});

const RefundReceiptInput = builder.inputType('RefundReceiptInput', {
  description: 'A refund: asked for, or with `txHash` shown to be done.',
  fields: (t) => ({
    receiptId: t.string({ required: true, description: 'The receipt.' }),
    wallet: t.string({ required: true, description: 'The merchant: the caller’s own.' }),
    buyer: t.string({ required: true, description: 'The wallet that gets the money.' }),
    usd: t.float({ required: true, description: 'How much, in US dollars; never more than was paid and is not back.' }),
    items: t.field({ type: [RefundItemInput], description: 'What for; they need not add up to `usd`.' }),
    txHash: t.string({ description: 'The transaction that sent it to the buyer.' }),
  }),
});

builder.mutationFields((t) => ({
  refundReceipt: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: ReceiptRef,
    description:
      'Keeps a refund: without `txHash` a request, with it one that the chain is asked about. The merchant sends the money itself.',
    authScopes: { adminWrite: true },
    grantScopes: ['receipt'],
    args: {
      input: t.arg({ type: RefundReceiptInput, required: true, description: 'How much, to whom, and what for.' }),
      idempotencyKey: t.arg.string({ description: 'The same key and input within 24 hours are one refund.' }),
    },
    resolve: (_, { input, idempotencyKey }, context) =>
      refundReceipt({ ...context, readRate: configuredRates(context) }, context.caller, input, idempotencyKey ?? null),
  }),
}));
