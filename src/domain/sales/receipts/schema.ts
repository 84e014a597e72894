import { actorOf, merchantOf, requireAlso } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { parseInput } from '../../../base/core/input.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { live } from '../../../base/graphql/live.ts';
import { MOST_AT_ONCE, OutcomeType, oneByOne } from '../../../base/graphql/one-by-one.ts';
import { countsAs } from '../../../base/graphql/rate.ts';
import { endOfStream } from '../../../base/platform/ordered-feed.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { merchantActedFor } from '../../shop/merchants/own-wallet.ts';
import { authorOf } from './author.ts';
import { reportTracking, requestPayment, setBuyerEmail } from './buyer-side.ts';
import { createReceipt } from './create-receipt.ts';
import { CreateReceiptInput } from './create-receipt-input.ts';
import { voidReceipt, voidUnpaid } from './end.ts';
import { urlPolicy } from './options.ts';
import { ownReceipt, readableReceipt } from './own-receipt.ts';
import { findReceipt, readReceipt } from './read.ts';
import { buyerEmailInput, receiptInput, voidInput } from './receipt.input.ts';
import { ReceiptRef, StatusEventType } from './receipt-type.ts';
import { renewReceipt } from './renew.ts';
import { followMerchant, followReceipt, type StatusEvent } from './stream.ts';

builder.queryFields((t) => ({
  receipt: t.field({
    type: ReceiptRef,
    nullable: true,
    description: 'One receipt. An unknown id is refused with `not_found`.',
    authScopes: { scope: 'receipts:read', may: 'receipts:own', buyer: true },
    args: { receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }) },
    resolve: async (_root, args, context) => {
      const { merchant, receiptId } = await readableReceipt(context, args.receiptId);
      return readReceipt(context.db, merchant, receiptId);
    },
  }),
  receiptsCursor: t.string({
    description:
      'The current position of the merchant’s stream. Read it, then `receipts`, then subscribe to `receiptStatuses` after it. No events are missed; events already in the list may be delivered again.',
    authScopes: { scope: 'receipts:read', may: 'receipts:read' },
    resolve: (_root, _args, context) => endOfStream(context.db),
  }),
}));

