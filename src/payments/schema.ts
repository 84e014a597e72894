import { actorOf, type Caller, merchantOf, sessionOf } from '../core/caller.ts';
import { refuse } from '../core/errors.ts';
import { forbid } from '../core/forbidden.ts';
import { usdFromCents } from '../core/money.ts';
import type { Wallet } from '../core/wallet.ts';
import { configuredRates } from '../fx/usd-per-token.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { RECEIPT_PAGES } from '../graphql/page-option.ts';
import { countsAs, OUTSIDE_POINTS } from '../graphql/rate.ts';
import { qrSvg } from '../quotes/qr.ts';
import { ownReceipt } from '../receipts/own-receipt.ts';
import { perReceipt } from '../receipts/per-receipt.ts';
import { readReceipt } from '../receipts/read.ts';
import { ReceiptRef } from '../receipts/receipt-type.ts';
import { assignTransfer } from './assign.ts';
import type { Claim } from './claim.ts';
import { type Progress, readProgressOf } from './confirmations.ts';
import { markUnmatched } from './mark-unmatched.ts';
import { type Missing, readMissingOf } from './missing.ts';
import { type PaidAmount, paidAmount } from './paid-amount.ts';
import { type PaymentQuote, type QuoteRequest, quotePayment } from './quote-payment.ts';
import { type Submitted, submitTransaction } from './submit.ts';
import { payWithTestWallet } from './test-wallet.ts';
import { type Candidate, DUST_USD, listUnmatched, UNMATCHED_MAX, type UnmatchedTransfer } from './unmatched.ts';

const PaymentQuoteType = builder.objectRef<PaymentQuote>('PaymentQuote').implement({
  pages: RECEIPT_PAGES,
  description:
    'What a buyer has to send, and where. The amount is this receipt’s alone: a plain transfer of it needs no memo.',
  authScopes: { buyer: true, admin: true },
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The symbol, as in `USDC`.' }),
    chainId: t.float({ description: 'The chain to send it on.', resolve: (quote) => quote.chainId }),
    amount: t.field({ type: 'BaseUnits', description: 'In base units.', resolve: (quote) => quote.amount }),
    decimals: t.exposeInt('decimals', { description: 'Base units are 10^-decimals of a token.' }),
    display: t.exposeString('display', { description: 'The amount in whole tokens, without the symbol.' }),
    payTo: t.field({ type: 'Wallet', description: 'The merchant’s split.', resolve: (quote) => quote.payTo }),
    uri: t.exposeString('uri', { description: 'The request as a link for wallets (EIP-681).' }),
    expiresAt: t.field({
      type: 'Millis',
      nullable: true,
      description: 'Null where it holds as long as the receipt is unpaid.',
      resolve: (quote) => quote.expiresAt,
    }),
    qr: t.string({ description: 'The link as a QR code, SVG.', resolve: (quote) => qrSvg(quote.uri) }),
  }),
});

const SubmittedTransactionType = builder.objectRef<Submitted>('SubmittedTransaction').implement({
  pages: RECEIPT_PAGES,
  description: 'A hint that was taken.',
  authScopes: { buyer: true, admin: true },
  fields: (t) => ({
    receiptId: t.exposeID('receiptId'),
    status: t.exposeString('status', { description: 'The receipt’s status, which the hint alone does not change.' }),
  }),
});

const TestPaymentType = builder.objectRef<{ transactionHash: string }>('TestPayment').implement({
  pages: ['receipt'],
  description: 'A payment from a test account of the local chain.',
  authScopes: { buyer: true, admin: true },
  fields: (t) => ({
    transactionHash: t.field({ type: 'Hex', resolve: (payment) => payment.transactionHash }),
  }),
});

const CandidateType = builder.objectRef<Candidate>('UnmatchedCandidate').implement({
  description: 'A receipt that an unmatched transfer may belong to.',
  ...throughParent,
  fields: (t) => ({
    receiptId: t.exposeID('receiptId'),
    status: t.exposeString('status'),
    totalUsd: t.field({ type: 'Usd', resolve: (receipt) => usdFromCents(receipt.totalCents) }),
  }),
});

const UnmatchedState = builder.enumType('UnmatchedState', {
  description: 'What is to become of an unmatched transfer.',
  values: ['open', 'marked_for_refund'] as const,
});

