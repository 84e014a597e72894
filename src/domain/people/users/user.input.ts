import { z } from 'zod';
import { optional } from '../../../base/core/input.ts';
import { isStorable, MAX_LABEL } from '../../../base/core/limits.ts';
import { text } from '../../../base/core/text.ts';
import { webUrl } from '../../../base/core/url.ts';
import { picture } from '../../../base/records/images/data-uri.ts';

/** Limits of profile fields: characters of the biography, entries of a list, characters of an entry. */
const MAX_BIO = 1_000;
const MAX_METRICS = 50;
export const MAX_METRIC = 64;

/**
 * A list of short words without duplicates, such as languages. Words contain no commas, because searches separate them
 * by commas.
 */
const metrics = z
  .array(
    text(MAX_METRIC)
      .refine((word) => word.trim() !== '' && !word.includes(','), {
        error: `must be 1 to ${MAX_METRIC} characters without commas`,
      })
      .transform((word) => word.trim()),
    { error: 'must be a list' },
  )
  .max(MAX_METRICS)
  .transform((words) => [...new Set(words)]);

/** Also accepts the empty string, which removes the value. */
const orEmpty = <S extends z.ZodType<string>>(schema: S) => z.union([z.literal(''), schema]);

const URL_WANTED = 'must be an https URL';

/** An https URL of a space, or empty. */
export const spaceUrl = z
  .string({ error: URL_WANTED })
  .refine((value) => value === '' || webUrl({ allowInsecure: false }).safeParse(value).success, { error: URL_WANTED });

const PICTURE_WANTED = 'must be an https URL or a data URI of an image of at most 256 KiB';

/** A profile picture, or empty. */
const pfpUrl = z
  .string({ error: PICTURE_WANTED })
  .refine((value) => isStorable(value) && orEmpty(picture).safeParse(value).success, { error: PICTURE_WANTED });

const profile = {
  displayName: optional(text(MAX_LABEL)),
  pfpUrl: optional(pfpUrl),
  bio: optional(text(MAX_BIO)),
  domains: optional(metrics),
  platforms: optional(metrics),
  languages: optional(metrics),
};

/** The profile of a user. Omitted fields keep their value. */
export const userInput = z.object(profile);

export type UserInput = z.output<typeof userInput>;

/** The presence of a user. Omitted fields keep their value. */
export const presenceInput = z.object({
  live: z.boolean(),
  spacePublic: optional(z.boolean()),
  platform: optional(text(MAX_METRIC)),
  spaceUrl: optional(spaceUrl),
});

export type PresenceInput = z.output<typeof presenceInput>;
