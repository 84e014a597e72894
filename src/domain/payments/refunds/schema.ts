import Big from 'big.js';
import { transactionUrl } from '../../../base/chain/explorers.ts';
import { toDecimal } from '../../../base/chain/tokens.ts';
import { merchantOf } from '../../../base/core/caller.ts';
import { realHash, realSender } from '../../../base/core/coin-place.ts';
import { parseInput } from '../../../base/core/input.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import { builder, type QueryFields, throughParent } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import type { Context } from '../../../base/graphql/context.ts';
import { RECEIPT_PAGES } from '../../../base/graphql/page-fields.ts';
import { OUTSIDE_POINTS } from '../../../base/graphql/rate.ts';
import { CurrencyEnum, vocabulary } from '../../../base/graphql/vocabulary.ts';
import { repeatableOf } from '../../../base/platform/idempotency.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { BillingAddressType } from '../../sales/receipts/billing-address-type.ts';
import { perReceipt } from '../../sales/receipts/per-receipt.ts';
import { ReceiptRef } from '../../sales/receipts/receipt-type.ts';
import { configuredRates } from '../../shop/fx/usd-per-token.ts';
import { RECORDED_HASH } from '../transfers/transfers.ts';
import { centsOf, isRefundable } from './account.ts';
import { draftRefunds, type RefundDraft } from './draft-refund.ts';
import type { RefundState as State } from './lifecycle.ts';
import {
  listRefunds,
  type Received,
  type RefundRow,
  type RefundTransaction,
  readPaidOf,
  readReceivedOf,
  readRefundsOf,
} from './read.ts';
import { MAX_NOTE, REFUND_REASONS } from './reason.ts';
import type { RefundItem } from './refund.entity.ts';
import { refundDraftInput, refundInput, refundRequestInput } from './refund.input.ts';
import { refundReceipt } from './refund-receipt.ts';
import { declineRefund, requestRefund } from './request-refund.ts';

const RefundState = builder.enumType('RefundState', {
  description: '`refunded` once transactions have proven the whole amount.',
  values: {
    requested: { description: 'Requested, and not or only partly proven.' },
    refunded: { description: 'Transactions prove the whole amount.' },
    declined: { description: 'Declined by a person, or the part of it that was not proven.' },
  } satisfies Record<State, object>,
});

const RefundReasonEnum = vocabulary('RefundReason', 'Why a merchant returns money.', REFUND_REASONS);

const RefundItemType = builder.objectRef<RefundItem>('RefundItem').implement({
  pages: RECEIPT_PAGES,
  ...throughParent,
  description: 'An item of a refund, as described by the merchant.',
  fields: (t) => ({
    label: t.exposeString('label', { description: 'The text of the item.' }),
    priceUsd: t.field({
      type: 'Usd',
      description: 'The price as it was sent; items need not add up to the refund.',
      resolve: ({ priceCents }) => usdFromCents(priceCents),
    }),
    qty: t.int({ nullable: true, description: 'The quantity; descriptive.', resolve: ({ qty }) => qty ?? null }),
  }),
});

const RefundTransactionType = builder.objectRef<RefundTransaction>('RefundTransaction').implement({
  ...throughParent,
  description: 'A transaction that proves a refund.',
  fields: (t) => ({
    transactionHash: t.expose('transactionHash', { type: 'Hex', description: 'Its hash.' }),
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'Its chain (EIP-155).' }),
    transactionUrl: t.string({
      nullable: true,
      description: 'Its page in the explorer of the chain; null if the chain has none.',
      resolve: ({ chainId, transactionHash }) => transactionUrl(chainId, transactionHash),
    }),
  }),
});