const UnmatchedTransferType = builder.objectRef<UnmatchedTransfer>('UnmatchedTransfer').implement({
  description: 'Money that arrived at a split of the merchant’s and pays no receipt.',
  authScopes: { admin: true },
  fields: (t) => ({
    chainId: t.float({ resolve: (transfer) => transfer.chainId }),
    transactionHash: t.field({ type: 'Hex', resolve: (transfer) => transfer.transactionHash }),
    logIndex: t.exposeInt('logIndex', {
      description: 'Which of the transaction’s transfers; it may change in a reorganisation.',
    }),
    blockNumber: t.float({ resolve: (transfer) => transfer.blockNumber }),
    at: t.field({ type: 'Millis', description: 'The time of its block.', resolve: (transfer) => transfer.blockTimeMs }),
    token: t.exposeString('token'),
    amount: t.field({ type: 'BaseUnits', resolve: (transfer) => transfer.amount }),
    display: t.exposeString('display', { description: 'The amount in whole tokens.' }),
    sender: t.field({ type: 'Wallet', resolve: (transfer) => transfer.sender }),
    payTo: t.field({
      type: 'Wallet',
      description: 'The split that received it.',
      resolve: (transfer) => transfer.payTo,
    }),
    reason: t.exposeString('reason', {
      description:
        '`unknown_amount`, `duplicate` (the receipt was paid already), `too_old` (older than the receipt), `no_rate` or `error`.',
    }),
    state: t.field({
      type: UnmatchedState,
      description: 'Whether it may still be assigned, or is to be sent back.',
      resolve: ({ refundMarkedAt }) => (refundMarkedAt === null ? 'open' : 'marked_for_refund'),
    }),
    refundMarkedAt: t.field({
      type: 'Millis',
      nullable: true,
      description: 'When it was marked for refund.',
      resolve: (transfer) => transfer.refundMarkedAt,
    }),
    refundMarkedBy: t.field({
      type: 'Wallet',
      nullable: true,
      description: 'Who marked it.',
      resolve: (transfer) => transfer.refundMarkedBy,
    }),
    candidates: t.field({
      type: [CandidateType],
      description: 'The receipts it may belong to, the likeliest first.',
      resolve: (transfer) => [...transfer.candidates],
    }),
  }),
});

const MissingType = builder.objectRef<Missing>('PaymentMissing').implement({
  pages: RECEIPT_PAGES,
  description: 'What is still to pay after too little arrived.',
  ...throughParent,
  fields: (t) => ({
    token: t.exposeString('token'),
    amount: t.field({ type: 'BaseUnits', resolve: (missing) => missing.amount }),
    display: t.exposeString('display', { description: 'The amount in whole tokens.' }),
  }),
});

const PaidType = builder.objectRef<PaidAmount>('PaymentPaid').implement({
  description: 'What was paid on a receipt.',
  pages: RECEIPT_PAGES,
  ...throughParent,
  fields: (t) => ({
    token: t.exposeString('token', { description: 'The symbol, as in `USDC`.' }),
    amount: t.field({ type: 'BaseUnits', description: 'In base units.', resolve: (paid) => paid.amount }),
    display: t.exposeString('display', { description: 'The amount in whole tokens, without the symbol.' }),
  }),
});

const progressOf = perReceipt<Progress>('progress', readProgressOf);
const missingOf = perReceipt<Missing | null>('missing', readMissingOf);

builder.objectFields(ReceiptRef, (t) => ({
  confirmations: t.int({
    pages: RECEIPT_PAGES,
    description: 'Blocks on top of its latest payment, as far as they count.',
    resolve: async (receipt, _args, context) => (await progressOf(context, receipt)).confirmations,
  }),
  confirmationsNeeded: t.int({
    pages: RECEIPT_PAGES,
    description: 'So many make a payment final.',
    resolve: (_receipt, _args, { chain }) => chain.confirmations,
  }),
  missing: t.field({
    pages: RECEIPT_PAGES,
    type: MissingType,
    nullable: true,
    description: 'What is still to pay, in `tx_mismatch`.',
    resolve: (receipt, _args, context) => (receipt.status === 'tx_mismatch' ? missingOf(context, receipt) : null),
  }),
  paid: t.field({
    pages: RECEIPT_PAGES,
    type: PaidType,
    nullable: true,
    description: 'What was paid, exactly; null before a payment counts.',
    resolve: (receipt, _args, context) => paidAmount(context, receipt),
  }),
}));

/** Domain functions of payments price tokens; a request reads the rates as they are now. */
const payments = (context: Context) => ({ ...context, readRate: configuredRates(context) });

const request = (caller: Caller, args: { receiptId: string; token: string }): QuoteRequest => ({
  ...ownReceipt(caller, args.receiptId),
  token: args.token,
});

/** Signer and signature come together or not at all. */
function claimOf({ signer, signature }: { signer?: string | null; signature?: string | null }): Claim | undefined {
  if (signer && signature) return { signer: signer as Wallet, signature };
  if (!signer && !signature) return undefined;
  throw refuse('invalid_input', 'signer and signature come together', { field: signer ? 'signature' : 'signer' });
}

