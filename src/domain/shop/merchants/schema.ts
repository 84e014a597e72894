import { merchantOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import type { ChosenToken } from './chosen-tokens.ts';
import { readShopConfig } from './read-config.ts';
import type { ShopRecord } from './read-shop.ts';
import { MAX_EMBED_ORIGINS, profileInput, shopSettingsInput } from './shop.input.ts';
import { FEE_BEARERS, type ShopTheme } from './shop.ts';
import { readSite, type SiteConfig, type SiteTheme } from './site.ts';
import { writeProfile, writeShop } from './write-shop.ts';

/** Converts basis points to percent: 150 → 1.5. Exact, like cents to dollars. */
const pctFromBps = usdFromCents;

const ShopThemeType = builder.objectRef<ShopTheme>('ShopTheme').implement({
  ...throughParent,
  description: "How a merchant's pages look. A field without a value has the platform's default.",
  fields: (t) => ({
    primaryColor: t.exposeString('primaryColor', { nullable: true, description: 'A CSS hex colour.' }),
    secondaryColor: t.exposeString('secondaryColor', { nullable: true, description: 'A CSS hex colour.' }),
    textColor: t.exposeString('textColor', { nullable: true, description: 'A CSS hex colour.' }),
    accentColor: t.exposeString('accentColor', { nullable: true, description: 'A CSS hex colour.' }),
    brandLogoUrl: t.exposeString('brandLogoUrl', { nullable: true, description: 'An https address or a data URI.' }),
    coverPhotoUrl: t.exposeString('coverPhotoUrl', { nullable: true, description: 'An https address or a data URI.' }),
    fontFamily: t.exposeString('fontFamily', { nullable: true, description: 'Font names, in order of preference.' }),
    logoShape: t.exposeString('logoShape', {
      nullable: true,
      description: 'The merchant’s keyword for the logo’s frame.',
    }),
    heroFontSize: t.exposeString('heroFontSize', {
      nullable: true,
      description: 'The merchant’s keyword for the title’s size.',
    }),
  }),
});

const ShopLinkType = builder.objectRef<ShopRecord['links'][number]>('ShopLink').implement({
  ...throughParent,
  description: 'A link that the shop shows.',
  fields: (t) => ({
    label: t.exposeString('label', { description: 'The text of the link.' }),
    url: t.exposeString('url', { description: 'The target of the link, an https address.' }),
  }),
});

export const ChosenTokenType = builder.objectRef<ChosenToken>('ChosenToken').implement({
  ...throughParent,
  description: 'A token on a chain that a merchant takes.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'SafeInt', description: 'The chain (EIP-155).' }),
    token: t.exposeString('token', { description: 'The symbol, for example `USDC`.' }),
  }),
});

const FeeBearerEnum = vocabulary('FeeBearer', 'Who bears the processing fee.', FEE_BEARERS);

const ShopProfileType = builder.objectRef<ShopRecord>('ShopProfile').implement({
  ...throughParent,
  description: 'What is said of a shop: on its pages, in its receipts and files.',
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name shown to buyers; null: the name given at registration.',
    }),
    contactEmail: t.exposeString('contactEmail', { nullable: true, description: 'Where buyers write to.' }),
    contactPhone: t.exposeString('contactPhone', { nullable: true, description: 'Where buyers call.' }),
    contactUrl: t.exposeString('contactUrl', { nullable: true, description: 'A page for buyers with questions.' }),
    address: t.exposeString('address', { nullable: true, description: 'The lines of the postal address.' }),
    taxId: t.exposeString('taxId', { nullable: true, description: 'The tax number on printed receipts.' }),
    timeZone: t.exposeString('timeZone', {
      description:
        'The time zone (IANA) of the shop: that of the days of its statistics, and of exports of the console.',
    }),
    language: t.exposeString('language', { description: 'The language of the shop (BCP 47).' }),
    replyTo: t.exposeString('replyTo', {
      nullable: true,
      description: 'Where answers to its messages go; null: to `contactEmail`.',
    }),
  }),
});

