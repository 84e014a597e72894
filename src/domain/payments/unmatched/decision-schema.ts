import { merchantOf, sessionOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { decidesOnReceipt } from '../../sales/receipts/decision-field.ts';
import { readReceipt } from '../../sales/receipts/read.ts';
import { ReceiptRef } from '../../sales/receipts/receipt-type.ts';
import { acceptPayment } from '../transfers/accept-payment.ts';
import { withRates } from '../transfers/rates.ts';
import { statedRate } from './assign.input.ts';
import { assignTransfer } from './assign.ts';
import { markUnmatched } from './mark-unmatched.ts';
import { DUST_USD, listUnmatched } from './unmatched.ts';
import { UnmatchedState, UnmatchedTransferType } from './unmatched-type.ts';

builder.mutationFields((t) => ({
  assignTransfer: t.field({
    ...audits('others', 'payment.assigned'),
    type: ReceiptRef,
    description:
      'Assigns an unmatched transfer to a receipt. A receipt that has expired or was voided takes it too, and opens again.',
    authScopes: { mayWrite: 'money' },
    grantScopes: ['receipt'],
    args: {
      transactionHash: t.arg({ type: 'Hex', required: true, description: 'The hash of the transaction.' }),
      logIndex: t.arg.int({ description: 'Required if the transaction has more than one unmatched transfer.' }),
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      usdPerToken: t.arg.string({
        description:
          'US dollars per whole token, as a decimal number: only for a transfer whose exchange rate is unknown (reason `no_rate`), and refused for any other. The history and the audit log record it.',
      }),
    },
    resolve: async (_root, { usdPerToken, ...args }, context) => {
      const { wallet } = sessionOf(context.caller);
      const merchant = merchantOf(context.caller);
      const stated = parseInput(statedRate, { usdPerToken });
      await assignTransfer(withRates(context), { ...args, ...stated, merchant, by: wallet });
      return readReceipt(context.db, merchant, args.receiptId);
    },
  }),
  acceptPayment: t.field({
    ...audits('others', 'payment.accepted'),
    ...decidesOnReceipt(t, acceptPayment),
    description:
      'Accepts an insufficient payment: a receipt in `tx_mismatch`, or one that was voided with money in it, becomes `paid` once its money has its confirmations. The history names the admin. Refused with `invalid_input` if nothing was received, or in any other status.',
  }),
  markUnmatchedForRefund: t.field({
    ...audits('others', 'payment.marked', 'payment.unmarked'),
    type: UnmatchedTransferType,
    description:
      'Marks an unmatched transfer for refund: it cannot pay a receipt until the mark is removed. The merchant sends the money back itself.',
    authScopes: { mayWrite: 'money' },
    args: {
      transactionHash: t.arg({ type: 'Hex', required: true, description: 'The transaction of the transfer.' }),
      logIndex: t.arg.int({ description: 'Required if the transaction has more than one unmatched transfer.' }),
      marked: t.arg.boolean({ defaultValue: true, description: 'False removes the mark.' }),
    },
    resolve: (_root, args, context) =>
      markUnmatched(context, {
        ...args,
        marked: args.marked ?? true,
        merchant: merchantOf(context.caller),
        by: sessionOf(context.caller).wallet,
      }),
  }),
}));

builder.queryFields((t) => ({
  unmatchedTransfers: t.connection(
    {
      type: UnmatchedTransferType,
      description: 'The transfers that pay no receipt, newest first.',
      authScopes: { may: 'receipts:read' },
      args: {
        state: t.arg({ type: UnmatchedState, description: 'Returns only transfers in this state.' }),
        includeDust: t.arg.boolean({
          defaultValue: false,
          description: `Includes transfers worth less than ${DUST_USD} USD, which are usually sent to plant an address rather than to pay.`,
        }),
      },
      complexity: costOfPage,
      resolve: async (_root, { state, includeDust, ...page }, context) => {
        const markedForRefund = state == null ? null : state === 'marked_for_refund';
        const filter = { markedForRefund, includeDust };
        return connect(page, await listUnmatched(withRates(context), merchantOf(context.caller), filter));
      },
    },
    ...connectionTypes('UnmatchedTransfer', 'unmatched transfers'),
  ),
}));
