import type { Currency } from '../../../base/core/amount.ts';

/** A merchant's prices per minute, and the currency of its catalog. */
export interface PricingConfig {
  readonly nativeCurrency: Currency;
  readonly ethPer2Min: number | null;
  readonly minMinutes: number | null;
  readonly discountRules: readonly { readonly minMinutes: number; readonly discountPct: number }[];
  /** Epoch ms; null if it was never written. */
  readonly updatedAt: number | null;
}

export const DEFAULT_PRICING: PricingConfig = {
  nativeCurrency: 'USD',
  ethPer2Min: null,
  minMinutes: null,
  discountRules: [],
  updatedAt: null,
};
