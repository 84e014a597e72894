import { z } from 'zod';
import { MAX_LABEL } from '../../base/core/limits.ts';
import { text } from '../../base/core/text.ts';

/** A query string in which each name occurs once and each value is short. */
export const query = z.record(z.string(), z.string({ error: 'must be given once' }).pipe(text(MAX_LABEL * 4)));

/** The `Idempotency-Key` header; null if it was not sent. The operation checks its form. */
export const idempotencyKey = z
  .string()
  .nullish()
  .transform((key) => key ?? null);
