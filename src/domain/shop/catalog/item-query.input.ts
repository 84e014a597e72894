import { z } from 'zod';
import { fault, shownAs } from '../../../base/core/input.ts';
import { MAX_AMOUNT_CENTS } from '../../../base/core/limits.ts';
import { centsFromText } from '../../../base/core/money.ts';
import { label, wordList } from '../../../base/core/text.ts';

/** The default and the maximum page size. */
export const PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 200;

/**
 * A URL parameter. The empty string and null count as absent; a number or boolean (from GraphQL) is converted to its
 * text.
 */
const parameter = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => {
    if (value === '' || value === null) return undefined;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  }, schema);

const choice = <const T extends readonly string[]>(options: T, otherwise: T[number]) =>
  parameter(z.enum(options).default(otherwise));

function whole(min: number, max: number, otherwise: number) {
  const wanted = `must be a whole number from ${min} to ${max}`;
  const digits = z
    .string({ error: wanted })
    .regex(/^\d{1,9}$/, { error: wanted })
    .transform(Number);
  return shownAs(
    parameter(digits.pipe(z.number().min(min, { error: wanted }).max(max, { error: wanted })).default(otherwise)),
    { type: 'integer', minimum: min, maximum: max, default: otherwise },
  );
}

const AMOUNT_WANTED = 'must be an amount from 0 to 10000000.00 with at most two decimals';
const cents = shownAs(
  parameter(
    z
      .string({ error: AMOUNT_WANTED })
      .transform((value, ctx) => {
        const read = centsFromText(value);
        return read === null || read < 0 || read > MAX_AMOUNT_CENTS ? fault(ctx, AMOUNT_WANTED) : read;
      })
      .optional(),
  ),
  { type: 'number', minimum: 0, maximum: MAX_AMOUNT_CENTS / 100 },
);

const tagList = shownAs(wordList.prefault(''), {
  type: 'string',
  description: 'A comma-separated list of tags that items must have.',
});

/**
 * The query of `GET /api/inventory`. Strings of a URL are converted to their types. Defaults: latest change first, 100
 * per page, pages counted from 0. Searches are for literal text: `%` and `_` have no special meaning.
 */
export const itemQuery = z
  .object({
    q: parameter(label.optional()),
    category: parameter(label.optional()),
    taxable: choice(['true', 'false', 'any'], 'any'),
    stock: choice(['in', 'out', 'low', 'any'], 'any'),
    priceMin: cents,
    priceMax: cents,
    tags: tagList,
    tagsMode: choice(['any', 'all'], 'any'),
    sort: choice(['name', 'sku', 'priceUsd', 'stockQty', 'updatedAt'], 'updatedAt'),
    order: choice(['asc', 'desc'], 'desc'),
    limit: whole(1, MAX_PAGE_SIZE, PAGE_SIZE),
    page: whole(0, 1_000_000, 0),
  })
  .transform(({ priceMin, priceMax, taxable, ...rest }) => ({
    ...rest,
    /** Undefined: no condition. */
    taxable: taxable === 'any' ? undefined : taxable === 'true',
    priceMinCents: priceMin,
    priceMaxCents: priceMax,
  }));

export type ItemQuery = z.output<typeof itemQuery>;