export const ShopConfigType = builder.objectRef<ShopRecord>('ShopConfig').implement({
  description: 'A merchant’s public information and processing fee.',
  authScopes: { $granted: 'shopConfig', scope: 'shop:read', may: 'shop:read' },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: (_own, _args, { caller }) => globalId('ShopConfig', merchantOf(caller)),
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name shown to buyers; null: the name given at registration.',
    }),
    profile: t.field({
      type: ShopProfileType,
      description: 'What is said of the shop.',
      resolve: (shop) => shop,
    }),
    description: t.exposeString('description', { nullable: true, description: 'What the shop sells.' }),
    bio: t.exposeString('bio', { nullable: true, description: 'About the people behind the shop.' }),
    theme: t.expose('theme', { type: ShopThemeType, description: 'The look of its pages.' }),
    arrangement: t.exposeString('arrangement', {
      nullable: true,
      description: 'The merchant’s keyword for the layout.',
    }),
    xpPerDollar: t.exposeFloat('xpPerDollar', { description: 'Points that a buyer earns for each dollar.' }),
    slug: t.exposeString('slug', { nullable: true, description: 'Lower-case letters, digits and hyphens.' }),
    links: t.expose('links', { type: [ShopLinkType], description: 'Links that the shop shows.' }),
    processingFeePct: t.float({
      description: "The merchant's add-on to the platform's fee of 0.5 %, in percent: 1.5 results in 2 % in total.",
      resolve: (shop) => pctFromBps(shop.processingFeeBps),
    }),
    feeBorneBy: t.expose('feeBorneBy', {
      type: FeeBearerEnum,
      description: 'Who bears the processing fee. `buyer` by default.',
    }),
    pricesIncludeTax: t.exposeBoolean('pricesIncludeTax', {
      description: 'Whether prices contain the tax. Off by default.',
    }),
    newRequests: t.exposeBoolean('newRequests', {
      description: 'Whether buyers may turn an expired order into a new one, at today’s prices. On by default.',
    }),
    embedOrigins: t.exposeStringList('embedOrigins', {
      description: 'The origins whose pages may show the payment page in a frame. None by default.',
    }),
    setupComplete: t.exposeBoolean('setupComplete', { description: 'Whether the merchant has completed the setup.' }),
    postPaymentScripts: t.exposeBoolean('postPaymentScripts', {
      description:
        'Whether scripts supplied with orders (`onSuccess`) run in the buyer’s browser, in a sandbox, after payment. Off by default.',
    }),
    allowRenewal: t.exposeBoolean('allowRenewal', {
      description: 'Whether buyers may renew expired receipts, at the current price. Off by default.',
    }),
    gasless: t.exposeBoolean('gasless', {
      description: 'Whether buyers may pay with a signature, so that the operator pays the gas.',
    }),
    paymentTokens: t.field({
      type: [ChosenTokenType],
      nullable: true,
      description:
        'What buyers may pay in, most preferred first. Null: every token of every chain, also of those that are added later.',
      resolve: ({ paymentTokens }) => paymentTokens && [...paymentTokens],
    }),
    holdStock: t.exposeBoolean('holdStock', {
      description: 'Whether orders hold the stock of their items until they are paid or end. Off by default.',
    }),
    lateHours: t.exposeInt('lateHours', {
      description: 'For how many hours after a receipt has expired money still pays it. 24 by default.',
    }),
    tolerancePct: t.float({
      description:
        'How much of a receipt’s total may be missing from its payment, in percent. `toleranceUsd` limits it too; the smaller amount counts. 0 by default.',
      resolve: (shop) => pctFromBps(shop.toleranceBps),
    }),
    toleranceUsd: t.field({
      type: 'Usd',
      description: 'How much may be missing from a payment. `tolerancePct` limits it too. 0 by default.',
      resolve: (shop) => usdFromCents(shop.toleranceCents),
    }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When the merchant was registered.' }),
    updatedAt: t.expose('updatedAt', { type: 'Millis', description: 'When this configuration was last changed.' }),
  }),
});

