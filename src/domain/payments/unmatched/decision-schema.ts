import { actorOf, merchantOf, sessionOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import { builder, type MutationFields, type QueryFields, throughParent } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { readReceipt } from '../../sales/receipts/read.ts';
import { ReceiptRef } from '../../sales/receipts/receipt-type.ts';
import { ReceiptStatusEnum } from '../../sales/receipts/status-types.ts';
import { withRates } from '../../shop/fx/usd-per-token.ts';
import { merchantActedFor } from '../../shop/merchants/own-wallet.ts';
import { acceptPayment } from '../transfers/accept-payment.ts';
import { statedRate } from './assign.input.ts';
import { type AssignmentPreview, assignTransfer, previewAssignment } from './assign.ts';
import { markUnmatched } from './mark-unmatched.ts';
import { unassignTransfer } from './unassign.ts';
import { DUST_USD, listUnmatched } from './unmatched.ts';
import { UnmatchedState, UnmatchedTransferType } from './unmatched-type.ts';

/** The arguments that name a transfer. */
const nameArgs = ({ arg }: Pick<MutationFields | QueryFields, 'arg'>, what: 'unmatched' | 'assigned') => ({
  transactionHash: arg({ type: 'Hex', required: true, description: 'The `recordedHash` of the transfer.' }),
  logIndex: arg.int({ description: `Required if the transaction has more than one ${what} transfer.` }),
  chainId: arg({ type: 'SafeInt', description: 'The chain of the transfer (EIP-155). Default: any.' }),
});

builder.mutationFields((t) => ({
  assignTransfer: t.field({
    ...audits('others', 'payment.assigned'),
    type: ReceiptRef,
    description:
      'Assigns an unmatched transfer to a receipt. A receipt that has expired or was voided takes it too, and opens again.',
    authScopes: { mayWrite: 'money' },
    grantScopes: ['receipt'],
    args: {
      ...nameArgs(t, 'unmatched'),
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
  unassignTransfer: t.field({
    ...audits('others', 'payment.unassigned'),
    type: ReceiptRef,
    description:
      'Takes the assignment of a transfer back, as long as its receipt is not `paid` and nothing of it is refunded: the transfer is unmatched as before, and the receipt returns to its state without it. Returns that receipt.',
    authScopes: { mayWrite: 'money' },
    grantScopes: ['receipt'],
    args: {
      ...nameArgs(t, 'assigned'),
    },
    resolve: async (_root, args, context) => {
      const merchant = merchantOf(context.caller);
      const { id } = await unassignTransfer(context, { ...args, merchant, by: sessionOf(context.caller).wallet });
      return readReceipt(context.db, merchant, id);
    },
  }),
  acceptPayment: t.field({
    ...audits('others', 'payment.accepted'),
    type: ReceiptRef,
    description:
      'Accepts an insufficient payment: a receipt in `tx_mismatch`, or one that was voided with money in it, becomes `paid` once its money has its confirmations. The history names the admin. Refused with `invalid_input` if nothing was received, or in any other status.',
    authScopes: { mayWrite: 'money', platformSign: true },
    grantScopes: ['receipt'],
    args: {
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      wallet: t.arg({ type: 'Wallet', description: 'The merchant. Required for platform admins.' }),
    },
    resolve: async (_root, { receiptId, wallet }, context) => {
      const merchant = merchantActedFor(context.caller, wallet);
      await acceptPayment(context, merchant, receiptId, actorOf(context.caller));
      return readReceipt(context.db, merchant, receiptId);
    },
  }),
  markUnmatchedForRefund: t.field({
    ...audits('others', 'payment.marked', 'payment.unmarked'),
    type: UnmatchedTransferType,
    description:
      'Marks an unmatched transfer for refund: it cannot pay a receipt until the mark is removed. The merchant sends the money back itself.',
    authScopes: { mayWrite: 'money' },
    args: {
      ...nameArgs(t, 'unmatched'),
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

const AssignmentPreviewType = builder.objectRef<AssignmentPreview>('AssignmentPreview').implement({
  description: 'What the assignment of a transfer to a receipt would do. US dollars as decimal text.',
  ...throughParent,
  fields: (t) => ({
    status: t.expose('to', { type: ReceiptStatusEnum, description: 'The status of the receipt afterwards.' }),
    totalUsd: t.field({
      type: 'Usd',
      description: 'The total of the receipt.',
      resolve: ({ totalCents }) => usdFromCents(totalCents),
    }),
    countsUsd: t.exposeString('countsUsd', { description: 'What the transfer counts for.' }),
    beforeUsd: t.exposeString('beforeUsd', { description: 'What was received for the receipt before.' }),
    receivedUsd: t.exposeString('receivedUsd', { description: 'What is received for the receipt afterwards.' }),
    missingUsd: t.exposeString('missingUsd', { description: 'What is missing afterwards; `0` if nothing is.' }),
    surplusUsd: t.exposeString('surplusUsd', { description: 'What is received beyond the total; `0` if nothing is.' }),
  }),
});

builder.queryFields((t) => ({
  assignmentPreview: t.field({
    type: AssignmentPreviewType,
    description: 'What `assignTransfer` with the same arguments would do. Refused as that would be.',
    authScopes: { may: 'money' },
    args: {
      ...nameArgs(t, 'unmatched'),
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      usdPerToken: t.arg.string({ description: 'US dollars per whole token, if its exchange rate is unknown.' }),
    },
    resolve: (_root, { usdPerToken, ...args }, context) => {
      const stated = parseInput(statedRate, { usdPerToken });
      return previewAssignment(withRates(context), { ...args, ...stated, merchant: merchantOf(context.caller) });
    },
  }),
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
