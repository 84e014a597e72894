import type { JsonSchema } from './json-schema.ts';

const count = { type: 'integer', minimum: 0 };

/** The headers of answers, by name. */
export const headers = {
  'X-Correlation-Id': {
    required: true,
    description: 'The request’s id in the log; the one that was sent, where it was one.',
    schema: { type: 'string', pattern: '^[\\w.:-]{1,128}$' },
  },
  'X-RateLimit-Limit': { description: 'Requests a rolling minute. Absent where there is no limit.', schema: count },
  'X-RateLimit-Remaining': { description: 'How many of them are left.', schema: count },
  'X-RateLimit-Reset': { description: 'When there are more again, in epoch seconds.', schema: count },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: count },
  Deprecation: {
    description: 'Since when, as `@` and epoch seconds (RFC 9745).',
    schema: { type: 'string', pattern: '^@\\d+$' },
  },
  Accept: { description: 'The media types that there are.', schema: { type: 'string' } },
  'Set-Cookie': { description: 'The session’s cookies, `cb_auth_token` and `cb_csrf`.', schema: { type: 'string' } },
} as const satisfies Record<string, JsonSchema>;

export const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'The same key with the same body within 24 hours answers what it answered first; with another body it is `invalid_input`.',
  schema: { type: 'string', minLength: 1, maxLength: 256 },
};

export const correlationIdParameter: JsonSchema = {
  name: 'X-Correlation-Id',
  in: 'header',
  description: 'An id of your own for this request, to find it by.',
  schema: { type: 'string', pattern: '^[\\w.:-]{1,128}$' },
};
