import { z } from 'zod';
import { shownAs } from '../../../base/core/input.ts';
import { PAGE_MAX } from './feed.ts';

const DEFAULT = 100;
const WANTED = `must be a whole number from 1 to ${PAGE_MAX}`;

const after = z
  .string({ error: 'must be a cursor' })
  .nullish()
  .transform((cursor) => cursor ?? null);

/** The arguments of a page of events. */
export const feedInput = z.object({
  after,
  limit: z
    .int({ error: WANTED })
    .min(1, { error: WANTED })
    .max(PAGE_MAX, { error: WANTED })
    .nullish()
    .transform((limit) => limit ?? DEFAULT),
});

/** The same as URL parameters. */
export const feedQuery = z.object({
  after: z.string().optional().describe('The `nextCursor` of the page before; empty for the oldest event.'),
  limit: shownAs(
    z
      .string()
      .regex(/^\d{1,3}$/, { error: WANTED })
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= PAGE_MAX, { error: WANTED })
      .optional(),
    { type: 'integer', minimum: 1, maximum: PAGE_MAX, default: DEFAULT },
  ),
});
