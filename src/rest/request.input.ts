import { z } from 'zod';
import { MAX_LABEL, text } from '../core/text.ts';

/** A query string: each name once, each value short. */
export const query = z.record(z.string(), z.string({ error: 'must be given once' }).pipe(text(MAX_LABEL * 4)));

/** The `Idempotency-Key` header; null where it was not sent. What it may be, the operation says. */
export const idempotencyKey = z
  .string()
  .nullish()
  .transform((key) => key ?? null);