const RefundType = builder.objectRef<RefundRow>('Refund').implement({
  ...throughParent,
  description: 'A requested or completed refund to a buyer.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the refund.' }),
    receiptId: t.exposeID('receiptId', { description: 'The receipt whose payment is refunded.' }),
    state: t.expose('state', {
      pages: RECEIPT_PAGES,
      type: RefundState,
      description: '`requested` until the whole amount is proven.',
    }),
    usd: t.field({
      pages: RECEIPT_PAGES,
      type: 'Usd',
      description: 'The amount of the refund, in US dollars.',
      resolve: ({ usdCents }) => usdFromCents(usdCents),
    }),
    amount: t.float({
      description: 'The amount of the refund in the currency of the receipt, in major units.',
      resolve: ({ ownCents }) => usdFromCents(ownCents),
    }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'The currency of the receipt.' }),
    provenUsd: t.field({
      type: 'Usd',
      description: 'The amount proven by transactions.',
      resolve: ({ provenCents }) => usdFromCents(provenCents),
    }),
    buyer: t.field({
      pages: RECEIPT_PAGES,
      type: 'Wallet',
      description: 'The wallet that receives the refund.',
      resolve: ({ buyer }) => buyer,
    }),
    billingAddress: t.expose('billingAddress', {
      type: BillingAddressType,
      nullable: true,
      description: 'Who bought, as the receipt names them. Null if nothing was given, or if the buyer was erased.',
    }),
    items: t.field({
      pages: RECEIPT_PAGES,
      type: [RefundItemType],
      description: 'The items of the refund.',
      resolve: ({ items }) => [...items],
    }),
    reason: t.expose('reason', {
      type: RefundReasonEnum,
      nullable: true,
      description: 'Why it was made; null if that was not said.',
    }),
    note: t.exposeString('note', {
      nullable: true,
      description: 'The merchant’s note, for its own people. Null if there is none, or if the buyer was erased.',
    }),
    transactionHashes: t.field({
      pages: RECEIPT_PAGES,
      type: ['Hex'],
      description: 'The transactions that prove the refund.',
      resolve: ({ transactionHashes }) => [...transactionHashes],
    }),
    transactions: t.field({
      type: [RefundTransactionType],
      description: 'The transactions that prove the refund, with their chains.',
      resolve: ({ transactions }) => [...transactions],
    }),
    senderVerified: t.exposeBoolean('senderVerified', {
      nullable: true,
      description:
        'Whether all proving transfers came from the merchant’s own wallet. Transfers from other wallets count too, because exchanges also pay refunds. Null if nothing is proven.',
    }),
    actor: t.exposeString('actor', {
      description: 'Who asked for it or recorded it, as in `key:…` or `wallet:0x…`.',
    }),
    createdAt: t.expose('createdAt', {
      pages: RECEIPT_PAGES,
      type: 'Millis',
      description: 'When the refund was requested or first proven.',
    }),
    refundedAt: t.expose('refundedAt', {
      pages: RECEIPT_PAGES,
      type: 'Millis',
      nullable: true,
      description: 'When the whole amount was proven; null before.',
    }),
  }),
});

const ReceiptPaymentType = builder.objectRef<Received>('ReceiptPayment').implement({
  ...throughParent,
  description: 'A transfer that counts for a receipt.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'Its chain (EIP-155).' }),
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    amount: t.field({ type: 'BaseUnits', description: 'In base units.', resolve: ({ amount }) => amount }),
    display: t.exposeString('display', {
      nullable: true,
      description: 'The amount in whole tokens; null if the server does not accept this token on this chain any more.',
    }),
    countedUsd: t.exposeString('usd', {
      description: 'What it counts for in US dollars, as decimal text. Those of a receipt add up to its `receivedUsd`.',
    }),
    transactionHash: t.field({
      type: 'Hex',
      nullable: true,
      description: 'Its transaction; null for coins that came from within a contract’s transaction.',
      resolve: ({ transactionHash }) => realHash(transactionHash),
    }),
    transactionUrl: t.string({
      nullable: true,
      description: 'The transaction in the explorer of the chain; null if the chain has none.',
      resolve: ({ chainId, transactionHash }) => transactionUrl(chainId, transactionHash),
    }),
    recordedHash: t.expose('transactionHash', { type: 'Hex', description: RECORDED_HASH }),
    logIndex: t.exposeInt('logIndex', { description: 'Its place in the block.' }),
    sender: t.field({
      type: 'Wallet',
      nullable: true,
      description: 'The wallet that sent it; null for coins that came from within a contract’s transaction.',
      resolve: ({ sender }) => realSender(sender),
    }),
    assigned: t.boolean({
      description: 'Whether a person assigned it to the receipt, which `unassignTransfer` takes back.',
      resolve: ({ assignedBy }) => assignedBy !== null,
    }),
    at: t.expose('blockTimeMs', { type: 'Millis', description: 'The time of its block.' }),
    confirmedAt: t.expose('confirmedAt', {
      type: 'Millis',
      nullable: true,
      description: 'When it had its confirmations; null before.',
    }),
  }),
});

