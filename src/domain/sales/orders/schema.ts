import { requireAlso } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { countsAs } from '../../../base/graphql/rate.ts';
import { CurrencyEnum } from '../../../base/graphql/vocabulary.ts';
import { repeatableOf } from '../../../base/platform/idempotency.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { ItemChoice } from '../../shop/catalog/item-choice.ts';
import { authorOf } from '../receipts/author.ts';
import { expiryInput, optionInputs, urlPolicy } from '../receipts/options.ts';
import { readableReceipt } from '../receipts/own-receipt.ts';
import { perReceipt } from '../receipts/per-receipt.ts';
import { ReceiptRef } from '../receipts/receipt-type.ts';
import { RecordStatusEnum } from '../receipts/status-types.ts';
import { readLinks } from '../receipts/successor.ts';
import { orderInput, replacementInput, terminalInput } from './order.input.ts';
import { placeOrder, replaceReceipt } from './place-order.ts';
import { checkPayment, createTerminalReceipt, type PaymentCheck } from './terminal-receipt.ts';

export const OrderItemInput = builder.inputType('OrderItemInput', {
  description: 'An ordered product and its quantity.',
  fields: (t) => ({
    item: t.field({ type: ItemChoice, required: true, description: 'The product.' }),
    qty: t.int({ required: true, description: 'A whole number from 1 to 100000.' }),
  }),
});

const CreateOrderInput = builder.inputType('CreateOrderInput', {
  description: 'The items of an order, its tax, and the optional fields of the receipt.',
  fields: (t) => ({
    items: t.field({ type: [OrderItemInput], required: true, description: 'At least one.' }),
    currency: t.field({
      type: CurrencyEnum,
      description: 'USD or EUR; defaults to the currency of the items’ prices.',
    }),
    jurisdictionCode: t.string({
      description: 'The code of the jurisdiction whose tax applies, as in the tax catalog.',
    }),
    taxRate: t.float({ description: 'A tax rate from 0 to 1; takes precedence over the jurisdiction’s rate.' }),
    taxComponents: t.stringList({ description: 'The components of the jurisdiction to apply; all if left out.' }),
    ...optionInputs(t),
  }),
});

const linksOf = perReceipt('links', ({ db }, merchant, ids) => readLinks(db, merchant, ids));

builder.objectFields(ReceiptRef, (t) => ({
  replacedBy: t.id({
    nullable: true,
    description: 'The receipt that takes its place; null if there is none.',
    resolve: async (receipt, _args, context) => (await linksOf(context, receipt)).replacedBy,
  }),
  replaces: t.id({
    nullable: true,
    description: 'The receipt whose place it takes; null if there is none.',
    resolve: async (receipt, _args, context) => (await linksOf(context, receipt)).replaces,
  }),
}));

builder.mutationFields((t) => ({
  createOrder: t.field({
    ...countsAs('orders'),
    type: ReceiptRef,
    description: 'Turns cart items into a receipt with tax and processing fee.',
    authScopes: { scope: 'orders:create', mayWrite: 'receipts:write' },
    grantScopes: ['receipt'],
    args: {
      input: t.arg({ type: CreateOrderInput, required: true, description: 'The order.' }),
      idempotencyKey: t.arg.string({ description: 'The same key and input within 24 hours return the same receipt.' }),
    },
    resolve: async (_root, { input, idempotencyKey }, context) => {
      const sent = sentOrder(input);
      const order = parseInput(orderInput(urlPolicy(context.settings)), sent);
      const repeatable = repeatableOf(idempotencyKey, sent);
      const placed = await placeOrder(context, authorOf(context.caller), order, repeatable);
      if (placed.degraded) context.request.markDegraded();
      return placed.receipt;
    },
  }),
  replaceReceipt: t.field({
    ...audits('orders', 'receipt.voided'),
    type: ReceiptRef,
    description:
      'Voids an unpaid receipt and places the order that takes its place: both or neither. Returns the new receipt; each names the other in its history. Refuses with `receipt_paid`, `payment_underway`, and `receipt_ended` (with `replacedBy`) a receipt that was replaced before. A key needs `orders:create` as well.',
    authScopes: { scope: 'receipts:void', mayWrite: 'money' },
    grantScopes: ['receipt'],
    args: {
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt to void.' }),
      reason: t.arg.string({ description: 'Why, for the audit log.' }),
      input: t.arg({ type: CreateOrderInput, required: true, description: 'The order.' }),
      idempotencyKey: t.arg.string({
        description: 'The same key and arguments within 24 hours return the same receipt.',
      }),
    },
    resolve: (_root, { input, idempotencyKey, ...args }, context) => {
      requireAlso(context.caller, 'orders:create', 'receipts:write');
      const sent = { ...args, ...sentOrder(input) };
      const replacement = parseInput(replacementInput(urlPolicy(context.settings)), sent);
      return replaceReceipt(context, authorOf(context.caller), replacement, repeatableOf(idempotencyKey, sent));
    },
  }),
}));

