import { z } from 'zod';
import { optional } from '../../../base/core/input.ts';
import { text } from '../../../base/core/text.ts';
import { callbackUrl, type UrlPolicy } from '../../../base/core/url.ts';
import { KIND_PATTERNS } from '../events/kinds.ts';

/** The longest description of an endpoint. */
const MAX_NOTE = 500;

const kinds = z
  .array(z.enum(KIND_PATTERNS as [string, ...string[]]))
  .min(1, { error: 'must have at least one entry' })
  .max(KIND_PATTERNS.length)
  .transform((all) => [...new Set(all)]);

/** A new endpoint. */
export const endpointInput = (policy: UrlPolicy) =>
  z.object({
    url: callbackUrl(policy),
    kinds,
    description: optional(text(MAX_NOTE)),
    enabled: optional(z.boolean()),
  });
/** The body of `POST /api/webhooks/endpoints`: `events` is another name of `kinds`. */
export const endpointBodyInput = (policy: UrlPolicy) =>
  endpointInput(policy).extend({
    kinds: optional(kinds),
    events: optional(kinds).describe('The same as `kinds`. A key that names none receives `receipt.*` and `refund.*`.'),
  });

export type EndpointInput = z.output<ReturnType<typeof endpointInput>>;

/** A change of an endpoint. Omitted fields keep their values. */
export const endpointChange = (policy: UrlPolicy) =>
  z.object({
    url: optional(callbackUrl(policy)),
    kinds: optional(kinds),
    description: optional(text(MAX_NOTE)),
    enabled: optional(z.boolean()),
  });
export type EndpointChange = z.output<ReturnType<typeof endpointChange>>;

/** How long a replaced secret still signs, at most, in hours. */
const OVERLAP_HOURS_MAX = 168;
const OVERLAP_HOURS = 24;

/** The rotation of a secret. */
export const rotationInput = z.object({
  overlapHours: z
    .int({ error: overlapWanted() })
    .min(0, { error: overlapWanted() })
    .max(OVERLAP_HOURS_MAX, { error: overlapWanted() })
    .nullish()
    .transform((hours) => hours ?? OVERLAP_HOURS),
});

function overlapWanted(): string {
  return `must be a whole number from 0 to ${OVERLAP_HOURS_MAX}`;
}
