import DataLoader from 'dataloader';
import { usdFromCents } from '../../../base/core/money.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { type Context, loader } from '../../../base/graphql/context.ts';
import { RECEIPT_PAGES } from '../../../base/graphql/page-option.ts';
import { findItems } from '../../shop/catalog/find-items.ts';
import { lineThumb, MAX_LINE_THUMB, thumbAddress } from '../../shop/catalog/thumb.ts';
import type { ShownLine } from './read.ts';

export const ReceiptLine = builder.objectRef<ShownLine & { merchant: Wallet }>('ReceiptLine').implement({
  description: 'One line of a receipt. Lines add up to the total.',
  ...throughParent,
  fields: (t) => ({
    label: t.exposeString('label', { pages: RECEIPT_PAGES, description: 'The text of the line.' }),
    priceUsd: t.field({
      pages: RECEIPT_PAGES,
      type: 'Usd',
      description: 'The extended amount (unit price × quantity), in US dollars.',
      resolve: (line) => usdFromCents(line.priceCents),
    }),
    qty: t.int({
      pages: RECEIPT_PAGES,
      nullable: true,
      description: 'The quantity; null on lines that are not items.',
      resolve: (line) => line.qty ?? null,
    }),
    itemId: t.id({
      nullable: true,
      description: 'The inventory item; null on other lines.',
      resolve: (line) => line.itemId ?? null,
    }),
    sku: t.string({
      nullable: true,
      description: 'The SKU of the item; null on other lines.',
      resolve: (line) => line.sku ?? null,
    }),
    thumb: t.string({
      pages: RECEIPT_PAGES,
      nullable: true,
      description: `A small picture of the item as a data URI, a tile if it has none of at most ${MAX_LINE_THUMB} characters.`,
      resolve: async (line, _args, context) => {
        if (line.thumb || !line.itemId) return line.thumb ?? null;
        return lineThumb(await thumbs(context, line.merchant).load(line.itemId), line.label);
      },
    }),
    thumbUrl: t.string({
      pages: RECEIPT_PAGES,
      nullable: true,
      description: "The address of the item's picture; a data URI is served under `/images/`. Null where it has none.",
      resolve: async (line, _args, context) =>
        line.itemId
          ? thumbAddress(context.settings.baseUrl, await thumbs(context, line.merchant).load(line.itemId))
          : null,
    }),
  }),
});

const THUMBS = Symbol('thumbs');

/** Loads the pictures of all lines of one response in one query. */
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
