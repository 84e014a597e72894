import type { SellingShopQuery } from '../generated/selling.ts';

/** A part of a sale, in cents of its currency. */
export interface Typed {
  readonly cents: number;
  readonly taxable: boolean;
}

type Rules = Pick<SellingShopQuery, 'shopConfig' | 'siteConfig'>;

/** `cents × rate`, rounded half up. A rate has at most nine decimals. */
function partOf(cents: number, rate: number): number {
  const parts = 1_000_000_000n;
  return Number((2n * BigInt(cents) * BigInt(Math.round(rate * 1e9)) + parts) / (2n * parts));
}

/** The fee of the platform and of the shop, 0 to 1. */
export const feeRate = ({ shopConfig, siteConfig }: Rules): number =>
  Math.round((shopConfig.processingFeePct + siteConfig.processingFeePct) * 100) / 10_000;

/** What the buyer is charged for what is typed, in cents: by the rules by which the server prices an order. */
export function chargedCents(shop: Rules, typed: readonly Typed[], taxRate: number): number {
  const sum = (parts: readonly Typed[]) => parts.reduce((all, { cents }) => all + cents, 0);
  const { feeBorneBy, pricesIncludeTax } = shop.shopConfig;
  const all = sum(typed);
  if (feeBorneBy === 'shop') return all;
  const taxed = all + (pricesIncludeTax ? 0 : partOf(sum(typed.filter(({ taxable }) => taxable)), taxRate));
  return taxed + partOf(taxed, feeRate(shop));
}