/** The input under the names of `POST /api/orders`. */
const sentOrder = (input: typeof CreateOrderInput.$inferInput) => ({
  ...input,
  items: input.items.map(({ item, qty }) => ({ ...item, qty })),
});

const PaymentCheckType = builder.objectRef<PaymentCheck>('PaymentCheck').implement({
  description: 'The payment state of a receipt, for a till that polls.',
  authScopes: { scope: 'receipts:read', may: 'receipts:own' },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: ({ merchant, receiptId }) => globalId('PaymentCheck', merchant, receiptId),
    }),
    receiptId: t.exposeID('receiptId', { description: 'The receipt.' }),
    status: t.expose('status', {
      type: RecordStatusEnum,
      description: 'generated, pending, paid, completed, refunded or failed.',
    }),
    paid: t.exposeBoolean('paid', { description: 'True once the payment has its confirmations.' }),
    transactionHash: t.exposeString('transactionHash', {
      nullable: true,
      description: 'The hash of the payment transaction.',
    }),
  }),
});

builder.queryFields((t) => ({
  checkPayment: t.field({
    type: PaymentCheckType,
    description: 'Whether a receipt is paid. An unknown id is refused with `not_found`.',
    authScopes: { scope: 'receipts:read', may: 'receipts:own' },
    args: { receiptId: t.arg.id({ required: true, description: 'The receipt.' }) },
    resolve: async (_, args, ctx) => {
      const { merchant, receiptId } = await readableReceipt(ctx, args.receiptId);
      return checkPayment(ctx.db, merchant, receiptId);
    },
  }),
}));

const TerminalReceiptInput = builder.inputType('TerminalReceiptInput', {
  description: 'One amount, in US dollars (`amountUsd`) or natively (`amount` with `currency`), and its tax.',
  fields: (t) => ({
    wallet: t.string({
      description:
        'The merchant’s wallet. Required for platform admins; otherwise it defaults to the caller’s merchant.',
    }),
    amountUsd: t.field({ type: 'Usd', description: 'US dollars before tax and fee.' }),
    amount: t.float({ description: 'The amount before tax and fee in `currency`, in major units.' }),
    currency: t.field({
      type: CurrencyEnum,
      description: 'USD or EUR, the currency of `amount`; defaults to the merchant’s native currency.',
    }),
    tip: t.float({ description: 'A tip in the same currency, in major units. It is a line of its own, without tax.' }),
    label: t.string({ description: 'The text of the line; defaults to “Payment”.' }),
    jurisdictionCode: t.string({
      description: 'The code of the jurisdiction whose tax applies, as in the tax catalog.',
    }),
    taxRate: t.float({ description: 'A tax rate from 0 to 1; takes precedence over the jurisdiction’s rate.' }),
    taxComponents: t.stringList({ description: 'The components of the jurisdiction to apply; all if left out.' }),
    expiresInMinutes: expiryInput(t),
  }),
});

builder.mutationFields((t) => ({
  createTerminalReceipt: t.field({
    ...countsAs('orders'),
    type: ReceiptRef,
    description: 'Creates a receipt for one amount that a cashier enters, with tax and processing fee.',
    authScopes: { mayWrite: 'till', platformSign: true },
    grantScopes: ['receipt'],
    args: {
      input: t.arg({ type: TerminalReceiptInput, required: true, description: 'The amount and its tax.' }),
      idempotencyKey: t.arg.string({ description: 'The same key and input within 24 hours return the same receipt.' }),
    },
    resolve: (_, { input, idempotencyKey }, ctx) =>
      createTerminalReceipt(ctx, ctx.caller, parseInput(terminalInput, input), repeatableOf(idempotencyKey, input)),
  }),
}));