const receivedOf = perReceipt('received', readReceivedOf);
const refundsOf = perReceipt('refunds', ({ db }, merchant, ids) => readRefundsOf(db, merchant, ids));
const paidOf = perReceipt('paid', ({ db }, merchant, ids) => readPaidOf(db, merchant, ids));

const sumOf = (payments: readonly Received[]) => payments.reduce((sum, { usd }) => sum.plus(usd), new Big(0));

const provenOf = (refunds: readonly RefundRow[]) => refunds.reduce((sum, { provenCents }) => sum + provenCents, 0);

builder.objectFields(ReceiptRef, (t) => ({
  refunds: t.field({
    pages: RECEIPT_PAGES,
    type: [RefundType],
    description: 'The requested, completed and declined refunds, oldest first.',
    resolve: (receipt, _args, context) => refundsOf(context, receipt),
  }),
  payments: t.field({
    type: [ReceiptPaymentType],
    description: 'The transfers that count for the receipt, on whatever chain and in whatever token, oldest first.',
    resolve: (receipt, _args, context) => receivedOf(context, receipt),
  }),
  receivedUsd: t.field({
    pages: RECEIPT_PAGES,
    type: 'Usd',
    description:
      'What was received for the receipt, in whole cents: the sum of `payments`, rounded down. It may be more or less than the total.',
    resolve: async (receipt, _args, context) =>
      usdFromCents(centsOf(sumOf(await receivedOf(context, receipt)).toFixed())),
  }),
  refundedUsd: t.field({
    pages: RECEIPT_PAGES,
    type: 'Usd',
    description: 'The amount that transactions have proven to be refunded.',
    resolve: async (receipt, _args, context) => usdFromCents(provenOf(await refundsOf(context, receipt))),
  }),
  refundableUsd: t.field({
    type: 'Usd',
    description:
      'What was received for the receipt, has its confirmations and is not refunded yet: the payment with a surplus, or a part of it, also if the receipt has expired or was voided. Zero while a payment waits for its confirmations. Open requests do not reduce it.',
    resolve: async (receipt, _args, context) => {
      if (!isRefundable(receipt)) return 0;
      const [paidCents, refunds] = await Promise.all([paidOf(context, receipt), refundsOf(context, receipt)]);
      return usdFromCents(Math.max(0, paidCents - provenOf(refunds)));
    },
  }),
}));

