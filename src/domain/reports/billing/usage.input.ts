import { z } from 'zod';
import { fault } from '../../../base/core/input.ts';
import type { Month } from './usage.ts';

/** The month of a usage, as `2026-10`. */
export const usageInput = z.object({
  month: z.string().transform((text, ctx): Month => {
    const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
    if (year === undefined || Number(year) < 1970) return fault(ctx, 'must be a month from 1970 on, as in 2026-11');
    return { year: Number(year), month: Number(month) - 1 };
  }),
});
