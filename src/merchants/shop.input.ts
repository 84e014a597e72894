import { z } from 'zod';
import { amount } from '../core/amount.ts';
import { optional } from '../core/input.ts';
import { description, label, text, wallet } from '../core/text.ts';
import { picture, webUrl } from '../core/url.ts';

/** The largest add-on of a merchant to the platform's fee, in basis points. */
const MAX_FEE_BPS = 2_000;

/** Left out: stays as it is. Null or the empty string: cleared. */
const clearable = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable()).optional();

const color = z
  .string({ error: 'must be a CSS hex colour such as #1a73e8' })
  .regex(/^#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/, {
    error: 'must be a CSS hex colour such as #1a73e8',
  });

/** What may stand in a CSS font-family, and nothing that could leave it. */
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

/** Percent with at most two decimals, from 0 to 20, is whole basis points, exactly as dollars are cents. */
const percentAsBps = amount(0, MAX_FEE_BPS);

/**
 * The body of `POST /api/shop/config`, a part of the configuration: what it leaves out stays as it is, in the theme too, field by field; null clears a
 * text; `links` are replaced whole. `processingFeePct` (0 to 20, at most two decimals) comes out as `processingFeeBps`.
 */
export const shopInput = z
  .object({
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
  })
  .transform(({ processingFeePct, ...config }) => ({ ...config, processingFeeBps: processingFeePct }));

function xpWanted(): string {
  return 'must be a number from 0 to 1000000';
}

function slugWanted(): string {
  return 'must be 1 to 64 lower-case letters, digits and hyphens';
}
