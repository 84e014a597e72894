import { actorOf, type Caller } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { forbid } from '../core/forbidden.ts';
import type { Wallet } from '../core/wallet.ts';
import { builder, type MutationFields, throughParent } from '../graphql/builder.ts';
import { RECEIPT_PAGES } from '../graphql/page-option.ts';
import { countsAs, OUTSIDE_POINTS } from '../graphql/rate.ts';
import { qrSvg } from '../quotes/qr.ts';
import { ownReceipt } from '../receipts/own-receipt.ts';
import { perReceipt } from '../receipts/per-receipt.ts';
import { ReceiptRef } from '../receipts/receipt-type.ts';
import { ReceiptStatusEnum } from '../receipts/status-types.ts';
import type { Claim } from './claim.ts';
import { type Progress, readProgressOf } from './confirmations.ts';
import { type Missing, readMissingOf } from './missing.ts';
import { type PaidAmount, paidAmount } from './paid-amount.ts';
import { type PaymentQuote, type QuoteRequest, quotePayment, reserveQuote } from './quote-payment.ts';
import { withRates } from './rates.ts';
import { type Submitted, submitTransaction } from './submit.ts';
import { payWithTestWallet } from './test-wallet.ts';
import { mayClaim, readUnclaimedOf, type Unclaimed } from './unclaimed.ts';

const PaymentQuoteType = builder.objectRef<PaymentQuote>('PaymentQuote').implement({
  pages: RECEIPT_PAGES,
  description:
    'The amount and address of a payment. The amount is unique to this receipt, so a plain transfer without a memo pays it.',
  authScopes: { buyer: true, may: 'receipts:own' },
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain of the payment (EIP-155).' }),
    amount: t.field({ type: 'BaseUnits', description: 'In base units.', resolve: (quote) => quote.amount }),
    decimals: t.exposeInt('decimals', { description: 'Base units are 10^-decimals of a token.' }),
    display: t.exposeString('display', { description: 'The amount in whole tokens, without the symbol.' }),
    payTo: t.field({
      type: 'Wallet',
      description: 'The merchant’s split, which receives the payment.',
      resolve: (quote) => quote.payTo,
    }),
    uri: t.exposeString('uri', { description: 'The payment request as a link for wallets (EIP-681).' }),
    expiresAt: t.field({
      type: 'Millis',
      nullable: true,
      description: 'When the quote ends. Another request renews it, with the same amount if the price is the same.',
      resolve: (quote) => quote.expiresAt,
    }),
    qr: t.string({ description: 'The link as a QR code in SVG.', resolve: (quote) => qrSvg(quote.uri) }),
  }),
});

const SubmittedTransactionType = builder.objectRef<Submitted>('SubmittedTransaction').implement({
  pages: RECEIPT_PAGES,
  description: 'A submitted transaction hint.',
  authScopes: { buyer: true, may: 'receipts:own' },
  fields: (t) => ({
    receiptId: t.exposeID('receiptId', { description: 'The id of the receipt.' }),
    status: t.expose('status', {
      type: ReceiptStatusEnum,
      description: 'The receipt’s status; a hint alone does not change it.',
    }),
  }),
});

const TestPaymentType = builder.objectRef<{ transactionHash: string }>('TestPayment').implement({
  pages: ['receipt'],
  description: 'A payment from a test account of the local chain.',
  authScopes: { buyer: true, may: 'receipts:own' },
  fields: (t) => ({
    transactionHash: t.field({
      type: 'Hex',
      description: 'The hash of the transaction.',
      resolve: (payment) => payment.transactionHash,
    }),
  }),
});

const MissingType = builder.objectRef<Missing>('PaymentMissing').implement({
  pages: RECEIPT_PAGES,
  description: 'The amount due after an underpayment.',
  ...throughParent,
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    amount: t.field({ type: 'BaseUnits', description: 'In base units.', resolve: (missing) => missing.amount }),
    display: t.exposeString('display', { description: 'The amount in whole tokens.' }),
  }),
});

