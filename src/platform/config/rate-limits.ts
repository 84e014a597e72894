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
export type RateLimits = Readonly<Record<RateCategory, number>>;

/** Parses RATE_LIMITS; null: no limits. */
export function parseRateLimits(raw: string): RateLimits | null {
  if (raw === 'off') return null;
  const given = z
    .partialRecord(z.enum(Object.keys(DEFAULT_RATE_LIMITS) as RateCategory[]), z.number().int().min(1))
    .safeParse(parseJson(raw));
  if (!given.success)
    throw new Error(`must be off, or JSON with the keys ${Object.keys(DEFAULT_RATE_LIMITS).join(', ')}`);
  return { ...DEFAULT_RATE_LIMITS, ...given.data };
}
