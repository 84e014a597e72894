import { z } from 'zod';
import { identifier } from '../../base/core/text.ts';
import { REPLAY_PATTERNS } from './events/kinds.ts';

/** Which deliveries of a merchant to send again. */
export const replayInput = z.object({
  since: z.int({ error: 'must be epoch milliseconds' }).min(0, { error: 'must be epoch milliseconds' }),
  kind: z
    .enum(REPLAY_PATTERNS as [string, ...string[]])
    .nullish()
    .transform((kind) => kind ?? null),
  endpointId: identifier.nullish().transform((id) => id ?? null),
  failedOnly: z
    .boolean()
    .nullish()
    .transform((failedOnly) => failedOnly ?? true),
});
