import { usdFromCents } from '../core/money.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { RECEIPT_PAGES } from '../graphql/page-option.ts';
import type { Pricing } from './receipt.entity.ts';

const NativeLine = builder.objectRef<Pricing['originalLineItems'][number]>('NativeLine').implement({
  pages: RECEIPT_PAGES,
  description: 'One line in the currency that the receipt is denominated in.',
  ...throughParent,
  fields: (t) => ({
    label: t.exposeString('label'),
    amount: t.float({
      description: 'Extended amount in major units.',
      resolve: (line) => usdFromCents(line.amountCents),
    }),
    qty: t.int({ nullable: true, resolve: (line) => line.qty ?? null }),
  }),
});

export const PricingType = builder.objectRef<Pricing>('Pricing').implement({
  pages: RECEIPT_PAGES,
  description: 'The native valuation of a receipt that is not in US dollars, as it was when the receipt was made.',
  ...throughParent,
  fields: (t) => ({
    version: t.exposeInt('version'),
    currency: t.exposeString('currency'),
    usdPerUnit: t.float({
      description: 'US dollars for one unit of the currency.',
      resolve: (pricing) => Number(pricing.usdPerUnit),
    }),
    quotedAt: t.field({
      type: 'Millis',
      description: 'When the rate was quoted.',
      resolve: (pricing) => pricing.quotedAt,
    }),
    provider: t.exposeString('provider', { description: 'Where the rate came from.' }),
    originalTotal: t.float({
      description: 'The total in the native currency.',
      resolve: (pricing) => usdFromCents(pricing.originalTotalCents),
    }),
    originalLineItems: t.field({ type: [NativeLine], resolve: (pricing) => [...pricing.originalLineItems] }),
  }),
});
