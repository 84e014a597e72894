import { actorOf, type Caller } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { forbid } from '../../../base/core/forbidden.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, type MutationFields, throughParent } from '../../../base/graphql/builder.ts';
import { RECEIPT_PAGES } from '../../../base/graphql/page-fields.ts';
import { countsAs, OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { ownReceipt } from '../../sales/receipts/own-receipt.ts';
import { perReceipt } from '../../sales/receipts/per-receipt.ts';
import { ReceiptRef } from '../../sales/receipts/receipt-type.ts';
import { ReceiptStatusEnum } from '../../sales/receipts/status-types.ts';
import { withRates } from '../../shop/fx/usd-per-token.ts';
import type { Claim } from '../matching/claim.ts';
import { type Submitted, submitTransaction } from '../matching/submit.ts';
import { qrSvg } from '../quotes/uri.ts';
import { type Progress, readProgressOf } from '../watching/confirmations.ts';
import { type Missing, readMissingOf } from './missing.ts';
import { type PaidAmount, paidAmount } from './paid-amount.ts';
import { type PaymentQuote, payWithTestWallet, type QuoteRequest, quotePayment, showQuote } from './quote-payment.ts';

const PaymentQuoteType = builder.objectRef<PaymentQuote>('PaymentQuote').implement({
  pages: RECEIPT_PAGES,
  description:
    'The amount to ask for and the address of the receipt. Whatever arrives there counts, by a plain transfer without a memo, in one part or several.',
  authScopes: { buyer: true, may: 'receipts:own' },
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain of the payment (EIP-155).' }),
    amount: t.field({ type: 'BaseUnits', description: 'In base units.', resolve: (quote) => quote.amount }),
    decimals: t.exposeInt('decimals', { description: 'Base units are 10^-decimals of a token.' }),
    display: t.exposeString('display', { description: 'The amount in whole tokens, without the symbol.' }),
    payTo: t.field({
      type: 'Wallet',
      description:
        'The address of the receipt, which can only pay the merchant’s split. Ask again before a payment is offered: it changes once it has code, for coins, or the split is replaced. Earlier ones stay watched.',
      resolve: (quote) => quote.payTo,
    }),
    uri: t.exposeString('uri', { description: 'The payment request as a link for wallets (EIP-681).' }),
    expiresAt: t.field({
      type: 'Millis',
      nullable: true,
      description:
        'Until when the price holds. Another request renews it, with the same amount if the price is the same.',
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
  description: 'What was paid on a receipt in one token.',
  pages: RECEIPT_PAGES,
  ...throughParent,
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    amount: t.field({ type: 'BaseUnits', description: 'In base units.', resolve: (paid) => paid.amount }),
    display: t.exposeString('display', { description: 'The amount in whole tokens, without the symbol.' }),
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
  paid: t.field({
    pages: RECEIPT_PAGES,
    type: PaidType,
    nullable: true,
    description:
      'What was paid in the token of the payment that completed it; null before. `receivedUsd` is the sum of all.',
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
      'Returns the amount that pays the receipt, or what is missing of it, in a token, and the address. A `generated` receipt becomes `pending`.',
    authScopes: { buyer: true, mayWrite: 'receipts:write' },
    args: quoteArgs(t),
    resolve: (_root, args, context) =>
      quotePayment(withRates(context), request(context.caller, args), actorOf(context.caller)),
  }),
  renewQuote: t.field({
    ...countsAs('others'),
    type: PaymentQuoteType,
    description:
      'Returns the amount and the address as `quotePayment` does, without a change of the receipt. A page calls it every half hour while it shows them.',
    authScopes: { buyer: true, mayWrite: 'receipts:write' },
    args: quoteArgs(t),
    resolve: (_root, args, context) => showQuote(withRates(context), request(context.caller, args)),
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
