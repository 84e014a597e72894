import { pricingInput } from '../../../domain/shop/merchants/pricing.input.ts';
import { shopInput } from '../../../domain/shop/merchants/shop.input.ts';
import type { PricingConfigInput, ShopConfigInput } from '../generated/graphql.ts';
import {
  BillingBalanceDocument,
  PricingConfigDocument,
  ReserveBalancesDocument,
  ReserveRecommendDocument,
  ShopConfigDocument,
  SiteConfigDocument,
  TaxCatalogDocument,
  UpdatePricingConfigDocument,
  UpdateShopConfigDocument,
} from '../generated/graphql.ts';
import { pick, readsBody } from './reader.ts';
import { admin, open, type Route, route, scope } from './route.ts';

const SHOP_FIELDS = [
  'wallet',
  'name',
  'description',
  'bio',
  'theme',
  'arrangement',
  'xpPerDollar',
  'slug',
  'links',
  'processingFeePct',
  'setupComplete',
  'postPaymentScripts',
  'allowRenewal',
  'holdStock',
  'gasless',
  'paymentTokens',
  'lateHours',
  'tolerancePct',
  'toleranceUsd',
] as const satisfies readonly (keyof ShopConfigInput)[];

const THEME_FIELDS = [
  'primaryColor',
  'secondaryColor',
  'textColor',
  'accentColor',
  'brandLogoUrl',
  'coverPhotoUrl',
  'fontFamily',
  'logoShape',
  'heroFontSize',
] as const satisfies readonly (keyof NonNullable<ShopConfigInput['theme']>)[];

/** The body of `POST /api/shop/config`. */
const shopBody = readsBody(shopInput, (_, { body }): ShopConfigInput => {
  const picked = pick<ShopConfigInput>(body, SHOP_FIELDS);
  return {
    ...picked,
    ...(picked.theme ? { theme: pick<NonNullable<ShopConfigInput['theme']>>(picked.theme, THEME_FIELDS) } : {}),
    ...(picked.paymentTokens
      ? { paymentTokens: picked.paymentTokens.map(({ chainId, token }) => ({ chainId, token })) }
      : {}),
    ...(picked.links ? { links: picked.links.map(({ label, url }) => ({ label, url })) } : {}),
  };
});

/** The body of `POST /api/pricing/config`. */
const pricingBody = readsBody(pricingInput, (checked): PricingConfigInput => checked);

/** The merchant’s records: shop, site, pricing, billing, tax, reserve. */
export const merchantRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/shop/config',
    access: scope('shop:read'),
    summary: 'Read the shop',
    refuses: ['not_found'],
    operation: ShopConfigDocument,
    variables: () => ({}),
    answer: ({ shopConfig }) => ({ body: { config: shopConfig } }),
  }),
  route({
    method: 'POST',
    path: '/api/shop/config',
    access: admin,
    summary: 'Update the shop',
    detail: 'Omitted fields keep their values.',
    body: shopBody,
    refuses: ['invalid_wallet', 'not_found'],
    operation: UpdateShopConfigDocument,
    variables: ({ body }) => ({ input: body }),
    answer: ({ updateShopConfig }) => ({ body: { ok: true, config: updateShopConfig } }),
  }),
  route({
    method: 'GET',
    path: '/api/site/config',
    access: open,
    summary: 'Platform defaults',
    refuses: [],
    operation: SiteConfigDocument,
    variables: () => ({}),
    answer: ({ siteConfig }) => ({ body: siteConfig }),
  }),
  route({
    method: 'GET',
    path: '/api/pricing/config',
    access: scope('shop:read'),
    summary: 'Read pricing',
    refuses: ['not_found'],
    operation: PricingConfigDocument,
    variables: () => ({}),
    answer: ({ pricingConfig }) => ({ body: { config: pricingConfig } }),
  }),
  route({
    method: 'POST',
    path: '/api/pricing/config',
    access: admin,
    summary: 'Update pricing',
    detail: 'Omitted fields keep their values.',
    body: pricingBody,
    refuses: ['invalid_wallet', 'not_found'],
    operation: UpdatePricingConfigDocument,
    variables: ({ body }) => ({ input: body }),
    answer: ({ updatePricingConfig }) => ({ body: { ok: true, config: updatePricingConfig } }),
  }),
  route({
    method: 'GET',
    path: '/api/billing/balance',
    access: scope('shop:read'),
    summary: 'Read balances',
    detail: 'The balances and the current month’s usage.',
    refuses: ['chain_unavailable'],
    operation: BillingBalanceDocument,
    variables: () => ({}),
    answer: ({ billing }) => ({ body: billing }),
  }),
  route({
    method: 'GET',
    path: '/api/tax/catalog',
    access: scope('shop:read'),
    summary: 'List tax jurisdictions',
    refuses: [],
    operation: TaxCatalogDocument,
    variables: () => ({}),
    answer: ({ taxCatalog }) => ({ body: taxCatalog }),
  }),
  route({
    method: 'GET',
    path: '/api/reserve/balances',
    access: scope('shop:read'),
    summary: 'Read the refund reserve',
    refuses: ['chain_unavailable'],
    operation: ReserveBalancesDocument,
    variables: () => ({}),
    answer: ({ reserve }) => ({ body: reserve }),
  }),
  route({
    method: 'GET',
    path: '/api/reserve/recommend',
    access: scope('shop:read'),
    summary: 'Recommended refund reserve',
    detail: 'The recommended reserve for refunds.',
    refuses: ['chain_unavailable'],
    operation: ReserveRecommendDocument,
    variables: () => ({}),
    answer: ({ reserveAdvice }) => ({ body: reserveAdvice }),
  }),
];
