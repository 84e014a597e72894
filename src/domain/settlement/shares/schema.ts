import { transactionUrl } from '../../../base/chain/explorers.ts';
import { merchantOf } from '../../../base/core/caller.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import { RECEIPT_PAGES } from '../../../base/graphql/page-fields.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { perReceipt } from '../../sales/receipts/per-receipt.ts';
import { ReceiptRef } from '../../sales/receipts/receipt-type.ts';
import { displayOwed, readShares, type ShareView } from './share-view.ts';
import { listSplitTransactions, parseTransactionQuery, type SplitTransaction } from './split-transactions.ts';

const ShareType = builder.objectRef<ShareView>('SettlementShare').implement({
  pages: RECEIPT_PAGES,
  description: 'One recipient’s share of a receipt’s payment.',
  ...throughParent,
  fields: (t) => ({
    recipient: t.field({
      type: 'Wallet',
      description: 'The wallet that receives the share.',
      resolve: (share) => share.payee,
    }),
    platform: t.boolean({
      pages: [],
      description: 'Whether the recipient is the operator of this server.',
      resolve: ({ payee }, _args, { settings }) => payee === settings.platformRecipient,
    }),
    sharesBps: t.exposeInt('sharesBps', { description: 'The share in basis points.' }),
    split: t.field({
      type: 'Wallet',
      description: 'The split contract that pays it.',
      resolve: (share) => share.split,
    }),
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain of the split (EIP-155).' }),
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
    owed: t.field({
      type: 'BaseUnits',
      nullable: true,
      description: 'The amount owed, in base units; null until the payment is final.',
      resolve: (share) => share.owed,
    }),
    released: t.field({
      type: 'BaseUnits',
      description: 'The amount that the split has released, in base units.',
      resolve: (share) => share.released,
    }),
    display: t.string({
      nullable: true,
      description: 'The amount owed in whole tokens; null until the payment is final.',
      resolve: (share, _args, context) => displayOwed(context, share),
    }),
    settledAt: t.field({
      type: 'Millis',
      nullable: true,
      description: 'When the chain showed that the whole share was released.',
      resolve: (share) => share.settledAt,
    }),
    transactionHash: t.field({
      type: 'Hex',
      nullable: true,
      description: 'The transaction of the release, if the server sent it.',
      resolve: (share) => share.transactionHash,
    }),
    selfRelease: t.exposeBoolean('selfRelease', {
      pages: [],
      description:
        'Whether the recipient must release its share itself: its contract needs more gas than the server spends on a release.',
    }),
    transactionUrl: t.string({
      nullable: true,
      description: 'The release in the chain’s block explorer, if one is known.',
      resolve: ({ transactionHash, chainId }) => transactionUrl(chainId, transactionHash),
    }),
  }),
});

const sharesOf = perReceipt<ShareView[]>('shares', ({ db }, merchant, ids) => readShares(db, merchant, ids));

builder.objectFields(ReceiptRef, (t) => ({
  settlement: t.field({
    pages: RECEIPT_PAGES,
    type: [ShareType],
    description:
      'Each recipient’s share of the payment: the amount owed and the amount released. Empty until the payment is final.',
    resolve: (receipt, _args, context) => sharesOf(context, receipt),
  }),
}));

const StatusEnum = vocabulary('SplitTransactionStatus', 'The status of a payment that a split has received.', {
  pending: 'Some share is not released yet.',
  completed: 'Every payee has its share.',
} satisfies Record<SplitTransaction['status'], string>);

const SplitTransactionType = builder.objectRef<SplitTransaction>('SplitTransaction').implement({
  description: 'A payment for a receipt that a split has received.',
  authScopes: { scope: 'split:read', may: 'split:read' },
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of this payment.' }),
    receiptId: t.exposeID('receiptId', { description: 'The receipt it pays.' }),
    amount: t.exposeFloat('amount', {
      nullable: true,
      description:
        'The amount in whole units of the token; null if the server does not accept this token on this chain any more.',
    }),
    currency: t.exposeString('currency', { description: "The token's symbol." }),
    status: t.expose('status', {
      type: StatusEnum,
      description: '`pending`, or `completed` once every payee has its share.',
    }),
    timestamp: t.exposeString('timestamp', { description: "The block's time, ISO 8601." }),
    transactionHash: t.expose('transactionHash', { type: 'Hex', description: 'The transaction of the payment.' }),
    fees: t.exposeFloat('fees', {
      nullable: true,
      description: "The platform's share, in whole units of the token; null like `amount`.",
    }),
  }),
});

builder.queryFields((t) => ({
  splitTransactions: t.connection(
    {
      type: SplitTransactionType,
      description: "Payments for receipts that the caller's own splits have received, newest first.",
      authScopes: { scope: 'split:read', may: 'split:read' },
      complexity: costOfPage,
      args: {
        address: t.arg.string({
          description:
            'Only payments to this split, payments that this recipient has a share of, or those that arrived at this address of a receipt.',
        }),
        receiptAddresses: t.arg.boolean({
          description: 'Whether `address` may be the address of a receipt. Default: true.',
        }),
      },
      resolve: (_, { address, receiptAddresses, ...page }, ctx) =>
        connect(
          page,
          listSplitTransactions(ctx, merchantOf(ctx.caller), parseTransactionQuery({ address, receiptAddresses })),
        ),
    },
    ...connectionTypes('SplitTransaction', 'payments to splits'),
  ),
}));