builder.mutationFields((t) => ({
  quotePayment: t.field({
    ...countsAs('others'),
    type: PaymentQuoteType,
    description:
      'The amount that pays the receipt in a token, the same each time until it expires. A `generated` receipt becomes `pending`.',
    authScopes: { buyer: true, adminWrite: true },
    args: { receiptId: t.arg.id({ required: true }), token: t.arg.string({ required: true }) },
    resolve: (_root, args, context) =>
      quotePayment(payments(context), request(context.caller, args), actorOf(context.caller)),
  }),
  submitTransaction: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: SubmittedTransactionType,
    description:
      'A hint which transaction may pay the receipt. It is where to look, never a claim; only what its own sender has signed counts for this receipt whatever its amount. A read-only page may submit signed ones alone.',
    authScopes: { buyer: true, adminWrite: true },
    args: {
      receiptId: t.arg.id({ required: true }),
      transactionHash: t.arg({ type: 'Hex', required: true }),
      signer: t.arg({ type: 'Wallet', description: 'The sender, where it has signed.' }),
      signature: t.arg({
        type: 'Hex',
        description: 'The signer’s over the typed data `PaymentClaim` (EIP-712) of this receipt and transaction.',
      }),
    },
    resolve: (_root, { receiptId, transactionHash, ...given }, context) => {
      const { caller } = context;
      const claim = claimOf(given);
      if (!claim && caller.kind === 'buyer' && caller.readOnly)
        throw forbid('page_token_limited', 'This page is read-only: the sender must sign the transaction');
      return submitTransaction(context, { ...ownReceipt(caller, receiptId), transactionHash, claim });
    },
  }),
  payWithTestWallet: t.field({
    ...countsAs('others'),
    complexity: OUTSIDE_POINTS,
    type: TestPaymentType,
    description: 'Pays the receipt from a test account; on the local chain only.',
    authScopes: { buyerWrite: true, adminWrite: true },
    args: { receiptId: t.arg.id({ required: true }), token: t.arg.string({ required: true }) },
    resolve: (_root, args, context) => payWithTestWallet(payments(context), request(context.caller, args)),
  }),
  assignTransfer: t.field({
    ...countsAs('others'),
    type: ReceiptRef,
    description: 'Says which receipt an unmatched transfer pays.',
    authScopes: { adminWrite: true },
    grantScopes: ['receipt'],
    args: {
      transactionHash: t.arg({ type: 'Hex', required: true }),
      logIndex: t.arg.int({ description: 'Needed where the transaction has more than one unmatched transfer.' }),
      receiptId: t.arg.id({ required: true }),
    },
    resolve: async (_root, args, context) => {
      const { wallet } = sessionOf(context.caller);
      const merchant = merchantOf(context.caller);
      await assignTransfer(payments(context), { ...args, merchant, by: wallet });
      return readReceipt(context, merchant, args.receiptId);
    },
  }),
  markUnmatchedForRefund: t.field({
    ...countsAs('others'),
    type: UnmatchedTransferType,
    description:
      'Keeps that an unmatched transfer is to be sent back: it can pay no receipt until the mark is taken back. The merchant sends the money itself.',
    authScopes: { adminWrite: true },
    args: {
      transactionHash: t.arg({ type: 'Hex', required: true, description: 'The transaction that brought it.' }),
      logIndex: t.arg.int({ description: 'Needed where the transaction has more than one unmatched transfer.' }),
      marked: t.arg.boolean({ defaultValue: true, description: 'False takes the mark back.' }),
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
  unmatchedTransfers: t.field({
    type: [UnmatchedTransferType],
    description: 'Money that arrived and pays no receipt, newest first.',
    authScopes: { admin: true },
    args: {
      limit: t.arg.int({ defaultValue: 100, description: `1 to ${UNMATCHED_MAX}.` }),
      state: t.arg({ type: UnmatchedState, description: 'Only those in this state.' }),
      includeDust: t.arg.boolean({
        defaultValue: false,
        description: `Also transfers worth less than ${DUST_USD} USD, which are usually sent to plant an address and not to pay.`,
      }),
    },
    complexity: (args) => ({ field: 1, multiplier: args.limit ?? 100 }),
    resolve: (_root, args, context) => {
      const limit = args.limit ?? 100;
      if (limit < 1 || limit > UNMATCHED_MAX) {
        throw refuse('invalid_input', `limit must be a whole number from 1 to ${UNMATCHED_MAX}`, { field: 'limit' });
      }
      const markedForRefund = args.state == null ? null : args.state === 'marked_for_refund';
      const { includeDust } = args;
      return listUnmatched(payments(context), merchantOf(context.caller), { limit, markedForRefund, includeDust });
    },
  }),
}));
