import DataLoader from 'dataloader';
import { findItems } from '../catalog/find-items.ts';
import { letterTile } from '../catalog/thumb.ts';
import { merchantOf } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import type { Failure } from '../core/events.ts';
import type { Wallet } from '../core/wallet.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { type Context, loader } from '../graphql/context.ts';
import { abortable } from '../graphql/subscribe.ts';
import { authorOf } from './author.ts';
import { createReceipt } from './create-receipt.ts';
import { failureOf } from './failures.ts';
import { loadHistory } from './history.ts';
import { RECORD_STATUS } from './lifecycle.ts';
import { LIST_MAX, listOrLastKnown } from './newest.ts';
import { paymentUrl } from './payment-url.ts';
import { PricingType } from './pricing-type.ts';
import { findReceipt, type ReceiptRow, readReceipt, type ShownLine } from './read.ts';
import type { BillingAddress } from './receipt.entity.ts';
import { reportTracking } from './report.ts';
import { readStatus, type StatusReport } from './status.ts';
import { followMerchant, followReceipt, type StatusEvent } from './stream.ts';

/** What may see a receipt: its merchant's keys and admin, its buyer's page; and whoever has just made it. */
const readers = { $granted: 'receipt', scope: 'receipts:read', admin: true, buyer: true } as const;

const usd = (cents: number): number => cents / 100;

const ReceiptLine = builder.objectRef<ShownLine & { merchant: Wallet }>('ReceiptLine').implement({
  description: 'One line of a receipt. Lines add up to the total.',
  ...throughParent,
  fields: (t) => ({
    label: t.exposeString('label', { description: 'What it is.' }),
    priceUsd: t.field({
      type: 'Usd',
      description: 'The extended amount (unit price × quantity), in US dollars.',
      resolve: (line) => usd(line.priceCents),
    }),
    qty: t.int({
      nullable: true,
      description: 'How many; null on lines that are no items.',
      resolve: (line) => line.qty ?? null,
    }),
    itemId: t.string({
      nullable: true,
      description: 'The inventory item, on item lines.',
      resolve: (line) => line.itemId ?? null,
    }),
    sku: t.string({
      nullable: true,
      description: "The item's SKU, on item lines.",
      resolve: (line) => line.sku ?? null,
    }),
    thumb: t.string({
      nullable: true,
      description: 'A small picture as a data URI or https URL, on item lines.',
      resolve: async (line, _args, context) =>
        line.thumb
          ? line.thumb
          : line.itemId
            ? ((await thumbs(context, line.merchant).load(line.itemId)) ?? letterTile(line.label))
            : null,
    }),
  }),
});

const THUMBS = Symbol('thumbs');

/** The pictures of all lines of one answer in one read. */
const thumbs = (context: Context, merchant: Wallet) =>
  loader(
    context,
    THUMBS,
    () =>
      new DataLoader<string, string | null>(async (ids) => {
        const items = await findItems(context, merchant, ids);
        return ids.map((id) => items.get(id)?.thumb ?? null);
      }),
  );

