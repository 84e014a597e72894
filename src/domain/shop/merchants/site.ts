import { sql } from 'kysely';
import { defaultToken } from '../../../base/chain/tokens.ts';
import { partnerHost } from '../../../base/platform/config/partner-hosts.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { brandName } from './find.ts';
import { BASE_FEE_BPS, type ShopTheme } from './shop.ts';

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
const BRAND = query(
  'site-brand',
  (db, $: { brandKey: string }) =>
    db
      .selectFrom('Merchant')
      .select((eb) => [
        brandName(eb.ref('shop'), eb.ref('name')).as('brandName'),
        sql<Partial<ShopTheme> | null>`${eb.ref('shop')} -> 'theme'`.as('theme'),
      ])
      .where('brandKey', '=', $.brandKey)
      .orderBy('createdAt')
      .orderBy('wallet')
      .limit(1),
  { computed: { brandName: 'text', theme: 'jsonb' } },
);

/** The site of a host: a partner's brand on the partner's host, else the platform's defaults. */
export async function readSite(db: Db, settings: Settings, host: string): Promise<SiteConfig> {
  const partner = partnerHost(settings, host);
  const partnerBrand = partner === undefined ? null : (settings.partnerHosts.get(partner) ?? null);
  const brandKey = partnerBrand ?? settings.brandKey;
  const byDefault = defaultToken(settings.tokens)?.symbol ?? null;
  return {
    theme: brandKey === settings.brandKey ? PLATFORM_THEME : await brandTheme(db, brandKey),
    brandKey,
    processingFeeBps: BASE_FEE_BPS,
    defaultPaymentToken: byDefault,
    reserveRatios: Object.fromEntries(settings.tokens.map(({ symbol }) => [symbol, symbol === byDefault ? 1 : 0])),
  };
}

async function brandTheme(db: Db, brandKey: string): Promise<SiteTheme> {
  const [brand] = await db.run(BRAND, { brandKey });
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
