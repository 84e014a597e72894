import { builder } from '../graphql/builder.ts';
import { countsAs } from '../graphql/rate.ts';
import { authorOf } from '../receipts/author.ts';
import { BillingAddressInput } from '../receipts/billing-address-type.ts';
import { ReceiptRef } from '../receipts/receipt-type.ts';
import { placeOrder } from './place-order.ts';

const OrderItemInput = builder.inputType('OrderItemInput', {
  fields: (t) => ({
    id: t.string({ description: 'The inventory item; one of id and sku is needed.' }),
    sku: t.string({ description: 'Used where id is not given.' }),
    qty: t.float({ required: true, description: 'A whole number from 1 to 100000.' }),
  }),
});

const CreateOrderInput = builder.inputType('CreateOrderInput', {
  description: 'What is ordered, how it is taxed, and what else shall stand on the receipt.',
  fields: (t) => ({
    items: t.field({ type: [OrderItemInput], required: true, description: 'At least one.' }),
    currency: t.string({ description: 'USD or EUR; defaults to the currency the items are priced in.' }),
    jurisdictionCode: t.string({ description: 'Whose tax applies, as in the tax catalog.' }),
    taxRate: t.float({ description: 'A rate of the caller’s own, 0 to 1; stands before the jurisdiction’s.' }),
    taxComponents: t.stringList({ description: 'Only these components of the jurisdiction.' }),
    redirectUrl: t.string({ description: 'Where the card provider returns the buyer to (https).' }),
    successUrl: t.string({ description: 'Where the buyer’s browser goes after payment (https).' }),
    onSuccess: t.string({ description: 'Custom post-payment logic: a URL or a script.' }),
    webhookUrl: t.string({ description: 'Hears of every change, signed with the key in use.' }),
    transactionId: t.string({ description: 'The merchant’s own reference; comes back with the receipt.' }),
    metadata: t.field({
      type: 'JSON',
      description: 'An object of at most 8 KiB and 50 keys; comes back with the receipt.',
    }),
    buyerEmail: t.string({ description: 'So that the portal need not ask.' }),
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
      idempotencyKey: t.arg.string({ description: 'The same key and input within 24 hours answer the same receipt.' }),
    },
    resolve: async (_root, { input, idempotencyKey }, context) => {
      const placed = await placeOrder(context, authorOf(context.caller), input, idempotencyKey ?? null);
      if (placed.degraded) context.request.markDegraded();
      return placed.receipt;
    },
  }),
}));