const BillingAddressType = builder.objectRef<BillingAddress>('BillingAddress').implement({
  description: 'What the buyer’s side gave about itself.',
  ...throughParent,
  fields: (t) => ({
    firstName: t.exposeString('firstName', { nullable: true }),
    lastName: t.exposeString('lastName', { nullable: true }),
    phone: t.exposeString('phone', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
    line1: t.exposeString('line1', { nullable: true }),
    line2: t.exposeString('line2', { nullable: true }),
    city: t.exposeString('city', { nullable: true }),
    state: t.exposeString('state', { nullable: true }),
    zip: t.exposeString('zip', { nullable: true }),
    country: t.exposeString('country', { nullable: true }),
  }),
});

const FailureType = builder.objectRef<Failure>('PaymentFailure').implement({
  description: 'Why a payment failed.',
  ...throughParent,
  fields: (t) => ({
    code: t.string({
      description: 'The failure code, as in `PORTAL_CHAIN_TX_REVERTED`.',
      resolve: (failure) => failure.failureCode,
    }),
    category: t.string({ resolve: (failure) => failure.failureCategory }),
    reason: t.string({ description: 'For people.', resolve: (failure) => failure.failureReason }),
    action: t.string({ description: 'What the merchant can do.', resolve: (failure) => failure.failureAction }),
  }),
});

const StatusEventType = builder.objectRef<StatusEvent>('ReceiptStatusEvent').implement({
  description: 'One row of a receipt’s history, as it happens. The same `seq` stands in history, stream and webhook.',
  authScopes: readers,
  fields: (t) => ({
    receiptId: t.exposeString('receiptId'),
    seq: t.exposeInt('seq', { description: 'Counts the receipt’s history; resume with `afterSeq`.' }),
    kind: t.exposeString('kind', {
      description: '`status` (money moved), `tracking` (the buyer’s side reported) or `note`.',
    }),
    status: t.exposeString('status', { description: 'The receipt’s status after this.' }),
    previousStatus: t.exposeString('previousStatus', {
      nullable: true,
      description: 'The status before, where this moved it.',
    }),
    tracking: t.string({ nullable: true, description: 'What was reported or noted.', resolve: (event) => event.name }),
    at: t.field({ type: 'Millis', resolve: (event) => event.at }),
    transactionHash: t.exposeString('transactionHash', { nullable: true }),
    cursor: t.exposeString('cursor', { description: 'Resume a merchant’s stream with it (`after`).' }),
  }),
});

/** A receipt in the schema; other folders add their fields to it. */
export const ReceiptRef = builder.objectRef<ReceiptRow>('Receipt').implement({
  description: 'What a buyer owes and has paid.',
  authScopes: readers,
  fields: (t) => ({
    receiptId: t.string({ resolve: (receipt) => receipt.id }),
    merchant: t.field({
      type: 'Wallet',
      description: 'The merchant’s wallet.',
      resolve: (receipt) => receipt.merchant,
    }),
    status: t.string({
      description:
        'What is true of the money: generated, pending, tx_mined, paid, completed, refunded, tx_mismatch or failed.',
      resolve: (receipt) => receipt.status,
    }),
    recordStatus: t.string({
      description:
        'The status in the words of the order flow: generated, pending, paid, completed, refunded or failed.',
      resolve: (receipt) => RECORD_STATUS[receipt.status],
    }),
    seq: t.exposeInt('seq', { description: 'The last row of its history.' }),
    totalUsd: t.field({
      type: 'Usd',
      description: 'Subtotal, tax and processing fee.',
      resolve: (receipt) => usd(receipt.totalCents),
    }),
    currency: t.exposeString('currency', { description: 'What it is denominated in: USD or EUR.' }),
    lineItems: t.field({
      type: [ReceiptLine],
      resolve: (receipt) => receipt.lineItems.map((line) => ({ ...line, merchant: receipt.merchant })),
    }),
    jurisdictionCode: t.exposeString('jurisdictionCode', { nullable: true, description: 'The tax jurisdiction.' }),
    taxRate: t.float({
      nullable: true,
      description: 'The effective tax rate, 0 to 1.',
      resolve: ({ taxRate }) => (taxRate === null ? null : Number(taxRate)),
    }),
    taxComponents: t.stringList({
      nullable: true,
      description: 'The tax components that were applied.',
      resolve: (receipt) => receipt.taxComponents && [...receipt.taxComponents],
    }),
    pricing: t.field({
      type: PricingType,
      nullable: true,
      description: 'Its native valuation, where it is not in US dollars.',
      resolve: (receipt) => receipt.pricing,
    }),
    brandName: t.exposeString('brandName', { description: 'The merchant’s name, as the buyer sees it.' }),
    transactionId: t.exposeString('transactionId', { nullable: true, description: 'The merchant’s own reference.' }),
    metadata: t.field({ type: 'JSON', nullable: true, resolve: (receipt) => receipt.metadata }),
    billingAddress: t.field({
      type: BillingAddressType,
      nullable: true,
      description: 'Only where something was given.',
      resolve: (receipt) => receipt.billingAddress,
    }),
    paymentUrl: t.string({
      description: 'The page where the buyer pays.',
      resolve: (receipt, _args, { settings }) => paymentUrl(settings.baseUrl, receipt),
    }),
    redirectUrl: t.exposeString('redirectUrl', {
      nullable: true,
      description: 'Where the card provider returns the buyer to.',
    }),
    webhookUrl: t.exposeString('webhookUrl', { nullable: true, description: 'Where changes are told.' }),
    transactionHash: t.exposeString('transactionHash', { nullable: true, description: 'The payment’s transaction.' }),
    transactionTimestamp: t.field({
      type: 'Millis',
      nullable: true,
      description: 'The time of its block.',
      resolve: (receipt) => receipt.transactionTimestamp,
    }),
    buyerWallet: t.field({
      type: 'Wallet',
      nullable: true,
      description: 'Who sent the payment.',
      resolve: (receipt) => receipt.buyerWallet,
    }),
    failure: t.field({
      type: FailureType,
      nullable: true,
      description: 'Why it failed, where it did.',
      resolve: (receipt) => (receipt.status === 'failed' ? failureOf(receipt.failureCode) : null),
    }),
    createdAt: t.field({ type: 'Millis', resolve: (receipt) => receipt.createdAt }),
    updatedAt: t.field({ type: 'Millis', resolve: (receipt) => receipt.updatedAt }),
    history: t.field({
      type: [StatusEventType],
      description: 'Everything that happened to it, in order.',
      complexity: { field: 5, multiplier: 5 },
      resolve: (receipt, _args, context) => loadHistory(context, receipt),
    }),
  }),
});

const StatusReportType = builder.objectRef<StatusReport>('ReceiptStatusReport').implement({
  description: 'What a merchant polls for.',
  authScopes: readers,
  fields: (t) => ({
    id: t.exposeString('id'),
    status: t.exposeString('status', {
      description:
        'generated, pending, tx_mined, recipient_validated (paid), completed, failed, refunded or tx_mismatch.',
    }),
    transactionHash: t.exposeString('transactionHash', { nullable: true }),
    currency: t.exposeString('currency', {
      description: 'The token that was paid, else quoted, else offered by default.',
    }),
    amount: t.exposeFloat('amount', { description: 'The amount in that token.' }),
    failure: t.field({ type: FailureType, nullable: true, resolve: (report) => report.failure }),
  }),
});

/** The one receipt a caller names: a buyer's page has just its own. */
function receiptOf(context: Context, receiptId: string): { merchant: Wallet; id: string } {
  const { caller } = context;
  if (caller.kind === 'buyer' && caller.receiptId !== receiptId)
    throw refuse('forbidden', 'This page is about another receipt');
  return { merchant: merchantOf(caller), id: receiptId };
}

builder.queryFields((t) => ({
  receipt: t.field({
    type: ReceiptRef,
    nullable: true,
    description: 'One receipt. Unknown ones are refused with `not_found`.',
    authScopes: { scope: 'receipts:read', admin: true, buyer: true },
    args: { receiptId: t.arg.id({ required: true }) },
    resolve: (_root, args, context) => {
      const { merchant, id } = receiptOf(context, args.receiptId);
      return readReceipt(context, merchant, id);
    },
  }),
  receipts: t.field({
    type: [ReceiptRef],
    description: 'The newest receipts, newest first.',
    authScopes: { scope: 'receipts:read', admin: true },
    args: { limit: t.arg.int({ defaultValue: 100, description: `1 to ${LIST_MAX}.` }) },
    complexity: (args) => ({ field: 1, multiplier: args.limit ?? 100 }),
    resolve: (_root, args, context) => {
      const limit = args.limit ?? 100;
      if (limit < 1 || limit > LIST_MAX)
        throw refuse('invalid_input', `limit must be a whole number from 1 to ${LIST_MAX}`, { field: 'limit' });
      return listOrLastKnown(context, merchantOf(context.caller), limit);
    },
  }),
  receiptStatusReport: t.field({
    type: StatusReportType,
    description: 'The status of one receipt in the words of `GET /api/receipts/status`.',
    authScopes: { scope: 'receipts:read', admin: true, buyer: true },
    args: { receiptId: t.arg.id({ required: true }) },
    resolve: (_root, args, context) => {
      const { merchant, id } = receiptOf(context, args.receiptId);
      return readStatus(context, merchant, id);
    },
  }),
}));

const LineInput = builder.inputType('ReceiptLineInput', {
  description: 'A line, in one of two formats that must not be mixed: `priceUsd` (legacy) or `amount` (native).',
  fields: (t) => ({
    label: t.string({ required: true }),
    priceUsd: t.float(),
    amount: t.float({ description: 'Extended amount in the receipt’s currency, major units.' }),
    qty: t.float({ description: 'Descriptive; it is not multiplied.' }),
  }),
});

export const BillingAddressInput = builder.inputType('BillingAddressInput', {
  fields: (t) => ({
    firstName: t.string(),
    lastName: t.string(),
    phone: t.string(),
    email: t.string(),
    line1: t.string(),
    line2: t.string(),
    city: t.string(),
    state: t.string(),
    zip: t.string(),
    country: t.string({ description: 'Two letters (ISO 3166).' }),
  }),
});

const CreateReceiptInput = builder.inputType('CreateReceiptInput', {
  fields: (t) => ({
    id: t.string({ required: true, description: 'The caller’s own id, unique per merchant.' }),
    lineItems: t.field({ type: [LineInput], required: true }),
    currency: t.string({ description: 'USD (default) or EUR, for native lines.' }),
    total: t.float({ description: 'Native total; must equal the sum of the lines.' }),
    totalUsd: t.float({ description: 'Legacy total; must equal the sum of the lines.' }),
    redirectUrl: t.string(),
    successUrl: t.string(),
    onSuccess: t.string(),
    webhookUrl: t.string(),
    transactionId: t.string(),
    metadata: t.field({ type: 'JSON' }),
    buyerEmail: t.string(),
    billingAddress: t.field({ type: BillingAddressInput }),
  }),
});

builder.mutationFields((t) => ({
  createReceipt: t.field({
    type: ReceiptRef,
    description:
      'A receipt over the caller’s own lines, without tax or fee. The same id with the same content answers the same receipt.',
    authScopes: { scope: 'receipts:write', adminWrite: true },
    grantScopes: ['receipt'],
    args: { input: t.arg({ type: CreateReceiptInput, required: true }) },
    resolve: (_root, { input }, context) => createReceipt(context, authorOf(context.caller), input),
  }),
  reportTracking: t.field({
    type: ReceiptRef,
    description:
      'Records what the buyer’s side reports: link_opened, buyer_logged_in or checkout_initialized; checkout_success and refund_… from the admin session only.',
    authScopes: { scope: 'receipts:write', adminWrite: true, buyer: true },
    grantScopes: ['receipt'],
    args: { receiptId: t.arg.id({ required: true }), status: t.arg.string({ required: true }) },
    resolve: async (_root, args, context) => {
      const { merchant, id } = receiptOf(context, args.receiptId);
      await reportTracking(context, context.caller, { merchant, receiptId: id, status: args.status });
      return readReceipt(context, merchant, id);
    },
  }),
}));

builder.subscriptionFields((t) => ({
  receiptStatus: t.field({
    type: StatusEventType,
    description:
      'Follows one receipt: the current state first, or every event after `afterSeq`; then each new one, in order, once.',
    authScopes: { scope: 'receipts:read', admin: true, buyer: true },
    args: { receiptId: t.arg.id({ required: true }), afterSeq: t.arg.int() },
    subscribe: async (_root, args, context) => {
      const { merchant, id } = receiptOf(context, args.receiptId);
      if (!(await findReceipt(context, merchant, id))) throw refuse('not_found', 'Receipt not found');
      return abortable((signal) =>
        followReceipt(context, { merchant, receiptId: id, afterSeq: args.afterSeq ?? null }, signal),
      );
    },
    resolve: (event) => event as StatusEvent,
  }),
  receiptStatuses: t.field({
    type: StatusEventType,
    description: 'Follows all receipts of the merchant, from now on or after a cursor.',
    authScopes: { scope: 'receipts:read', admin: true },
    args: { after: t.arg.string({ description: 'The `cursor` of the last event seen.' }) },
    subscribe: (_root, args, context) => {
      if (args.after != null && !/^\d{1,20}\.\d{1,19}$/.test(args.after))
        throw refuse('invalid_input', 'after must be the cursor of an event', { field: 'after' });
      const merchant = merchantOf(context.caller);
      return abortable((signal) => followMerchant(context, { merchant, after: args.after ?? null }, signal));
    },
    resolve: (event) => event as StatusEvent,
  }),
}));
