/** How a merchant's pages look. Colours are CSS hex colours. */
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

/** What a merchant tells about itself, and the fee it adds. */
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
  /** Whether scripts that orders bring along may run in the buyer's browser, in a sandbox, once they are paid. */
  postPaymentScripts: boolean;
  /** Epoch ms; null until it was first written. */
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
  updatedAt: null,
};