const RefundDraftType = builder.objectRef<RefundDraft>('RefundDraft').implement({
  ...throughParent,
  description: 'The transaction with which a wallet returns money to a buyer.',
  fields: (t) => ({
    receiptId: t.exposeID('receiptId', { description: 'The receipt whose payment is refunded.' }),
    buyer: t.expose('buyer', { type: 'Wallet', description: 'The wallet that receives the money.' }),
    token: t.string({ description: 'The symbol, for example `USDC`.', resolve: ({ token }) => token.symbol }),
    amount: t.field({ type: 'BaseUnits', description: 'In base units.', resolve: ({ amount }) => String(amount) }),
    display: t.string({
      description: 'The amount in whole tokens.',
      resolve: ({ amount, token }) => toDecimal(amount, token.decimals),
    }),
    usd: t.field({
      type: 'Usd',
      description: 'What the transaction proves: the amount that was asked for, or the part that this token paid.',
      resolve: ({ usdCents }) => usdFromCents(usdCents),
    }),
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain of the transaction (EIP-155).' }),
    to: t.expose('to', { type: 'Wallet', description: 'The address to call: the token’s contract, or the buyer.' }),
    data: t.expose('data', { type: 'Hex', description: 'The data of the call; `0x` for native coins.' }),
    direct: t.exposeBoolean('direct', {
      description:
        'Whether only a wallet that sends the transaction itself proves the refund: native coins that a contract sends on, such as a multi-signature wallet, leave no trace. Such a wallet returns the money in a token of this chain.',
    }),
    value: t.field({
      type: 'BaseUnits',
      description: 'The native coins to send, in wei.',
      resolve: ({ value }) => String(value),
    }),
  }),
});

const draftArgs = (t: QueryFields) => ({
  receiptId: t.arg.id({ required: true, description: 'The receipt.' }),
  usd: t.arg({
    type: 'Usd',
    required: true,
    description: 'The amount in US dollars; at most what was paid and is not refunded yet.',
  }),
  buyer: t.arg({ type: 'Wallet', description: 'Who receives the money. Default: the wallet that paid.' }),
});

const drafted = (context: Context, args: object): Promise<RefundDraft[]> =>
  draftRefunds(context, { merchant: merchantOf(context.caller), ...parseInput(refundDraftInput, args) });

builder.queryFields((t) => ({
  refundDraft: t.field({
    type: RefundDraftType,
    description:
      'Prepares the transaction of a refund, in the token and on the chain with most left of the payment, and at its rate. If it paid less than `usd`, the transaction returns only that part, as the field `usd` says: `refundDrafts` has the others. It stores and sends nothing: a wallet sends it, and `refundReceipt` proves it with the transaction’s hash. Refused as `refundReceipt` would be.',
    authScopes: { may: 'money' },
    args: draftArgs(t),
    resolve: async (_root, args, context) => (await drafted(context, args))[0]!,
  }),
  refundDrafts: t.field({
    type: [RefundDraftType],
    description:
      'Prepares the transactions of a refund: one for each token and chain that paid, until they make up `usd`. Each is sent on its chain and proven by itself, with its own `usd`.',
    authScopes: { may: 'money' },
    args: draftArgs(t),
    resolve: (_root, args, context) => drafted(context, args),
  }),
  refunds: t.connection(
    {
      type: RefundType,
      description: 'The requested and completed refunds of all receipts of the merchant, newest first.',
      authScopes: { scope: 'receipts:read', may: 'receipts:read' },
      complexity: costOfPage,
      args: {
        state: t.arg({ type: RefundState, description: 'Only those in this state.' }),
        createdFrom: t.arg({ type: 'Millis', description: 'Only those requested or proven at this time or later.' }),
        createdTo: t.arg({ type: 'Millis', description: 'Only those requested or proven at this time or earlier.' }),
      },
      resolve: (_root, { state, createdFrom, createdTo, ...page }, context) =>
        connect(page, listRefunds(context.db, merchantOf(context.caller), { state, createdFrom, createdTo })),
    },
    ...connectionTypes('Refund', 'refunds'),
  ),
}));

const RefundItemInput = builder.inputType('RefundItemInput', {
  description: 'An item of a refund.',
  fields: (t) => ({
    label: t.string({ required: true, description: 'The text of the item.' }),
    priceUsd: t.field({ type: 'Usd', required: true, description: 'The price, with at most two decimals.' }),
    qty: t.int({ description: 'The quantity; descriptive.' }),
  }),
});

