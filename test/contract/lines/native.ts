import type { ContractSection } from './section.ts';

export const native: ContractSection = {
  name: 'native',
  title: 'Native currency',
  lines: {
    order: 'Items with `price` and `currency: EUR` create an order with `currency: EUR`, with `taxRate` if it is given',
    converted: '`totalUsd` and `lineItems[].priceUsd` are US dollars, converted',
    pricing: '`pricing`: `version`, `currency`, `usdPerUnit`, `quotedAt`, `provider`',
    original: '`pricing.originalTotal` and `pricing.originalLineItems`: the native values',
    'fee-unchanged': 'Fee and split do not depend on the currency',
    'buyer-unchanged': 'The currency affects neither the buyer’s region nor the checks of the buyer',
    'onramp-amount': 'The provider gets the source amount including the fee; only the USDC that arrives counts',
    'rate-missing': 'No exchange rate: 503, and nothing is created',
  },
};
