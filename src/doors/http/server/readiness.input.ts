import { z } from 'zod';
import { READY_PARTS } from '../../../domain/operations/operators/readiness.ts';

/** The query of `GET /readyz`. */
export const readinessQuery = z.object({
  for: z.enum(READY_PARTS, { error: `must be ${READY_PARTS.join(' or ')}` }).optional(),
});
