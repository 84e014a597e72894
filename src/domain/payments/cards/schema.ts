import { actorOf } from '../../../base/core/caller.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { RECEIPT_PAGES } from '../../../base/graphql/page-fields.ts';
import { countsAs, OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { FailureCodeEnum, FailureType } from '../../sales/receipts/failures.ts';
import { ownReceipt } from '../../sales/receipts/own-receipt.ts';
import { perReceipt } from '../../sales/receipts/per-receipt.ts';
import { readReceipt } from '../../sales/receipts/read.ts';
import { ReceiptRef } from '../../sales/receipts/receipt-type.ts';
import { configuredRates } from '../../shop/fx/usd-per-token.ts';
import type { SessionStatus } from './lifecycle.ts';
import type { ProviderName } from './provider.ts';
import { type ReceiptCheckout, readCheckoutsOf } from './read-checkout.ts';
import { CLAIMABLE, parseClaim, reportFailure } from './report-failure.ts';
import { type CardCheckout, startCardCheckout } from './start-checkout.ts';

const ProviderEnum = vocabulary('CardProvider', 'Who takes card payments.', {
  sandbox: 'The sandbox of the local chain. No money moves.',
  stripe: 'Stripe.',
} satisfies Record<ProviderName, string>);

const SessionStatusEnum = vocabulary('CardSessionStatus', 'The status of a card checkout.', {
  initialized: 'The page is open.',
  requires_payment: 'The buyer has to pay.',
  fulfillment_processing: 'The card was charged. The tokens are on their way.',
  fulfillment_complete: 'The tokens were delivered.',
  failed: 'The provider rejected the payment.',
  cancelled: 'The buyer cancelled.',
  abandoned: 'The buyer left the page.',
  expired: 'The buyer did not pay in time.',
} satisfies Record<SessionStatus, string>);

const CardCheckoutType = builder.objectRef<CardCheckout>('CardCheckout').implement({
  pages: ['receipt'],
  description: 'The page where the buyer pays by card.',
  authScopes: { buyer: true, may: 'receipts:own' },
  fields: (t) => ({
    provider: t.expose('provider', { type: ProviderEnum, description: '`stripe`, or `sandbox` on the local chain.' }),
    url: t.exposeString('url', { nullable: true, description: 'The provider’s page; null if `failure` is set.' }),
    expiresAt: t.field({
      type: 'Millis',
      nullable: true,
      description: 'The time until which that page waits for the buyer’s first step.',
      resolve: (checkout) => checkout.expiresAt,
    }),
    opensInNewTab: t.exposeBoolean('opensInNewTab', {
      description: 'Whether the page opens in a new tab. In that case the provider does not redirect back.',
    }),
    failure: t.field({
      type: FailureType,
      nullable: true,
      description: 'Why the provider opened no page. The receipt has failed with this reason and can be retried.',
      resolve: (checkout) => checkout.failure,
    }),
  }),
});

type OpenCheckout = ReceiptCheckout & { provider: ProviderName; status: SessionStatus; expiresAt: number };

const CardSessionType = builder.objectRef<OpenCheckout>('CardSession').implement({
  pages: RECEIPT_PAGES,
  description: 'The state of a card checkout.',
  ...throughParent,
  fields: (t) => ({
    provider: t.expose('provider', { type: ProviderEnum, description: 'The card provider, as in `stripe`.' }),
    status: t.expose('status', { type: SessionStatusEnum, description: 'The status of the checkout.' }),
    expiresAt: t.field({
      type: 'Millis',
      description: 'The time until which an open session waits for the buyer.',
      resolve: (session) => session.expiresAt,
    }),
  }),
});

const checkoutOf = perReceipt<ReceiptCheckout>('checkout', ({ db }, merchant, ids) =>
  readCheckoutsOf(db, merchant, ids),
);

const usd = (cents: number | null): number | null => (cents === null ? null : usdFromCents(cents));

builder.objectFields(ReceiptRef, (t) => ({
  onrampSessionId: t.id({
    pages: ['receipt'],
    nullable: true,
    description: 'The provider’s id of the card checkout that is open or has paid.',
    resolve: async (receipt, _args, context) => (await checkoutOf(context, receipt)).onrampSessionId,
  }),
  isOnrampSessionUnique: t.boolean({
    pages: ['receipt'],
    description: 'Whether that session belongs to this receipt only; false if there is none.',
    resolve: async (receipt, _args, context) => (await checkoutOf(context, receipt)).onrampSessionId !== null,
  }),
  onrampSourceAmountUsd: t.field({
    pages: ['receipt'],
    type: 'Usd',
    nullable: true,
    description: 'The amount that the card provider converts to tokens, without its fees.',
    resolve: async (receipt, _args, context) => usd((await checkoutOf(context, receipt)).onrampSourceAmountCents),
  }),
  customerTotalUsd: t.field({
    pages: ['receipt'],
    type: 'Usd',
    description: 'The amount that the buyer pays: the total, plus the card provider’s fees for a card payment.',
    resolve: async (receipt, _args, context) =>
      usdFromCents((await checkoutOf(context, receipt)).customerTotalCents ?? receipt.totalCents),
  }),
  cardSession: t.field({
    pages: RECEIPT_PAGES,
    type: CardSessionType,
    nullable: true,
    description: 'The card checkout; null if there is none.',
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
      'Starts a card payment: opens a session at the card provider, which delivers USDC to the merchant’s split. Refused with `payment_underway` while a card is charged or another payment is on its way.',
    authScopes: { buyerWrite: true, mayWrite: 'receipts:write' },
    args: { receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }) },
    resolve: (_root, args, context) =>
      startCardCheckout(
        { ...context, readRate: configuredRates(context) },
        {
          ...ownReceipt(context.caller, args.receiptId),
          // A merchant that starts the checkout is not the buyer.
          buyerAddress: context.caller.kind === 'buyer' ? context.request.publicAddress() : null,
          knowsBuyer: context.caller.kind !== 'buyer' || !context.caller.readOnly,
        },
        actorOf(context.caller),
      ),
  }),
  reportFailure: t.field({
    ...countsAs('others'),
    type: ReceiptRef,
    description: `Reports a failed attempt to pay, as observed by the browser: ${CLAIMABLE.join(', ')}. Only a receipt that waits for its first money moves to failed.`,
    authScopes: { buyerWrite: true, mayWrite: 'receipts:write' },
    grantScopes: ['receipt'],
    args: {
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      code: t.arg({ type: FailureCodeEnum, required: true, description: 'The failure code.' }),
    },
    resolve: async (_root, args, context) => {
      const { merchant, receiptId } = ownReceipt(context.caller, args.receiptId);
      const code = parseClaim(args.code);
      await reportFailure(context, { merchant, receiptId, code }, actorOf(context.caller));
      return readReceipt(context.db, merchant, receiptId);
    },
  }),
}));
