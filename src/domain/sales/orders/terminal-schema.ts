import { parseInput } from '../../../base/core/input.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { CurrencyEnum } from '../../../base/graphql/currency.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { countsAs } from '../../../base/graphql/rate.ts';
import { repeatableOf } from '../../../base/platform/idempotency.ts';
import { expiryInput } from '../receipts/option-inputs.ts';
import { readableReceipt } from '../receipts/own-receipt.ts';
import { ReceiptRef } from '../receipts/receipt-type.ts';
import { RecordStatusEnum } from '../receipts/status-types.ts';
import { terminalInput } from './terminal.input.ts';
import { checkPayment, createTerminalReceipt, type PaymentCheck } from './terminal-receipt.ts';

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
