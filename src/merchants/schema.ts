import { merchantOf } from '../core/caller.ts';
import { usdFromCents } from '../core/money.ts';
import { builder, throughParent } from '../graphql/builder.ts';
import { countsAs } from '../graphql/rate.ts';
import { readShop, type ShopRecord } from './read-shop.ts';
import type { ShopTheme } from './shop.ts';
import { readSite, type SiteConfig, type SiteTheme } from './site.ts';
import { writeShop } from './write-shop.ts';

/** Basis points as the percentage that is shown: 150 → 1.5. Exact, as cents are. */
const pctFromBps = usdFromCents;

const ShopThemeType = builder.objectRef<ShopTheme>('ShopTheme').implement({
  ...throughParent,
  description: "How a merchant's pages look. Null: the platform's default.",
  fields: (t) => ({
    primaryColor: t.exposeString('primaryColor', { nullable: true, description: 'A CSS hex colour.' }),
    secondaryColor: t.exposeString('secondaryColor', { nullable: true, description: 'A CSS hex colour.' }),
    textColor: t.exposeString('textColor', { nullable: true, description: 'A CSS hex colour.' }),
    accentColor: t.exposeString('accentColor', { nullable: true, description: 'A CSS hex colour.' }),
    brandLogoUrl: t.exposeString('brandLogoUrl', { nullable: true, description: 'An https address or a data URI.' }),
    coverPhotoUrl: t.exposeString('coverPhotoUrl', { nullable: true, description: 'An https address or a data URI.' }),
    fontFamily: t.exposeString('fontFamily', { nullable: true, description: 'Font names, the first one first.' }),
    logoShape: t.exposeString('logoShape', {
      nullable: true,
      description: 'A word of the merchant’s for the logo’s frame.',
    }),
    heroFontSize: t.exposeString('heroFontSize', {
      nullable: true,
      description: 'A word of the merchant’s for the title’s size.',
    }),
  }),
});

const ShopLinkType = builder.objectRef<ShopRecord['links'][number]>('ShopLink').implement({
  ...throughParent,
  description: 'A link that the shop shows.',
  fields: (t) => ({
    label: t.exposeString('label', { description: 'Its text.' }),
    url: t.exposeString('url', { description: 'Where it leads: an https address.' }),
  }),
});

const ShopConfigType = builder.objectRef<ShopRecord>('ShopConfig').implement({
  description: 'What a merchant tells about itself, and the fee it adds.',
  authScopes: { $granted: 'shopConfig', scope: 'shop:read', admin: true },
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: true,
      description: 'What buyers see; null: the name it was registered under.',
    }),
    description: t.exposeString('description', { nullable: true, description: 'What the shop sells.' }),
    bio: t.exposeString('bio', { nullable: true, description: 'Who is behind it.' }),
    theme: t.expose('theme', { type: ShopThemeType, description: 'How its pages look.' }),
    arrangement: t.exposeString('arrangement', {
      nullable: true,
      description: 'A word of the merchant’s for the layout.',
    }),
    xpPerDollar: t.exposeFloat('xpPerDollar', { description: 'Points that a buyer earns for each dollar.' }),
    slug: t.exposeString('slug', { nullable: true, description: 'Lower-case letters, digits and hyphens.' }),
    links: t.expose('links', { type: [ShopLinkType], description: 'Links that the shop shows.' }),
    processingFeePct: t.float({
      description: "The merchant's add-on to the platform's fee of 0.5 %, in percent: 1.5 makes 2 % in all.",
      resolve: (shop) => pctFromBps(shop.processingFeeBps),
    }),
    setupComplete: t.exposeBoolean('setupComplete', { description: 'Whether the merchant is done setting it up.' }),
    postPaymentScripts: t.exposeBoolean('postPaymentScripts', {
      description:
        'Whether scripts that orders bring along (`onSuccess`) run in the buyer’s browser, in a sandbox, once paid. Off by default.',
    }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When the merchant was registered.' }),
    updatedAt: t.expose('updatedAt', { type: 'Millis', description: 'When this configuration was last written.' }),
  }),
});

const SiteThemeType = builder.objectRef<SiteTheme>('SiteTheme').implement({
  ...throughParent,
  description: 'How the site of a host looks.',
  fields: (t) => ({
    primaryColor: t.exposeString('primaryColor', { description: 'A CSS hex colour.' }),
    secondaryColor: t.exposeString('secondaryColor', { description: 'A CSS hex colour.' }),
    brandLogoUrl: t.exposeString('brandLogoUrl', { nullable: true, description: 'An https address or a data URI.' }),
    brandFaviconUrl: t.exposeString('brandFaviconUrl', {
      nullable: true,
      description: 'An https address or a data URI.',
    }),
    brandName: t.exposeString('brandName', { description: 'The name to show.' }),
    fontFamily: t.exposeString('fontFamily', { description: 'Font names, the first one first.' }),
    receiptBackgroundUrl: t.exposeString('receiptBackgroundUrl', {
      nullable: true,
      description: 'An https address or a data URI.',
    }),
  }),
});

