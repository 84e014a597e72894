import DataLoader from 'dataloader';
import { findItems } from '../catalog/find-items.ts';
import { lineThumb } from '../catalog/thumb.ts';
import { usdFromCents } from '../core/money.ts';
import type { Wallet } from '../core/wallet.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { type Context, loader } from '../graphql/context.ts';
import { RECEIPT_PAGES } from '../graphql/page-option.ts';
import type { ShownLine } from './read.ts';

export const ReceiptLine = builder.objectRef<ShownLine & { merchant: Wallet }>('ReceiptLine').implement({
  description: 'One line of a receipt. Lines add up to the total.',
  ...throughParent,
  fields: (t) => ({
    label: t.exposeString('label', { pages: RECEIPT_PAGES, description: 'What it is.' }),
    priceUsd: t.field({
      pages: RECEIPT_PAGES,
      type: 'Usd',
      description: 'The extended amount (unit price × quantity), in US dollars.',
      resolve: (line) => usdFromCents(line.priceCents),
    }),
    qty: t.int({
      pages: RECEIPT_PAGES,
      nullable: true,
      description: 'How many; null on lines that are no items.',
      resolve: (line) => line.qty ?? null,
    }),
    itemId: t.string({
      nullable: true,
      description: 'The inventory item, on item lines.',
      resolve: (line) => line.itemId ?? null,
    }),
    sku: t.string({
      nullable: true,
      description: "The item's SKU, on item lines.",
      resolve: (line) => line.sku ?? null,
    }),
    thumb: t.string({
      pages: RECEIPT_PAGES,
      nullable: true,
      description: 'A small picture as a data URI, on item lines.',
      resolve: async (line, _args, context) => {
        if (line.thumb || !line.itemId) return line.thumb ?? null;
        return lineThumb(await thumbs(context, line.merchant).load(line.itemId), line.label);
      },
    }),
  }),
});

const THUMBS = Symbol('thumbs');

/** The pictures of all lines of one answer in one read. */
const thumbs = (context: Context, merchant: Wallet) =>
  loader(
    context,
    THUMBS,
    () =>
      new DataLoader<string, string | null>(async (ids) => {
        const items = await findItems(context, merchant, ids);
        return ids.map((id) => items.get(id)?.thumb ?? null);
      }),
  );