const SiteThemeType = builder.objectRef<SiteTheme>('SiteTheme').implement({
  ...throughParent,
  description: 'The look of a host’s site.',
  fields: (t) => ({
    primaryColor: t.exposeString('primaryColor', { description: 'A CSS hex colour.' }),
    secondaryColor: t.exposeString('secondaryColor', { description: 'A CSS hex colour.' }),
    brandLogoUrl: t.exposeString('brandLogoUrl', { nullable: true, description: 'An https address or a data URI.' }),
    brandFaviconUrl: t.exposeString('brandFaviconUrl', {
      nullable: true,
      description: 'An https address or a data URI.',
    }),
    brandName: t.exposeString('brandName', { description: 'The name to show.' }),
    fontFamily: t.exposeString('fontFamily', { description: 'Font names, in order of preference.' }),
    receiptBackgroundUrl: t.exposeString('receiptBackgroundUrl', {
      nullable: true,
      description: 'An https address or a data URI.',
    }),
  }),
});

const SiteConfigType = builder.objectRef<SiteConfig>('SiteConfig').implement({
  description: 'The defaults of the site, by the request’s host.',
  authScopes: { public: true },
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: ({ brandKey }) => globalId('SiteConfig', brandKey) }),
    theme: t.expose('theme', { type: SiteThemeType, description: 'The look of the site.' }),
    brandKey: t.exposeString('brandKey', { description: 'The key of the site’s brand.' }),
    processingFeePct: t.float({
      description: "The platform's part of the processing fee, in percent.",
      resolve: (site) => pctFromBps(site.processingFeeBps),
    }),
    defaultPaymentToken: t.exposeString('defaultPaymentToken', {
      nullable: true,
      description: 'The token offered first.',
    }),
    reserveRatios: t.expose('reserveRatios', {
      type: 'JSON',
      description: 'The share of a reserve to hold in each token. The shares add up to 1.',
    }),
  }),
});

builder.queryFields((t) => ({
  shopConfig: t.field({
    type: ShopConfigType,
    description: "The caller's own shop.",
    authScopes: { scope: 'shop:read', may: 'shop:read' },
    resolve: (_, _args, ctx) => readShopConfig(ctx, merchantOf(ctx.caller)),
  }),
  siteConfig: t.field({
    type: SiteConfigType,
    description: 'The defaults of the site, by the request’s host.',
    authScopes: { public: true },
    resolve: (_, _args, ctx) => readSite(ctx.db, ctx.settings, ctx.request.host),
  }),
}));

const ShopThemeInput = builder.inputType('ShopThemeInput', {
  description: 'The theme fields to change; null clears a field.',
  fields: (t) => ({
    primaryColor: t.string({ description: 'A CSS hex colour.' }),
    secondaryColor: t.string({ description: 'A CSS hex colour.' }),
    textColor: t.string({ description: 'A CSS hex colour.' }),
    accentColor: t.string({ description: 'A CSS hex colour.' }),
    brandLogoUrl: t.string({ description: 'An https address or a data URI.' }),
    coverPhotoUrl: t.string({ description: 'An https address or a data URI.' }),
    fontFamily: t.string({ description: 'Font names, in order of preference.' }),
    logoShape: t.string({ description: 'A keyword for the logo’s frame.' }),
    heroFontSize: t.string({ description: 'A keyword for the title’s size.' }),
  }),
});

const ShopLinkInput = builder.inputType('ShopLinkInput', {
  description: 'A link for the shop to show.',
  fields: (t) => ({
    label: t.string({ required: true, description: 'The text of the link.' }),
    url: t.string({ required: true, description: 'An https address.' }),
  }),
});

export const ChosenTokenInput = builder.inputType('ChosenTokenInput', {
  description: 'A token on a chain that buyers may pay in.',
  fields: (t) => ({
    chainId: t.field({ type: 'SafeInt', required: true, description: 'A chain of the server (EIP-155).' }),
    token: t.string({ required: true, description: 'The symbol of a token of this chain.' }),
  }),
});

