import { z } from 'zod';
import { limitedTo, requirePermission } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import { CurrencyEnum, SortOrder, vocabulary } from '../../../base/graphql/vocabulary.ts';
import { ReceiptRef } from '../../sales/receipts/receipt-type.ts';
import { ReceiptStatusEnum } from '../../sales/receipts/status-types.ts';
import { merchantReadBy } from '../../shop/merchants/own-wallet.ts';
import type { ORIGINS } from './facets.ts';
import { ANY, isOpen, receiptFilter } from './filter.input.ts';
import { listCreated, listReceipts } from './list-receipts.ts';
import { NEWEST } from './order.ts';

const OriginEnum = vocabulary('ReceiptOrigin', 'How a receipt was created.', {
  order: 'By an order: items of the catalog, with tax and fee.',
  receipt: 'By a request with lines of its own.',
  terminal: 'At the till.',
  charge: 'By the charge of a subscription.',
} satisfies Record<(typeof ORIGINS)[number], string>);

const ReceiptFilterInput = builder.inputType('ReceiptFilter', {
  description:
    'Conditions on receipts; all that are given must hold. Both ends of a range are included. Changes of the last second may be missing.',
  fields: (t) => ({
    statuses: t.field({
      type: [ReceiptStatusEnum],
      description: 'One of these statuses, as in `Receipt.status`: `[paid, completed]`.',
    }),
    origin: t.field({ type: OriginEnum, description: 'How the receipt was created.' }),
    currency: t.field({ type: CurrencyEnum, description: 'The currency of the receipt: USD or EUR.' }),
    createdFrom: t.field({ type: 'Millis', description: 'Created at this time or later.' }),
    createdTo: t.field({ type: 'Millis', description: 'Created at this time or earlier.' }),
    paidFrom: t.field({ type: 'Millis', description: 'Paid at this time or later.' }),
    paidTo: t.field({ type: 'Millis', description: 'Paid at this time or earlier.' }),
    totalMin: t.field({ type: 'Usd', description: 'A total of at least this amount in US dollars.' }),
    totalMax: t.field({ type: 'Usd', description: 'A total of at most this amount in US dollars.' }),
    transactionId: t.id({ description: 'Exactly this reference of the merchant: `cart-1042`.' }),
    buyerEmail: t.string({ description: 'The buyer’s e-mail address, in any letter case.' }),
    buyerWallet: t.field({ type: 'Wallet', description: 'The wallet that paid, or that subscribed.' }),
    transactionHash: t.field({
      type: 'Hex',
      description: 'A transaction that pays or refunds the receipt, or that the buyer submitted for it.',
    }),
    sku: t.string({ description: 'Receipts with a line of exactly this SKU.' }),
    planId: t.id({ description: 'Charges of subscriptions to this plan.' }),
    subscriptionId: t.id({ description: 'Charges of this subscription.' }),
    needsAttention: t.boolean({
      description:
        'Receipts that the merchant should look at: the amount does not match, the receipt has ended with money of its buyer, items were sold beyond the stock, the payment is stuck, or a refund is open. False: the other receipts.',
    }),
    receiptIds: t.idList({ description: 'One of these receipts, at most 100.' }),
    q: t.string({
      description:
        'Words, all of which must match, in any letter case: each is a part (at least 3 characters) of the reference, e-mail address, name of the buyer, note or SKU, the beginning of a receipt id, wallet, transaction hash, plan or subscription, or the total, as in `26.81`. `%` and `_` have no special meaning.',
    }),
  }),
});

const ReceiptSort = builder.enumType('ReceiptSort', {
  description: 'What receipts are ordered by.',
  values: {
    createdAt: { description: 'By the time of creation.' },
    paidAt: { description: 'By the time of payment. Only receipts that were paid are listed.' },
    totalUsd: { description: 'By total.' },
  } as const,
});

const ReceiptOrderInput = builder.inputType('ReceiptOrder', {
  description: 'The order of receipts. Equal values are ordered by id.',
  fields: (t) => ({
    field: t.field({ type: ReceiptSort, description: 'Default: `createdAt`.' }),
    direction: t.field({ type: SortOrder, description: 'Default: `desc`.' }),
  }),
});

const filterArgument = z.object({ filter: receiptFilter });

builder.queryField('receipts', (t) =>
  t.connection(
    {
      type: ReceiptRef,
      description:
        'The merchant’s receipts, newest first by default. A cashier reads its own, without a filter, by creation.',
      authScopes: { scope: 'receipts:read', may: 'receipts:own', platform: true },
      complexity: costOfPage,
      args: {
        filter: t.arg({ type: ReceiptFilterInput, description: 'Default: all receipts.' }),
        orderBy: t.arg({ type: ReceiptOrderInput, description: 'Default: the newest first.' }),
        wallet: t.arg({
          type: 'Wallet',
          description: 'The merchant, named by platform admins. Default: the caller’s own.',
        }),
      },
      resolve: (_root, { filter, orderBy, wallet, ...page }, context) => {
        const merchant = merchantReadBy(context.caller, wallet as Wallet | null);
        const conditions = filter ? parseInput(filterArgument, { filter }).filter : ANY;
        const order = {
          field: orderBy?.field ?? NEWEST.field,
          direction: orderBy?.direction ?? NEWEST.direction,
        };
        const createdBy = limitedTo(context.caller);
        if (createdBy === null) return connect(page, listReceipts(context, merchant, conditions, order));
        if (!isOpen(conditions) || order.field !== 'createdAt') requirePermission(context.caller, 'receipts:read');
        return connect(page, listCreated(context.db, { merchant, createdBy }, order));
      },
    },
    ...connectionTypes('Receipt', 'receipts'),
  ),
);
