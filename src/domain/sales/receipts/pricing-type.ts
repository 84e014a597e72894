import { usdFromCents } from '../../../base/core/money.ts';
import type { RateProvider } from '../../../base/core/rates.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { CurrencyEnum } from '../../../base/graphql/currency.ts';
import { RECEIPT_PAGES } from '../../../base/graphql/page-option.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import type { Pricing } from './receipt.entity.ts';

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
