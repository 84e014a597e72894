import DataLoader from 'dataloader';
import { usdFromCents } from '../../../base/core/money.ts';
import type { RateProvider } from '../../../base/core/rates.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { type Context, loader } from '../../../base/graphql/context.ts';
import { CurrencyEnum } from '../../../base/graphql/currency.ts';
import { RECEIPT_PAGES } from '../../../base/graphql/page-option.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { findItems } from '../../shop/catalog/find-items.ts';
import { lineThumb, MAX_LINE_THUMB, thumbAddress } from '../../shop/catalog/thumb.ts';
import type { ShownLine } from './read.ts';
import type { Pricing } from './receipt.entity.ts';

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
        const items = await findItems(context.db, merchant, ids);
        return ids.map((id) => items.get(id)?.thumb ?? null);
      }),
  );

const RateProviderEnum = vocabulary('RateProvider', 'The source of an exchange rate.', {
  static: 'Configured by the operator.',
  chainlink: 'A Chainlink price feed.',
  ecb: 'The daily reference rates of the European Central Bank.',
  par: 'One to one.',
} satisfies Record<RateProvider, string>);

const NativeLine = builder.objectRef<Pricing['originalLineItems'][number]>('NativeLine').implement({
  pages: RECEIPT_PAGES,
  description: 'One line in the currency of the receipt.',
  ...throughParent,
  fields: (t) => ({
    label: t.exposeString('label', { description: 'The text of the line.' }),
    amount: t.float({
      description: 'Extended amount (unit price × quantity) in major units.',
      resolve: (line) => usdFromCents(line.amountCents),
    }),
    qty: t.int({ nullable: true, description: 'The quantity; descriptive.', resolve: (line) => line.qty ?? null }),
  }),
});

export const PricingType = builder.objectRef<Pricing>('Pricing').implement({
  pages: RECEIPT_PAGES,
  description:
    'The amounts of a receipt in its own currency, if it is not US dollars, at the rate when it was created.',
  ...throughParent,
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'The version of this format: 1.' }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'The currency of the receipt, as in `EUR`.' }),
    usdPerUnit: t.float({
      description: 'US dollars for one unit of the currency.',
      resolve: (pricing) => Number(pricing.usdPerUnit),
    }),
    quotedAt: t.field({
      type: 'Millis',
      description: 'When the rate was quoted.',
      resolve: (pricing) => pricing.quotedAt,
    }),
    provider: t.expose('provider', { type: RateProviderEnum, description: 'The source of the rate.' }),
    originalTotal: t.float({
      description: 'The total in the native currency.',
      resolve: (pricing) => usdFromCents(pricing.originalTotalCents),
    }),
    originalLineItems: t.field({
      type: [NativeLine],
      description: 'The lines in the native currency.',
      resolve: (pricing) => [...pricing.originalLineItems],
    }),
  }),
});
