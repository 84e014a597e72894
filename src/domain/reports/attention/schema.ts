import { merchantOf } from '../../../base/core/caller.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { LOW_STOCK } from '../../shop/catalog/item-filter.ts';
import { configuredRates } from '../../shop/fx/usd-per-token.ts';
import { type Attention, LATEST_DELIVERIES, MOST_COUNTED, readAttention } from './read-attention.ts';

const AttentionType = builder.objectRef<Attention>('Attention').implement({
  description: `What needs the merchant, as numbers. Counting ends at ${MOST_COUNTED}.`,
  authScopes: { may: 'receipts:read' },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: (_own, _args, { caller }) => globalId('Attention', merchantOf(caller)),
    }),
    unmatchedTransfers: t.exposeInt('unmatchedTransfers', {
      description: 'Transfers that pay no receipt, as `unmatchedTransfers(state: open)` lists them.',
    }),
    receipts: t.exposeInt('receipts', {
      description:
        'Receipts with a wrong amount, that have ended with money of their buyer, with items sold beyond the stock, or with an open refund, as `receipts(filter: { needsAttention: true })` lists them.',
    }),
    refunds: t.exposeInt('refunds', {
      description: 'Requested refunds that a person sends or declines, as `refunds(state: requested)` lists them.',
    }),
    failedDeliveries: t.exposeInt('failedDeliveries', {
      description: `Failed webhook deliveries among the latest ${LATEST_DELIVERIES.toLocaleString('en')}.`,
    }),
    pastDueSubscriptions: t.exposeInt('pastDueSubscriptions', {
      description: 'Subscriptions whose last charge failed.',
    }),
    takesNothing: t.exposeBoolean('takesNothing', {
      description:
        'Whether buyers can pay in nothing: the server does not accept any of the tokens that the merchant has chosen, or payments in them are paused.',
    }),
    suspendedAt: t.expose('suspendedAt', {
      type: 'Millis',
      nullable: true,
      description: 'Since when the operator suspends the merchant, so that buyers cannot pay; null if it does not.',
    }),
    lowStock: t.exposeInt('lowStock', {
      description: `Items of limited stock with at most ${LOW_STOCK} pieces left, as \`inventory(stock: low)\` lists them.`,
    }),
  }),
});

builder.queryField('attention', (t) =>
  t.field({
    type: AttentionType,
    description: 'What needs the merchant. Receipts of the last second may be missing.',
    authScopes: { may: 'receipts:read' },
    resolve: (_root, _args, context) =>
      readAttention({ ...context, readRate: configuredRates(context) }, merchantOf(context.caller)),
  }),
);