const RefundReceiptInput = builder.inputType('RefundReceiptInput', {
  description: 'A refund request; with `txHash`, a refund that has been sent.',
  fields: (t) => ({
    receiptId: t.id({ required: true, description: 'The receipt.' }),
    wallet: t.string({ required: true, description: 'The merchant’s wallet; must be the caller’s own.' }),
    buyer: t.string({ required: true, description: 'The wallet that receives the refund.' }),
    usd: t.field({
      type: 'Usd',
      required: true,
      description: 'The amount in US dollars; at most what was paid and is not refunded yet.',
    }),
    items: t.field({ type: [RefundItemInput], description: 'The items of the refund; they need not add up to `usd`.' }),
    reason: t.field({ type: RefundReasonEnum, description: 'Why it is made.' }),
    note: t.string({ description: `A note for the merchant’s own people, at most ${MAX_NOTE} characters.` }),
    txHash: t.string({ description: 'The transaction that sent the money to the buyer.' }),
    chainId: t.field({
      type: 'SafeInt',
      description: 'The chain of the transaction (EIP-155). Default: looked up on every chain that paid the receipt.',
    }),
  }),
});

const RequestRefundInput = builder.inputType('RequestRefundInput', {
  description: 'A refund that a person is asked to send.',
  fields: (t) => ({
    receiptId: t.id({ required: true, description: 'The receipt.' }),
    buyer: t.string({ description: 'The wallet that receives the refund. Default: the one that paid.' }),
    usd: t.field({ type: 'Usd', description: 'The amount in US dollars. Default: everything that can be returned.' }),
    items: t.field({ type: [RefundItemInput], description: 'The items; they need not add up to `usd`.' }),
    reason: t.field({ type: RefundReasonEnum, description: 'Why it is asked for.' }),
    note: t.string({ description: `A note for the merchant’s own people, at most ${MAX_NOTE} characters.` }),
  }),
});

builder.mutationFields((t) => ({
  refundReceipt: t.field({
    ...audits('others', 'refund.requested', 'refund.proven'),
    complexity: OUTSIDE_POINTS,
    type: ReceiptRef,
    description:
      'Records a refund. Without `txHash` it is a request; with `txHash` the transaction is verified on chain. The merchant sends the money itself.',
    authScopes: { mayWrite: 'money' },
    grantScopes: ['receipt'],
    args: {
      input: t.arg({ type: RefundReceiptInput, required: true, description: 'The amount, the buyer and the items.' }),
      idempotencyKey: t.arg.string({ description: 'The same key and input within 24 hours make one refund.' }),
    },
    resolve: (_, { input, idempotencyKey }, context) =>
      refundReceipt(
        { ...context, readRate: configuredRates(context) },
        context.caller,
        parseInput(refundInput, input),
        repeatableOf(idempotencyKey, input),
      ),
  }),
  requestRefund: t.field({
    ...audits('others', 'refund.requested'),
    type: RefundType,
    description:
      'Asks for a refund, which a person of the merchant sends or declines. It moves no money. Refuses with `not_found`, `invalid_input`, `invalid_usd` and `invalid_buyer`.',
    authScopes: { scope: 'refunds:request', mayWrite: 'money' },
    args: {
      input: t.arg({ type: RequestRefundInput, required: true, description: 'What to return.' }),
      idempotencyKey: t.arg.string({ description: 'The same key and input within 24 hours make one request.' }),
    },
    resolve: (_, { input, idempotencyKey }, context) =>
      requestRefund(
        context,
        context.caller,
        parseInput(refundRequestInput, input),
        repeatableOf(idempotencyKey, input),
      ),
  }),
  declineRefund: t.field({
    ...audits('others', 'refund.declined'),
    type: RefundType,
    description:
      'Declines a requested refund, or what is not proven of it. Repeating it changes nothing. Refuses with `not_found`, and with `invalid_input` one that was sent.',
    authScopes: { mayWrite: 'money' },
    args: {
      receiptId: t.arg.id({ required: true, description: 'The receipt.' }),
      refundId: t.arg.id({ required: true, description: 'The refund.' }),
    },
    resolve: (_, args, context) => declineRefund(context, context.caller, args),
  }),
}));
