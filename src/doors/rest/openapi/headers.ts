import type { JsonSchema } from './json-schema.ts';

const count = { type: 'integer', minimum: 0 };

/** Response headers, by name. */
export const headers = {
  'X-Correlation-Id': {
    required: true,
    description: 'The request’s id in the log: the id that was sent, if it was valid.',
    schema: { type: 'string', pattern: '^[\\w.:-]{1,128}$' },
  },
  'X-RateLimit-Limit': { description: 'Requests per rolling minute. Absent if there is no limit.', schema: count },
  'X-RateLimit-Remaining': { description: 'How many of them remain.', schema: count },
  'X-RateLimit-Reset': { description: 'When more requests become available, in epoch seconds.', schema: count },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: count },
  Deprecation: {
    description: 'When the route was deprecated, as `@` and epoch seconds (RFC 9745).',
    schema: { type: 'string', pattern: '^@\\d+$' },
  },
  ETag: {
    description: 'The version of the answer, for `If-None-Match`.',
    schema: { type: 'string', pattern: '^"[0-9a-f]{32}"$' },
  },
  Accept: { description: 'The available media types.', schema: { type: 'string' } },
  Link: {
    description: 'The next page, if there is one: `<https://…?cursor=…>; rel="next"` (RFC 8288).',
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'The name of the file: `attachment; filename="receipts-2026-11-22.csv"`.',
    schema: { type: 'string' },
  },
  'X-Ignored-Fields': {
    description:
      'Fields of the body or query that the route does not know, percent-encoded, at most 10: `retunUrl;did-you-mean=returnUrl, foo`.',
    schema: { type: 'string' },
  },
  'Set-Cookie': { description: 'The session’s cookies, `cb_auth_token` and `cb_csrf`.', schema: { type: 'string' } },
} as const satisfies Record<string, JsonSchema>;

export const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'The same key with the same body within 24 hours returns the first response; with another body it is `invalid_input`.',
  schema: { type: 'string', minLength: 1, maxLength: 256 },
};

export const correlationIdParameter: JsonSchema = {
  name: 'X-Correlation-Id',
  in: 'header',
  description: 'Your own id for this request, to find it in the log.',
  schema: { type: 'string', pattern: '^[\\w.:-]{1,128}$' },
};
