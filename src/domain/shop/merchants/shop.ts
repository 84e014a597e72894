import type { Choice } from './chosen-tokens.ts';

/** The platform's base processing fee: 0.5 %. */
export const BASE_FEE_BPS = 50;

/** The look of a merchant's pages. Colours are CSS hex colours. */
export interface ShopTheme {
  primaryColor: string | null;
  secondaryColor: string | null;
  textColor: string | null;
  accentColor: string | null;
  brandLogoUrl: string | null;
  coverPhotoUrl: string | null;
  fontFamily: string | null;
  logoShape: string | null;
  heroFontSize: string | null;
}

/** A merchant's public information, and the fee it adds. */
export interface ShopConfig {
  name: string | null;
  description: string | null;
  bio: string | null;
  theme: ShopTheme;
  arrangement: string | null;
  xpPerDollar: number;
  slug: string | null;
  links: { label: string; url: string }[];
  /** The merchant's add-on to the platform's base fee, in basis points. */
  processingFeeBps: number;
  setupComplete: boolean;
  /** Whether scripts supplied with orders may run in the buyer's browser, in a sandbox, after payment. */
  postPaymentScripts: boolean;
  /** Whether buyers may renew expired receipts, at the current price. */
  allowRenewal: boolean;
  /** Whether unpaid receipts hold the stock of their items. */
  holdStock: boolean;
  /** For how long after a receipt has ended money still pays it, in hours. */
  lateHours: number;
  /** How much of a receipt's total may be missing, in basis points and in US cents; the smaller amount counts. */
  toleranceBps: number;
  toleranceCents: number;
  /** Whether buyers may pay with a signature, so that the operator pays the gas. */
  gasless: boolean;
  /** What buyers may pay in. */
  paymentTokens: Choice;
  /** Epoch ms; null if it was never written. */
  updatedAt: number | null;
}

export const DEFAULT_SHOP: ShopConfig = {
  name: null,
  description: null,
  bio: null,
  theme: {
    primaryColor: null,
    secondaryColor: null,
    textColor: null,
    accentColor: null,
    brandLogoUrl: null,
    coverPhotoUrl: null,
    fontFamily: null,
    logoShape: null,
    heroFontSize: null,
  },
  arrangement: null,
  xpPerDollar: 0,
  slug: null,
  links: [],
  processingFeeBps: 0,
  setupComplete: false,
  postPaymentScripts: false,
  allowRenewal: false,
  holdStock: false,
  lateHours: 24,
  toleranceBps: 0,
  toleranceCents: 0,
  gasless: true,
  paymentTokens: null,
  updatedAt: null,
};
