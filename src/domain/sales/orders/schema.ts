import { requireScope } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { CurrencyEnum } from '../../../base/graphql/currency.ts';
import { countsAs } from '../../../base/graphql/rate.ts';
import { repeatableOf } from '../../../base/platform/idempotency.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { ItemChoice } from '../../shop/catalog/item-choice.ts';
import { authorOf } from '../receipts/author.ts';
import { optionInputs } from '../receipts/option-inputs.ts';
import { perReceipt } from '../receipts/per-receipt.ts';
import { ReceiptRef } from '../receipts/receipt-type.ts';
import { urlPolicy } from '../receipts/url-policy.ts';
import { orderInput, replacementInput } from './order.input.ts';
import { placeOrder } from './place-order.ts';
import { readLinks, replaceReceipt } from './replace-receipt.ts';

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
      requireScope(context.caller, 'orders:create');
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