builder.mutationFields((t) => ({
  createReceipt: t.field({
    ...audits('orders', 'receipt.voided'),
    type: ReceiptRef,
    description:
      'Creates a receipt from the caller’s own lines, without tax or fee. Repeating the request with the same id and content returns the same receipt. With `replaces` it refuses as `replaceReceipt` does.',
    authScopes: { scope: 'receipts:write', mayWrite: 'receipts:write' },
    grantScopes: ['receipt'],
    args: { input: t.arg({ type: CreateReceiptInput, required: true, description: 'The receipt.' }) },
    resolve: (_root, { input: { lines, ...input } }, context) => {
      const sent = { ...input, ...lines.legacy, ...lines.native };
      if (input.replaces != null) requireAlso(context.caller, 'receipts:void', 'money');
      return createReceipt(
        context,
        authorOf(context.caller),
        parseInput(receiptInput(urlPolicy(context.settings)), sent),
      );
    },
  }),
  voidReceipt: t.field({
    ...audits('others', 'receipt.voided'),
    type: ReceiptRef,
    description:
      'Ends an unpaid receipt: it becomes `failed` with `PORTAL_SESSION_CANCELLED`, and nothing can be quoted afterwards. A receipt that is paid, or whose payment is on its way, is refused with `invalid_input`; a key is refused with `receipt_paid` if any money has arrived, and with `payment_underway`.',
    authScopes: { scope: 'receipts:void', mayWrite: 'money', platformSign: true },
    grantScopes: ['receipt'],
    args: {
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      wallet: t.arg({ type: 'Wallet', description: 'The merchant. Required for platform admins.' }),
      reason: t.arg.string({ description: 'Why, for the audit log.' }),
    },
    resolve: async (_root, { receiptId, wallet, ...given }, context) => {
      const { caller } = context;
      const { reason = null } = parseInput(voidInput.pick({ reason: true }), given);
      const [merchant, end] =
        caller.kind === 'developer' ? [caller.merchant, voidUnpaid] : [merchantActedFor(caller, wallet), voidReceipt];
      await end(context, merchant, receiptId, actorOf(caller), reason);
      return readReceipt(context.db, merchant, receiptId);
    },
  }),
  voidReceipts: t.field({
    ...audits('others', 'receipt.voided'),
    type: [OutcomeType],
    description: `Does what \`voidReceipt\` does to each receipt, at most ${MOST_AT_ONCE}. One that is refused does not stop the others.`,
    authScopes: { mayWrite: 'money' },
    complexity: ({ receiptIds }) => ({ field: 1, multiplier: receiptIds.length }),
    args: { receiptIds: t.arg.idList({ required: true, description: 'The ids of the receipts.' }) },
    resolve: (_root, { receiptIds }, context) =>
      oneByOne(receiptIds, (id) => voidReceipt(context, merchantOf(context.caller), id, actorOf(context.caller))),
  }),
  renewReceipt: t.field({
    ...countsAs('others'),
    type: ReceiptRef,
    description:
      'Renews an expired receipt at the current price. Buyers may do so if the shop allows it (`allowRenewal`); otherwise it is refused with `receipt_ended`. Refused with `payment_underway` while a payment is on its way.',
    authScopes: { buyerWrite: true, mayWrite: 'receipts:write' },
    grantScopes: ['receipt'],
    args: { receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }) },
    resolve: async (_root, args, context) => {
      const own = ownReceipt(context.caller, args.receiptId);
      await renewReceipt(context, { ...own, byMerchant: context.caller.kind !== 'buyer' }, actorOf(context.caller));
      return readReceipt(context.db, own.merchant, own.receiptId);
    },
  }),
  reportTracking: t.field({
    ...countsAs('others'),
    type: ReceiptRef,
    description:
      'Records a report of the buyer’s side: link_opened, buyer_logged_in or checkout_initialized. checkout_success and refund_… require the admin session.',
    authScopes: { scope: 'receipts:write', mayWrite: 'receipts:write', buyerWrite: true },
    grantScopes: ['receipt'],
    args: {
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      status: t.arg.string({ required: true, description: 'The name of the report, as in `link_opened`.' }),
    },
    resolve: async (_root, args, context) => {
      const { merchant, receiptId } = ownReceipt(context.caller, args.receiptId);
      await reportTracking(context, context.caller, { merchant, receiptId, status: args.status });
      return readReceipt(context.db, merchant, receiptId);
    },
  }),
  requestPayment: t.field({
    ...audits('others', 'payment.requested'),
    type: ReceiptRef,
    description:
      'Asks an addressee by e-mail to pay a receipt: the address becomes that of the receipt. Refuses with `mail_not_configured`, `mail_limit_reached`, and `invalid_input` for a receipt that takes no payment.',
    authScopes: { mayWrite: 'receipts:write' },
    grantScopes: ['receipt'],
    args: {
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      email: t.arg.string({ required: true, description: 'At most 254 characters.' }),
    },
    resolve: async (_root, { receiptId, ...given }, context) => {
      const merchant = merchantOf(context.caller);
      const { email } = parseInput(buyerEmailInput, given);
      await requestPayment(context, { merchant, receiptId, email }, actorOf(context.caller));
      return readReceipt(context.db, merchant, receiptId);
    },
  }),
  setBuyerEmail: t.field({
    ...countsAs('others'),
    type: ReceiptRef,
    description:
      'Stores the e-mail address that the buyer enters on the page as `billingAddress.email`. An existing address is not replaced: a second one is refused with `invalid_input`.',
    authScopes: { buyerWrite: true, mayWrite: 'receipts:write' },
    grantScopes: ['receipt'],
    args: {
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      email: t.arg.string({ required: true, description: 'At most 254 characters.' }),
    },
    resolve: async (_root, { receiptId, ...given }, context) => {
      const own = ownReceipt(context.caller, receiptId);
      const { email } = parseInput(buyerEmailInput, given);
      await setBuyerEmail(context, { ...own, email }, actorOf(context.caller));
      return readReceipt(context.db, own.merchant, own.receiptId);
    },
  }),
}));

builder.subscriptionFields((t) => ({
  receiptStatus: t.field({
    type: StatusEventType,
    description:
      'Follows one receipt. Delivers the current state first, or every event after `afterSeq`; then each new event, in order, once.',
    authScopes: { scope: 'receipts:read', may: 'receipts:own', buyer: true },
    args: {
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      afterSeq: t.arg.int({ description: 'The `seq` of the last event seen.' }),
    },
    extensions: { cursorArg: 'afterSeq' },
    subscribe: async (_root, args, context) => {
      const { merchant, receiptId } = await readableReceipt(context, args.receiptId);
      if (!(await findReceipt(context.db, merchant, receiptId))) throw refuse('not_found', 'Receipt not found');
      return live(followReceipt(context.db, context.bus, { merchant, receiptId, afterSeq: args.afterSeq ?? null }));
    },
    resolve: (event) => event as StatusEvent,
  }),
  receiptStatuses: t.field({
    type: StatusEventType,
    description: 'Follows all receipts of the merchant, from now or after a cursor.',
    authScopes: { scope: 'receipts:read', may: 'receipts:read' },
    args: { after: t.arg.string({ description: 'The `cursor` of the last event seen.' }) },
    extensions: { cursorArg: 'after' },
    subscribe: async (_root, args, context) => {
      const merchant = merchantOf(context.caller);
      return live(await followMerchant(context.db, context.bus, { merchant, after: args.after ?? null }));
    },
    resolve: (event) => event as StatusEvent,
  }),
}));
