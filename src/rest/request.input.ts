import { z } from 'zod';
import { identifier, MAX_LABEL, text } from '../core/text.ts';

/** A query string: each name once, each value short. */
export const query = z.record(z.string(), text(MAX_LABEL * 4));

/** The `Idempotency-Key` header; null where it was not sent. */
export const idempotencyKey = identifier.nullish().transform((key) => key ?? null);
