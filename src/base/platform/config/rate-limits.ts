import { z } from 'zod';
import { parseJson } from '../../core/json.ts';

/** The default rate limits by category, in requests per rolling minute and merchant. */
export const DEFAULT_RATE_LIMITS = {
  inventoryWrites: 60,
  inventoryBatches: 30,
  inventoryDeletes: 30,
  orders: 100,
  reads: 300,
  split: 10,
  presence: 30,
  others: 120,
} as const;
export type RateCategory = keyof typeof DEFAULT_RATE_LIMITS;
/** `people`: the reads of each member of a merchant, whose pages read many fields. Default: as `reads`. */
export type RateLimits = Readonly<Record<RateCategory, number> & { people?: number }>;

/** The limits of an installation that sets none. */
export const USUAL_RATE_LIMITS: RateLimits = { ...DEFAULT_RATE_LIMITS, people: 1_500 };

/** The merchants at their full rate that all newcomers together are as busy as. */
const BUSY_NEWCOMERS = 100;

/** The default rate limits of all newcomers together. */
export const DEFAULT_NEWCOMER_RATE_LIMITS: RateLimits = Object.fromEntries(
  Object.entries(DEFAULT_RATE_LIMITS).map(([category, limit]) => [category, limit * BUSY_NEWCOMERS]),
) as Record<RateCategory, number>;

const CATEGORIES = Object.keys(DEFAULT_RATE_LIMITS) as RateCategory[];
const limitsByCategory = z.partialRecord(z.enum([...CATEGORIES, 'people']), z.number().int().min(1));

/** Parses RATE_LIMITS; null: no limits. */
export const parseRateLimits = (raw: string): RateLimits | null =>
  raw === 'off' ? null : readLimits(raw, DEFAULT_RATE_LIMITS, 'must be off, or JSON');

/** Parses NEWCOMER_RATE_LIMITS. */
export const parseNewcomerRateLimits = (raw: string): RateLimits =>
  readLimits(raw, DEFAULT_NEWCOMER_RATE_LIMITS, 'must be JSON');

function readLimits(raw: string, byDefault: RateLimits, wanted: string): RateLimits {
  const given = limitsByCategory.safeParse(parseJson(raw));
  if (!given.success) throw new Error(`${wanted} with the keys ${CATEGORIES.join(', ')}, people`);
  const people = given.data.reads === undefined ? USUAL_RATE_LIMITS.people : given.data.reads;
  return { ...byDefault, people, ...given.data };
}
