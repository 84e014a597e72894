import type { Language } from '../../../base/core/messages/languages.ts';
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

/** What is said of a shop, on its pages and in its files. */
interface ShopProfile {
  /** The name shown to buyers; null: the one given at registration. */
  name: string | null;
  /** How buyers reach it. */
  contactEmail: string | null;
  contactPhone: string | null;
  contactUrl: string | null;
  /** The lines of its postal address. */
  address: string | null;
  /** The number under which it pays tax, as it is printed on receipts. */
  taxId: string | null;
  /** Its time zone (IANA): that of the days of its statistics, and of the files which the console exports. */
  timeZone: string;
  language: Language;
  /** Where answers to its messages go; null: to `contactEmail`. */
  replyTo: string | null;
}

/** Who bears the processing fee: it is added to the prices, or contained in them. */
export const FEE_BEARERS = {
  buyer: 'The fee is added to subtotal and tax.',
  shop: 'The prices contain fee and tax: their sum is the total.',
} as const;
export type FeeBearer = keyof typeof FEE_BEARERS;

/** A merchant's public information, and the fee it adds. */
export interface ShopConfig extends ShopProfile {
  description: string | null;
  bio: string | null;
  theme: ShopTheme;
  arrangement: string | null;
  xpPerDollar: number;
  slug: string | null;
  links: { label: string; url: string }[];
  /** The merchant's add-on to the platform's base fee, in basis points. */
  processingFeeBps: number;
  feeBorneBy: FeeBearer;
  /** Whether the prices of the catalog, and amounts at the till, contain the tax. */
  pricesIncludeTax: boolean;
  setupComplete: boolean;
  /** Whether scripts supplied with orders may run in the buyer's browser, in a sandbox, after payment. */
  postPaymentScripts: boolean;
  /** Whether buyers may renew expired receipts, at the current price. */
  allowRenewal: boolean;
  /** Whether buyers may turn an expired order into a new one, at today's prices. */
  newRequests: boolean;
  /** The origins whose pages may show the payment page in a frame. */
  embedOrigins: readonly string[];
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
  contactEmail: null,
  contactPhone: null,
  contactUrl: null,
  address: null,
  taxId: null,
  timeZone: 'UTC',
  language: 'en',
  replyTo: null,
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
  feeBorneBy: 'buyer',
  pricesIncludeTax: false,
  setupComplete: false,
  postPaymentScripts: false,
  allowRenewal: false,
  newRequests: true,
  embedOrigins: [],
  holdStock: false,
  lateHours: 24,
  toleranceBps: 0,
  toleranceCents: 0,
  gasless: true,
  paymentTokens: null,
  updatedAt: null,
};