const PaidType = builder.objectRef<PaidAmount>('PaymentPaid').implement({
  description: 'The exact amount paid on a receipt.',
  pages: RECEIPT_PAGES,
  ...throughParent,
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    amount: t.field({ type: 'BaseUnits', description: 'In base units.', resolve: (paid) => paid.amount }),
    display: t.exposeString('display', { description: 'The amount in whole tokens, without the symbol.' }),
  }),
});

const UnclaimedType = builder.objectRef<Unclaimed>('UnclaimedPayment').implement({
  description: 'A payment of the receipt’s amount that its buyer or the buyer of an earlier receipt has sent.',
  pages: ['receipt'],
  ...throughParent,
  fields: (t) => ({
    transactionHash: t.field({
      type: 'Hex',
      description: 'The hash of the transaction, for `submitTransaction`.',
      resolve: (payment) => payment.transactionHash,
    }),
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    amount: t.field({ type: 'BaseUnits', description: 'In base units.', resolve: (payment) => payment.amount }),
    display: t.exposeString('display', { description: 'The amount in whole tokens, without the symbol.' }),
    sender: t.field({
      type: 'Wallet',
      description: 'The wallet that sent it.',
      resolve: (payment) => payment.sender,
    }),
    at: t.field({ type: 'Millis', description: 'The time of the block.', resolve: (payment) => payment.at }),
  }),
});

const FinalityTagType = builder.enumType('FinalityTag', {
  description: 'A tag of blocks that the chain itself reports.',
  values: {
    safe: { description: 'The block is unlikely to be removed.' },
    finalized: { description: 'The block cannot be removed.' },
  } as const,
});

const progressOf = perReceipt<Progress>('progress', readProgressOf);
const missingOf = perReceipt<Missing | null>('missing', readMissingOf);
const unclaimedOf = perReceipt<readonly Unclaimed[]>('unclaimed', readUnclaimedOf);

builder.objectFields(ReceiptRef, (t) => ({
  confirmations: t.int({
    pages: RECEIPT_PAGES,
    description: 'The number of blocks on top of the latest payment, up to `confirmationsNeeded`.',
    resolve: async (receipt, _args, context) => (await progressOf(context, receipt)).confirmations,
  }),
  confirmationsNeeded: t.int({
    pages: RECEIPT_PAGES,
    description:
      'The number of blocks that make the payment final, by its amount. With `confirmationTag` the number that it usually takes, at most.',
    resolve: async (receipt, _args, context) => (await progressOf(context, receipt)).confirmationsNeeded,
  }),
  confirmationTag: t.field({
    pages: RECEIPT_PAGES,
    type: FinalityTagType,
    nullable: true,
    description: 'The block tag of the chain that makes the payment final; null if a number of blocks does.',
    resolve: async (receipt, _args, context) => (await progressOf(context, receipt)).confirmationTag,
  }),
  expectedConfirmationMs: t.int({
    pages: RECEIPT_PAGES,
    description: 'How long the confirmation of the payment usually takes on this chain, in milliseconds.',
    resolve: async (receipt, _args, context) => (await progressOf(context, receipt)).expectedConfirmationMs,
  }),
  missing: t.field({
    pages: RECEIPT_PAGES,
    type: MissingType,
    nullable: true,
    description: 'The amount due after an underpayment; null unless the status is `tx_mismatch`.',
    resolve: (receipt, _args, context) => (receipt.status === 'tx_mismatch' ? missingOf(context, receipt) : null),
  }),
  unclaimedPayments: t.field({
    pages: ['receipt'],
    type: [UnclaimedType],
    description:
      'Payments that arrived and are not credited, because an unpaid receipt held their amount before. The buyer who sent one says so by `submitTransaction`. Empty unless the receipt waits for money.',
    resolve: async (receipt, _args, context) =>
      (await mayClaim(context, receipt, context.clock())) ? [...(await unclaimedOf(context, receipt))] : [],
  }),
  paid: t.field({
    pages: RECEIPT_PAGES,
    type: PaidType,
    nullable: true,
    description: 'The exact amount paid; null before a payment counts.',
    resolve: (receipt, _args, context) => paidAmount(context, receipt),
  }),
}));

