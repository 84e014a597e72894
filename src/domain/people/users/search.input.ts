import { z } from 'zod';
import { fault, shownAs } from '../../../base/core/input.ts';
import { MAX_LABEL } from '../../../base/core/limits.ts';
import { text, wordList } from '../../../base/core/text.ts';

/** Defaults and maxima: users that a search returns, and users by XP that it scans. */
export const SEARCH_LIMIT = 25;
const MAX_SEARCH_LIMIT = 100;
const SEARCH_SCAN = 400;
const MAX_SEARCH_SCAN = 1_000;

/** A URL parameter: an empty string and null count as not given. */
const parameter = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema);

/** A number that is later clamped to its range instead of refused. A value that is not a number counts as not given. */
const clamped = (max: number, usual: number) =>
  shownAs(
    parameter(
      z.unknown().transform((value) => {
        const number = typeof value === 'string' ? Number(value) : value;
        return typeof number === 'number' && !Number.isNaN(number) ? number : undefined;
      }),
    ),
    { type: 'integer', minimum: 1, maximum: max, default: usual },
  );
const clamp = (value: number | undefined, fallback: number, min: number, max: number): number =>
  Math.trunc(Math.min(Math.max(value ?? fallback, min), max));

const XP_WANTED = 'must be a number of at least 0';
const xp = parameter(
  z
    .union([z.string(), z.number()], { error: XP_WANTED })
    .transform((value, ctx) => {
      const number = typeof value === 'number' || /^\d{1,18}(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN;
      return number >= 0 && Number.isFinite(number) ? number : fault(ctx, XP_WANTED);
    })
    .optional(),
);

const LIVE_WANTED = 'must be true or false';
const flag = parameter(
  z
    .union([z.boolean(), z.enum(['true', 'false'])], { error: LIVE_WANTED })
    .transform((value) => value === true || value === 'true')
    .default(false),
);

/**
 * The query of `GET /api/users/search`, typed, with defaults. `limit` and `scan` are clamped to their ranges; other
 * invalid values are refused.
 */
export const searchQuery = z
  .object({
    q: parameter(text(MAX_LABEL).optional()),
    domains: wordList,
    platforms: wordList,
    languages: wordList,
    minXp: xp,
    maxXp: xp,
    live: flag,
    limit: clamped(MAX_SEARCH_LIMIT, SEARCH_LIMIT),
    scan: clamped(MAX_SEARCH_SCAN, SEARCH_SCAN),
  })
  .transform(({ limit: requested, scan, ...rest }) => {
    const limit = clamp(requested, SEARCH_LIMIT, 1, MAX_SEARCH_LIMIT);
    return { ...rest, limit, scan: clamp(scan, Math.max(limit, SEARCH_SCAN), limit, MAX_SEARCH_SCAN) };
  });

export type SearchQuery = z.output<typeof searchQuery>;
