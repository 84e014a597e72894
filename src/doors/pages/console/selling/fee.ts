import { moneyText } from '../client/money-text.ts';
import type { SellingShopQuery } from '../generated/selling.ts';
import { words } from '../shared/words.ts';
import { chargedCents, feeRate, type Typed } from './charged.ts';
import { rateText } from './tax.tsx';

/** Says that the buyer pays a processing fee beside the amount; empty if there is none. */
export function feeText(shop: SellingShopQuery): string {
  const rate = feeRate(shop);
  return rate > 0 && shop.shopConfig.feeBorneBy === 'buyer' ? words.selling.withFee({ rate: rateText(rate) }) : '';
}

/** Says what the buyer is charged; empty before something is typed. */
export function chargedText(shop: SellingShopQuery, typed: readonly Typed[], taxRate = 0, currency?: string): string {
  const cents = chargedCents(shop, typed, taxRate);
  return cents > 0
    ? words.selling.charged({ amount: moneyText(cents / 100, currency ?? shop.pricingConfig.nativeCurrency) })
    : '';
}