const request = (
  caller: Caller,
  { receiptId, token, chainId }: { receiptId: string; token: string; chainId?: number | null },
): QuoteRequest => ({ ...ownReceipt(caller, receiptId), token, chainId });

const quoteArgs = (t: MutationFields) => ({
  receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
  token: t.arg.string({ required: true, description: 'The symbol of the token, as in `USDC`.' }),
  chainId: t.arg({
    type: 'SafeInt',
    description: 'The chain of the payment (EIP-155); the first chain of the server without it.',
  }),
});

/** Signer and signature must be given together. */
function claimOf({ signer, signature }: { signer?: string | null; signature?: string | null }): Claim | undefined {
  if (signer && signature) return { signer: signer as Wallet, signature };
  if (!signer && !signature) return undefined;
  throw refuse('invalid_input', 'signer and signature must be given together', {
    field: signer ? 'signature' : 'signer',
  });
}

builder.mutationFields((t) => ({
  quotePayment: t.field({
    ...countsAs('others'),
    type: PaymentQuoteType,
    description:
      'Returns the amount that pays the receipt in a token. It stays the same until it expires. A `generated` receipt becomes `pending`.',
    authScopes: { buyer: true, mayWrite: 'receipts:write' },
    args: quoteArgs(t),
    resolve: (_root, args, context) =>
      quotePayment(withRates(context), request(context.caller, args), actorOf(context.caller)),
  }),
  renewQuote: t.field({
    ...countsAs('others'),
    type: PaymentQuoteType,
    description:
      'Returns the amount as `quotePayment` does, without a change of the receipt. A page calls it every half hour while it shows the amount, so that the amount stays reserved.',
    authScopes: { buyer: true, mayWrite: 'receipts:write' },
    args: quoteArgs(t),
    resolve: (_root, args, context) => reserveQuote(withRates(context), request(context.caller, args)),
  }),
  submitTransaction: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: SubmittedTransactionType,
    description:
      'Submits a transaction hash as a hint. The transaction is verified on chain. A transaction signed by its sender is matched even if the amount differs. A read-only page may only submit signed hints.',
    authScopes: { buyer: true, mayWrite: 'receipts:write' },
    args: {
      receiptId: t.arg.id({ required: true, description: 'The id of the receipt.' }),
      transactionHash: t.arg({ type: 'Hex', required: true, description: 'The hash of the transaction.' }),
      signer: t.arg({ type: 'Wallet', description: 'The sender of the transaction, if it has signed the claim.' }),
      signature: t.arg({
        type: 'Hex',
        description:
          'The signer’s signature of the typed data `PaymentClaim` (EIP-712) for this receipt and transaction.',
      }),
      chainId: t.arg({
        type: 'SafeInt',
        description:
          'The chain of the transaction (EIP-155). Without it the chain that the receipt was quoted on last.',
      }),
    },
    resolve: (_root, { receiptId, transactionHash, chainId, ...given }, context) => {
      const { caller } = context;
      const claim = claimOf(given);
      if (!claim && caller.kind === 'buyer' && caller.readOnly)
        throw forbid('page_token_limited', 'This page is read-only: a signature of the sender is required');
      return submitTransaction(context, { ...ownReceipt(caller, receiptId), transactionHash, chainId, claim });
    },
  }),
  payWithTestWallet: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: TestPaymentType,
    description: 'Pays the receipt from a test account. Available on the local chain only.',
    authScopes: { buyerWrite: true, mayWrite: 'receipts:write' },
    args: quoteArgs(t),
    resolve: (_root, args, context) => payWithTestWallet(withRates(context), request(context.caller, args)),
  }),
}));
