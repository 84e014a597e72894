/** How a merchant prices by the minute, and in which currency it keeps its catalog. */
export interface PricingConfig {
  readonly nativeCurrency: 'USD' | 'EUR';
  readonly ethPer2Min: number | null;
  readonly minMinutes: number | null;
  readonly discountRules: readonly { readonly minMinutes: number; readonly discountPct: number }[];
  /** Epoch ms; null until it was first written. */
  readonly updatedAt: number | null;
}

export const DEFAULT_PRICING: PricingConfig = {
  nativeCurrency: 'USD',
  ethPer2Min: null,
  minMinutes: null,
  discountRules: [],
  updatedAt: null,
};
