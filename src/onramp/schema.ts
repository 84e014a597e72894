import { actorOf } from '../core/caller.ts';
import { usdFromCents } from '../core/money.ts';
import { configuredRates } from '../fx/usd-per-token.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { RECEIPT_PAGES } from '../graphql/page-option.ts';
import { countsAs, OUTSIDE_POINTS } from '../graphql/rate.ts';
import { ownReceipt } from '../receipts/own-receipt.ts';
import { perReceipt } from '../receipts/per-receipt.ts';
import { readReceipt } from '../receipts/read.ts';
import { FailureType, ReceiptRef } from '../receipts/receipt-type.ts';
import { type ReceiptCheckout, readCheckoutsOf } from './read-checkout.ts';
import { CLAIMABLE, reportFailure } from './report-failure.ts';
import { type CardCheckout, startCardCheckout } from './start-checkout.ts';

const CardCheckoutType = builder.objectRef<CardCheckout>('CardCheckout').implement({
  pages: ['receipt'],
  description: 'Where the buyer pays by card.',
  authScopes: { buyer: true, admin: true },
  fields: (t) => ({
    provider: t.exposeString('provider', { description: '`stripe`, or `sandbox` on the local chain.' }),
    url: t.exposeString('url', { nullable: true, description: 'The provider’s page; null where `failure` says why.' }),
    expiresAt: t.field({
      type: 'Millis',
      nullable: true,
      description: 'Until when that page waits for the buyer’s first step.',
      resolve: (checkout) => checkout.expiresAt,
    }),
    opensInNewTab: t.exposeBoolean('opensInNewTab', {
      description: 'Whether the page goes into a tab of its own; it returns nobody anywhere then.',
    }),
    failure: t.field({
      type: FailureType,
      nullable: true,
      description: 'Why the provider opened no page. The receipt has failed by it and can be tried again.',
      resolve: (checkout) => checkout.failure,
    }),
  }),
});

type OpenCheckout = ReceiptCheckout & { provider: string; status: string; expiresAt: number };

const CardSessionType = builder.objectRef<OpenCheckout>('CardSession').implement({
  pages: RECEIPT_PAGES,
  description: 'How far a card checkout is.',
  ...throughParent,
  fields: (t) => ({
    provider: t.exposeString('provider'),
    status: t.exposeString('status', {
      description:
        'initialized, requires_payment, fulfillment_processing (the card was charged), fulfillment_complete, failed, cancelled, abandoned or expired.',
    }),
    expiresAt: t.field({
      type: 'Millis',
      description: 'Until when it waits for the buyer, while it does.',
      resolve: (session) => session.expiresAt,
    }),
  }),
});

const checkoutOf = perReceipt<ReceiptCheckout>('checkout', readCheckoutsOf);

const usd = (cents: number | null): number | null => (cents === null ? null : usdFromCents(cents));

builder.objectFields(ReceiptRef, (t) => ({
  onrampSessionId: t.string({
    pages: ['receipt'],
    nullable: true,
    description: 'The card checkout that is under way or has paid, as its provider names it.',
    resolve: async (receipt, _args, context) => (await checkoutOf(context, receipt)).onrampSessionId,
  }),
  isOnrampSessionUnique: t.boolean({
    pages: ['receipt'],
    description: 'Whether that session belongs to this receipt alone; false where there is none.',
    resolve: async (receipt, _args, context) => (await checkoutOf(context, receipt)).onrampSessionId !== null,
  }),
  onrampSourceAmountUsd: t.field({
    pages: ['receipt'],
    type: 'Usd',
    nullable: true,
    description: 'What the card provider turns into tokens, its fees aside.',
    resolve: async (receipt, _args, context) => usd((await checkoutOf(context, receipt)).onrampSourceAmountCents),
  }),
  customerTotalUsd: t.field({
    pages: ['receipt'],
    type: 'Usd',
    description: 'What the buyer pays: the total, with a card provider’s fees where one is involved.',
    resolve: async (receipt, _args, context) =>
      usdFromCents((await checkoutOf(context, receipt)).customerTotalCents ?? receipt.totalCents),
  }),
  cardSession: t.field({
    pages: RECEIPT_PAGES,
    type: CardSessionType,
    nullable: true,
    description: 'How far the card checkout is, where there is one.',
    resolve: async (receipt, _args, context) => {
      const checkout = await checkoutOf(context, receipt);
      return checkout.status === null ? null : (checkout as OpenCheckout);
    },
  }),
}));

builder.mutationFields((t) => ({
  startCardCheckout: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: CardCheckoutType,
    description:
      'Begins to pay the receipt by card: opens a session at the card provider, which delivers USDC to the merchant’s split.',
    authScopes: { buyerWrite: true, adminWrite: true },
    args: { receiptId: t.arg.id({ required: true }) },
    resolve: (_root, args, context) =>
      startCardCheckout(
        { ...context, readRate: configuredRates(context) },
        {
          ...ownReceipt(context.caller, args.receiptId),
          // A merchant that begins it for somebody is not the buyer.
          buyerAddress: context.caller.kind === 'buyer' ? context.request.publicAddress() : null,
          knowsBuyer: context.caller.kind !== 'buyer' || !context.caller.readOnly,
        },
        actorOf(context.caller),
      ),
  }),
  reportFailure: t.field({
    ...countsAs('others'),
    type: ReceiptRef,
    description: `Says that the buyer’s attempt to pay has failed, as the browser knows it: ${CLAIMABLE.join(', ')}. Only a receipt that waits for its first money fails by it.`,
    authScopes: { buyerWrite: true, adminWrite: true },
    grantScopes: ['receipt'],
    args: { receiptId: t.arg.id({ required: true }), code: t.arg.string({ required: true }) },
    resolve: async (_root, args, context) => {
      const { merchant, receiptId } = ownReceipt(context.caller, args.receiptId);
      await reportFailure(context, { merchant, receiptId, code: args.code }, actorOf(context.caller));
      return readReceipt(context, merchant, receiptId);
    },
  }),
}));
