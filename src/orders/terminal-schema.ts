import { merchantOf } from '../core/caller.ts';
import { builder } from '../graphql/builder.ts';
import { countsAs } from '../graphql/rate.ts';
import { ReceiptRef } from '../receipts/receipt-type.ts';
import { checkPayment, type PaymentCheck } from './check-payment.ts';
import { createTerminalReceipt } from './terminal-receipt.ts';

const PaymentCheckType = builder.objectRef<PaymentCheck>('PaymentCheck').implement({
  description: 'What a till polls for while the buyer pays.',
  authScopes: { scope: 'receipts:read', admin: true },
  fields: (t) => ({
    receiptId: t.exposeString('receiptId', { description: 'The receipt.' }),
    status: t.exposeString('status', { description: 'generated, pending, paid, completed, refunded or failed.' }),
    paid: t.exposeBoolean('paid', { description: 'Whether the money is there, with its confirmations.' }),
    transactionHash: t.exposeString('transactionHash', { nullable: true, description: 'The payment’s transaction.' }),
  }),
});

builder.queryFields((t) => ({
  checkPayment: t.field({
    type: PaymentCheckType,
    description: 'Whether a receipt is paid. Unknown ones are refused with `not_found`.',
    authScopes: { scope: 'receipts:read', admin: true },
    args: { receiptId: t.arg.id({ required: true, description: 'The receipt.' }) },
    resolve: (_, { receiptId }, ctx) => checkPayment(ctx, merchantOf(ctx.caller), receiptId),
  }),
}));

const TerminalReceiptInput = builder.inputType('TerminalReceiptInput', {
  description: 'One amount, in US dollars (`amountUsd`) or natively (`amount` with `currency`), and how it is taxed.',
  fields: (t) => ({
    wallet: t.string({ description: 'The merchant to act for: required of platform admins, else the caller’s own.' }),
    amountUsd: t.float({ description: 'US dollars before tax and fee.' }),
    amount: t.float({ description: 'The same in `currency`, in major units.' }),
    currency: t.string({ description: 'USD or EUR; of `amount` it defaults to the merchant’s native currency.' }),
    label: t.string({ description: 'What is paid for; “Payment” where it is left out.' }),
    jurisdictionCode: t.string({ description: 'Whose tax applies, as in the tax catalog.' }),
    taxRate: t.float({ description: 'A rate of the caller’s own, 0 to 1; stands before the jurisdiction’s.' }),
    taxComponents: t.stringList({ description: 'Only these components of the jurisdiction.' }),
  }),
});

builder.mutationFields((t) => ({
  createTerminalReceipt: t.field({
    ...countsAs('orders'),
    type: ReceiptRef,
    description: 'A receipt over one amount that a cashier types, with tax and processing fee.',
    authScopes: { adminWrite: true, platformWrite: true },
    grantScopes: ['receipt'],
    args: {
      input: t.arg({ type: TerminalReceiptInput, required: true, description: 'The amount and its tax.' }),
      idempotencyKey: t.arg.string({ description: 'The same key and input within 24 hours answer the same receipt.' }),
    },
    resolve: (_, { input, idempotencyKey }, ctx) =>
      createTerminalReceipt(ctx, ctx.caller, input, idempotencyKey ?? null),
  }),
}));
