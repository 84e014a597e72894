import { defaultToken } from '../chain/tokens.ts';
import type { Deps } from '../platform/deps.ts';
import { partnerHost } from '../platform/partner-hosts.ts';
import { statement } from '../platform/sql.ts';
import { BASE_FEE_BPS } from './settings.ts';
import type { ShopTheme } from './shop.ts';

/** The look of a site without a merchant. */
export interface SiteTheme {
  readonly primaryColor: string;
  readonly secondaryColor: string;
  readonly brandLogoUrl: string | null;
  readonly brandFaviconUrl: string | null;
  readonly brandName: string;
  readonly fontFamily: string;
  readonly receiptBackgroundUrl: string | null;
}

export interface SiteConfig {
  readonly theme: SiteTheme;
  readonly brandKey: string;
  /** The platform's base fee, in basis points. */
  readonly processingFeeBps: number;
  /** Symbol; null if the server accepts no token. */
  readonly defaultPaymentToken: string | null;
  /** The share of a reserve to hold in each token. The shares add up to 1. */
  readonly reserveRatios: Readonly<Record<string, number>>;
}

const PLATFORM_THEME: SiteTheme = {
  primaryColor: '#1f5eff',
  secondaryColor: '#0b1f4b',
  brandLogoUrl: null,
  brandFaviconUrl: null,
  brandName: 'Quittance',
  fontFamily: 'system',
  receiptBackgroundUrl: null,
};

/** A brand uses the theme of the first merchant registered under it. */
const BRAND = statement(
  'site-brand',
  `select coalesce(shop ->> 'name', name) as "brandName", shop -> 'theme' as theme
     from merchants where brand_key = $1 order by created_at, wallet limit 1`,
);

/** The site of a host: a partner's brand on the partner's host, else the platform's defaults. */
export async function readSite(deps: Pick<Deps, 'sql' | 'settings'>, host: string): Promise<SiteConfig> {
  const { settings } = deps;
  const partner = partnerHost(settings, host);
  const partnerBrand = partner === undefined ? null : (settings.partnerHosts.get(partner) ?? null);
  const brandKey = partnerBrand ?? settings.brandKey;
  const byDefault = defaultToken(settings.tokens)?.symbol ?? null;
  return {
    theme: brandKey === settings.brandKey ? PLATFORM_THEME : await brandTheme(deps, brandKey),
    brandKey,
    processingFeeBps: BASE_FEE_BPS,
    defaultPaymentToken: byDefault,
    reserveRatios: Object.fromEntries(settings.tokens.map(({ symbol }) => [symbol, symbol === byDefault ? 1 : 0])),
  };
}

async function brandTheme({ sql }: Pick<Deps, 'sql'>, brandKey: string): Promise<SiteTheme> {
  const [brand] = await sql.rows<{ brandName: string; theme: Partial<ShopTheme> | null }>(BRAND, [brandKey]);
  if (!brand) return { ...PLATFORM_THEME, brandName: brandKey };
  const { primaryColor, secondaryColor, brandLogoUrl, fontFamily, coverPhotoUrl } = brand.theme ?? {};
  return {
    primaryColor: primaryColor ?? PLATFORM_THEME.primaryColor,
    secondaryColor: secondaryColor ?? PLATFORM_THEME.secondaryColor,
    brandLogoUrl: brandLogoUrl ?? null,
    brandFaviconUrl: brandLogoUrl ?? null,
    brandName: brand.brandName,
    fontFamily: fontFamily ?? PLATFORM_THEME.fontFamily,
    receiptBackgroundUrl: coverPhotoUrl ?? null,
  };
}