const ShopConfigInput = builder.inputType('ShopConfigInput', {
  description: 'The fields to change. Omitted fields keep their values; null clears a field.',
  fields: (t) => ({
    wallet: t.string({ description: "Optional; must be the caller's own merchant." }),
    name: t.string({ description: 'The name shown to buyers.' }),
    description: t.string({ description: 'What the shop sells.' }),
    bio: t.string({ description: 'About the people behind the shop.' }),
    theme: t.field({ type: ShopThemeInput, description: 'The look of its pages. Omitted fields keep their values.' }),
    arrangement: t.string({ description: 'A keyword for the layout.' }),
    xpPerDollar: t.float({ description: '0 to 1,000,000.' }),
    slug: t.string({ description: 'Lower-case letters, digits and hyphens.' }),
    links: t.field({ type: [ShopLinkInput], description: 'Replaces all links.' }),
    processingFeePct: t.float({ description: 'Percent, 0 to 20, at most two decimals.' }),
    feeBorneBy: t.field({ type: FeeBearerEnum, description: 'Who bears the processing fee.' }),
    pricesIncludeTax: t.boolean({ description: 'Whether prices contain the tax.' }),
    newRequests: t.boolean({ description: 'Whether buyers may turn an expired order into a new one.' }),
    embedOrigins: t.stringList({
      description: `At most ${MAX_EMBED_ORIGINS} https origins, such as \`https://shop.example\`.`,
    }),
    setupComplete: t.boolean({ description: 'Whether the merchant has completed the setup.' }),
    postPaymentScripts: t.boolean({
      description: 'Whether scripts supplied with orders may run in the buyer’s browser, in a sandbox.',
    }),
    allowRenewal: t.boolean({ description: 'Whether buyers may renew expired receipts, at the current price.' }),
    gasless: t.boolean({
      description: 'Whether buyers may pay with a signature, so that the operator pays the gas.',
    }),
    paymentTokens: t.field({
      type: [ChosenTokenInput],
      description:
        'What buyers may pay in, most preferred first; null: everything. Money in other tokens and on other chains is listed as unmatched.',
    }),
    holdStock: t.boolean({ description: 'Whether orders hold the stock of their items until they are paid or end.' }),
    lateHours: t.int({ description: 'For how many hours after a receipt has expired money still pays it: 0 to 720.' }),
    tolerancePct: t.float({
      description: 'How much of a total may be missing, in percent: 0 to 10, at most two decimals.',
    }),
    toleranceUsd: t.field({
      type: 'Usd',
      description: 'How much may be missing, in US dollars: 0 to 1000, at most two decimals.',
    }),
  }),
});

const ShopProfileInput = builder.inputType('ShopProfileInput', {
  description: 'The fields to change. Omitted fields keep their values; null clears a text.',
  fields: (t) => ({
    name: t.string({ description: 'The name shown to buyers.' }),
    contactEmail: t.string({ description: 'Where buyers write to.' }),
    contactPhone: t.string({ description: 'Where buyers call.' }),
    contactUrl: t.string({ description: 'An https address.' }),
    address: t.string({ description: 'At most 8 lines.' }),
    taxId: t.string({ description: 'The tax number on printed receipts.' }),
    timeZone: t.string({ description: 'The IANA name of a time zone, such as `Europe/Berlin`.' }),
    language: t.string({ description: 'One of `en`, `de`, `fr`, `es`, `ar`.' }),
    replyTo: t.string({ description: 'Where answers to its messages go.' }),
  }),
});

builder.mutationFields((t) => ({
  updateShopProfile: t.field({
    ...audits('others', 'shop.changed'),
    type: ShopConfigType,
    description: "Changes what is said of the caller's own shop.",
    authScopes: { mayWrite: 'shop:write' },
    grantScopes: ['shopConfig'],
    args: { input: t.arg({ type: ShopProfileInput, required: true, description: 'What to change.' }) },
    resolve: (_, { input }, ctx) => writeProfile(ctx, merchantOf(ctx.caller), parseInput(profileInput, input)),
  }),
  updateShopConfig: t.field({
    ...audits('others', 'shop.changed'),
    type: ShopConfigType,
    description: "Updates the caller's own shop.",
    authScopes: { mayWrite: 'shop:write' },
    grantScopes: ['shopConfig'],
    args: { input: t.arg({ type: ShopConfigInput, required: true, description: 'What to change.' }) },
    resolve: (_, { input }, ctx) => writeShop(ctx, merchantOf(ctx.caller), parseInput(shopSettingsInput, input)),
  }),
}));