const SiteConfigType = builder.objectRef<SiteConfig>('SiteConfig').implement({
  description: 'The defaults of the site that was asked, by its host.',
  authScopes: { public: true },
  fields: (t) => ({
    theme: t.expose('theme', { type: SiteThemeType, description: 'How it looks.' }),
    brandKey: t.exposeString('brandKey', { description: 'The key of the brand it shows.' }),
    processingFeePct: t.float({
      description: "The platform's part of the processing fee, in percent.",
      resolve: (site) => pctFromBps(site.processingFeeBps),
    }),
    defaultPaymentToken: t.exposeString('defaultPaymentToken', {
      nullable: true,
      description: 'The token that is offered first.',
    }),
    reserveRatios: t.expose('reserveRatios', {
      type: 'JSON',
      description: 'Which part of a reserve to keep in which token; adds up to 1.',
    }),
  }),
});

builder.queryFields((t) => ({
  shopConfig: t.field({
    type: ShopConfigType,
    description: "The caller's own shop.",
    authScopes: { scope: 'shop:read', admin: true },
    resolve: (_, _args, ctx) => readShop(ctx, merchantOf(ctx.caller)),
  }),
  siteConfig: t.field({
    type: SiteConfigType,
    description: 'The defaults of the site that was asked, by its host.',
    authScopes: { public: true },
    resolve: (_, _args, ctx) => readSite(ctx, ctx.request.host),
  }),
}));

const ShopThemeInput = builder.inputType('ShopThemeInput', {
  description: 'The parts of the theme to change; null clears one.',
  fields: (t) => ({
    primaryColor: t.string({ description: 'A CSS hex colour.' }),
    secondaryColor: t.string({ description: 'A CSS hex colour.' }),
    textColor: t.string({ description: 'A CSS hex colour.' }),
    accentColor: t.string({ description: 'A CSS hex colour.' }),
    brandLogoUrl: t.string({ description: 'An https address or a data URI.' }),
    coverPhotoUrl: t.string({ description: 'An https address or a data URI.' }),
    fontFamily: t.string({ description: 'Font names, the first one first.' }),
    logoShape: t.string({ description: 'A word for the logo’s frame.' }),
    heroFontSize: t.string({ description: 'A word for the title’s size.' }),
  }),
});

const ShopLinkInput = builder.inputType('ShopLinkInput', {
  description: 'A link for the shop to show.',
  fields: (t) => ({
    label: t.string({ required: true, description: 'Its text.' }),
    url: t.string({ required: true, description: 'An https address.' }),
  }),
});

const ShopConfigInput = builder.inputType('ShopConfigInput', {
  description: 'The parts of a shop to change: what is left out stays as it is, null clears.',
  fields: (t) => ({
    wallet: t.string({ description: "The caller's own merchant, where it is given at all." }),
    name: t.string({ description: 'What buyers see.' }),
    description: t.string({ description: 'What the shop sells.' }),
    bio: t.string({ description: 'Who is behind it.' }),
    theme: t.field({ type: ShopThemeInput, description: 'How its pages look, field by field.' }),
    arrangement: t.string({ description: 'A word for the layout.' }),
    xpPerDollar: t.float({ description: '0 to 1,000,000.' }),
    slug: t.string({ description: 'Lower-case letters, digits and hyphens.' }),
    links: t.field({ type: [ShopLinkInput], description: 'Replaces all links.' }),
    processingFeePct: t.float({ description: 'Percent, 0 to 20, at most two decimals.' }),
    setupComplete: t.boolean({ description: 'Whether the merchant is done setting it up.' }),
    postPaymentScripts: t.boolean({
      description: 'Whether scripts that orders bring along may run in the buyer’s browser, in a sandbox.',
    }),
  }),
});

builder.mutationFields((t) => ({
  updateShopConfig: t.field({
    ...countsAs('others'),
    type: ShopConfigType,
    description: "Changes parts of the caller's own shop.",
    authScopes: { adminWrite: true },
    grantScopes: ['shopConfig'],
    args: { input: t.arg({ type: ShopConfigInput, required: true, description: 'What to change.' }) },
    resolve: (_, { input }, ctx) => writeShop(ctx, merchantOf(ctx.caller), input),
  }),
}));
