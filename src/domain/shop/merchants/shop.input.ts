import { z } from 'zod';
import { amount, wholeNumber } from '../../../base/core/amount.ts';
import { fault, optional } from '../../../base/core/input.ts';
import { LANGUAGES } from '../../../base/core/messages/languages.ts';
import { description, email, label, text, wallet } from '../../../base/core/text.ts';
import { timeZoneOf } from '../../../base/core/time-zone.ts';
import { webUrl } from '../../../base/core/url.ts';
import { picture } from '../../../base/records/images/data-uri.ts';
import { FEE_BEARERS, type FeeBearer } from './shop.ts';

/** The largest fee add-on of a merchant, in basis points. */
const MAX_FEE_BPS = 2_000;

/** Undefined keeps the value; null or the empty string clears it. */
const clearable = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable()).optional();

const color = z
  .string({ error: 'must be a CSS hex colour such as #1a73e8' })
  .regex(/^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/, {
    error: 'must be a CSS hex colour such as #1a73e8',
  });

/** Characters that are safe within a CSS font-family value. */
const fontFamily = text(128).regex(/^[\p{L}\p{N} ,'_-]+$/u, { error: 'must be a list of font names' });

const theme = z.object({
  primaryColor: clearable(color),
  secondaryColor: clearable(color),
  textColor: clearable(color),
  accentColor: clearable(color),
  brandLogoUrl: clearable(picture),
  coverPhotoUrl: clearable(picture),
  fontFamily: clearable(fontFamily),
  logoShape: clearable(text(64)),
  heroFontSize: clearable(text(64)),
});

const link = z.object({ label, url: webUrl({ allowInsecure: false }) });

/** Percent from 0 to 20 with at most two decimals are whole basis points, as dollars are cents. */
const percentAsBps = amount(0, MAX_FEE_BPS);

/** The longest time that late money is accepted: 30 days. */
const MAX_LATE_HOURS = 720;
/** The largest tolerance: 10 % and 1,000 US dollars. */
const MAX_TOLERANCE_BPS = 1_000;
const MAX_TOLERANCE_CENTS = 100_000;

/** The largest choice of tokens: more than all chains of a server have together. */
const MAX_TOKENS = 200;

/** A choice of tokens, most preferred first. */
export const paymentTokens = z
  .array(
    z.object({
      chainId: wholeNumber(1, 2 ** 47),
      token: z.string({ error: 'must be the symbol of a token' }).max(16, { error: 'must be the symbol of a token' }),
    }),
  )
  .min(1, { error: 'must name a token; null takes all of them' })
  .max(MAX_TOKENS)
  .refine(
    (tokens) => new Set(tokens.map(({ chainId, token }) => `${token.toUpperCase()}@${chainId}`)).size === tokens.length,
    { error: 'must name each token of a chain once' },
  );

const FIELDS = {
  wallet: optional(wallet),
  name: clearable(label),
  description: clearable(description),
  bio: clearable(description),
  theme: optional(theme),
  arrangement: clearable(text(64)),
  xpPerDollar: optional(
    z.number({ error: xpWanted() }).min(0, { error: xpWanted() }).max(1_000_000, { error: xpWanted() }),
  ),
  slug: clearable(
    z.string({ error: slugWanted() }).regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, { error: slugWanted() }),
  ),
  links: optional(z.array(link).max(20)),
  processingFeePct: optional(percentAsBps),
  setupComplete: optional(z.boolean()),
  postPaymentScripts: optional(z.boolean()),
  allowRenewal: optional(z.boolean()),
  holdStock: optional(z.boolean()),
  gasless: optional(z.boolean()),
  paymentTokens: clearable(paymentTokens),
  lateHours: optional(wholeNumber(0, MAX_LATE_HOURS)),
  tolerancePct: optional(amount(0, MAX_TOLERANCE_BPS)),
  toleranceUsd: optional(amount(0, MAX_TOLERANCE_CENTS)),
};

/** Percentages (at most two decimals) are converted to basis points, dollars to cents. */
const inUnits = <Given extends { processingFeePct?: unknown; tolerancePct?: unknown; toleranceUsd?: unknown }>({
  processingFeePct,
  tolerancePct,
  toleranceUsd,
  ...config
}: Given) => ({
  ...config,
  processingFeeBps: processingFeePct as Given['processingFeePct'],
  toleranceBps: tolerancePct as Given['tolerancePct'],
  toleranceCents: toleranceUsd as Given['toleranceUsd'],
});

/**
 * The body of `POST /api/shop/config`. Omitted fields keep their values, also in the theme; null clears a text; `links`
 * replaces all links.
 */
export const shopInput = z.object(FIELDS).transform(inUnits);

/** The most origins of pages that show the payment page in a frame. */
export const MAX_EMBED_ORIGINS = 20;

/**
 * An exact origin, as browsers write it. It becomes part of a policy (`frame-ancestors`), so it has no sign that means
 * something there. Over http it names this machine only, and `writeShop` refuses it on a public chain.
 */
const embedOrigin = z
  .string({ error: originWanted() })
  .max(300, { error: originWanted() })
  .transform((value, ctx) => {
    const { origin = '' } = URL.parse(value) ?? {};
    const isOrigin = value === origin || value === `${origin}/`;
    const hasForm = /^(?:https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d+)?$/.test(
      origin,
    );
    return isOrigin && hasForm ? origin : fault(ctx, originWanted());
  });

const embedOrigins = z
  .array(embedOrigin)
  .max(MAX_EMBED_ORIGINS)
  .transform((origins) => [...new Set(origins)]);

/** The same in GraphQL, with the settings that the contract does not have. */
export const shopSettingsInput = z
  .object({
    ...FIELDS,
    feeBorneBy: optional(z.enum(Object.keys(FEE_BEARERS) as FeeBearer[])),
    pricesIncludeTax: optional(z.boolean()),
    newRequests: optional(z.boolean()),
    embedOrigins: optional(embedOrigins),
  })
  .transform(inUnits);

/** A time zone by its IANA name, in any letter case. */
const timeZone = z
  .string({ error: zoneWanted() })
  .transform((value, ctx) => timeZoneOf(value) ?? fault(ctx, zoneWanted()));

const phone = text(32).regex(/^\+?[\d(][\d ()./-]{3,}$/, { error: 'must be a phone number such as +49 30 901820' });

/**
 * The fields of a shop's profile to change. Omitted fields keep their values; null and the empty string clear a text.
 */
export const profileInput = z.object({
  name: clearable(label),
  contactEmail: clearable(email),
  contactPhone: clearable(phone),
  contactUrl: clearable(webUrl({ allowInsecure: false })),
  address: clearable(
    text(500).refine((value) => value.trim() !== '' && value.split('\n').length <= 8, {
      error: 'must have 1 to 8 lines',
    }),
  ),
  taxId: clearable(label.max(64, { error: 'must have at most 64 characters' })),
  timeZone: optional(timeZone),
  language: optional(z.enum(LANGUAGES, { error: `must be one of ${LANGUAGES.join(', ')}` })),
  replyTo: clearable(email),
});

export type ProfileInput = z.output<typeof profileInput>;

export type ShopInput = z.output<typeof shopInput> & Partial<z.output<typeof shopSettingsInput>>;

function xpWanted(): string {
  return 'must be a number from 0 to 1000000';
}

function slugWanted(): string {
  return 'must be 1 to 64 lower-case letters, digits and hyphens';
}

function originWanted(): string {
  return 'must be the origin of a page, such as https://shop.example';
}

function zoneWanted(): string {
  return 'must be the IANA name of a time zone, such as Europe/Berlin';
}
