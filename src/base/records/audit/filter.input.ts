import { z } from 'zod';
import { filledText } from '../../core/text.ts';
import { AUDIT_ACTIONS, AUDIT_OBJECTS, type AuditAction, type AuditObject } from './actions.ts';

const MAX_WORD = 300;
const MILLIS_WANTED = 'must be a time in epoch milliseconds';

const orNull = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? null);
const word = orNull(filledText(MAX_WORD));
const millis = orNull(z.int({ error: MILLIS_WANTED }).min(0, { error: MILLIS_WANTED }));

/** Conditions on entries. */
export const auditFilter = z.object({
  actions: orNull(
    z
      .array(z.enum(Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]]))
      .min(1, { error: 'must not be empty' })
      .max(100, { error: 'must have at most 100 entries' }),
  ),
  actor: word,
  objectType: orNull(z.enum(Object.keys(AUDIT_OBJECTS) as [AuditObject, ...AuditObject[]])),
  objectId: word,
  from: millis,
  to: millis,
});
