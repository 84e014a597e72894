import { builder } from '../graphql/builder.ts';
import { countsAs } from '../graphql/rate.ts';
import { authorOf } from '../receipts/author.ts';
import { BillingAddressInput } from '../receipts/billing-address-type.ts';
import { ReceiptRef } from '../receipts/receipt-type.ts';
import { placeOrder } from './place-order.ts';

const OrderItemInput = builder.inputType('OrderItemInput', {
  fields: (t) => ({
    id: t.string({ description: 'The inventory item; either id or sku is required.' }),
    sku: t.string({ description: 'Used if id is not given.' }),
    qty: t.float({ required: true, description: 'A whole number from 1 to 100000.' }),
  }),
});

const CreateOrderInput = builder.inputType('CreateOrderInput', {
  description: 'The items of an order, its tax, and the optional fields of the receipt.',
  fields: (t) => ({
    items: t.field({ type: [OrderItemInput], required: true, description: 'At least one.' }),
    currency: t.string({ description: 'USD or EUR; defaults to the currency of the items’ prices.' }),
    jurisdictionCode: t.string({
      description: 'The code of the jurisdiction whose tax applies, as in the tax catalog.',
    }),
    taxRate: t.float({ description: 'A tax rate from 0 to 1; takes precedence over the jurisdiction’s rate.' }),
    taxComponents: t.stringList({ description: 'The components of the jurisdiction to apply; all if left out.' }),
    redirectUrl: t.string({ description: 'Where the card provider returns the buyer to (https).' }),
    successUrl: t.string({ description: 'Where the buyer’s browser goes after payment (https).' }),
    onSuccess: t.string({ description: 'Custom post-payment logic: a URL or a script.' }),
    webhookUrl: t.string({ description: 'Receives every change, signed with the key of this request.' }),
    transactionId: t.string({ description: 'The merchant’s own reference; returned with the receipt.' }),
    metadata: t.field({
      type: 'JSON',
      description: 'An object of at most 8 KiB and 50 keys; returned with the receipt.',
    }),
    buyerEmail: t.string({ description: 'The buyer’s e-mail address; the portal does not ask for it again.' }),
    billingAddress: t.field({ type: BillingAddressInput }),
  }),
});

builder.mutationFields((t) => ({
  createOrder: t.field({
    ...countsAs('orders'),
    type: ReceiptRef,
    description: 'Turns cart items into a receipt with tax and processing fee.',
    authScopes: { scope: 'orders:create', adminWrite: true },
    grantScopes: ['receipt'],
    args: {
      input: t.arg({ type: CreateOrderInput, required: true }),
      idempotencyKey: t.arg.string({ description: 'The same key and input within 24 hours return the same receipt.' }),
    },
    resolve: async (_root, { input, idempotencyKey }, context) => {
      const placed = await placeOrder(context, authorOf(context.caller), input, idempotencyKey ?? null);
      if (placed.degraded) context.request.markDegraded();
      return placed.receipt;
    },
  }),
}));
