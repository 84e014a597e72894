import { type ErrorCode, errorCatalogue } from '../../core/errors.ts';
import { type JsonSchema, ref } from './json-schema.ts';

/** What any route may refuse, whatever else it does. */
export const EVERYWHERE: readonly ErrorCode[] = [
  'invalid_input',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'failed',
  'datastore_unavailable',
];

/** And any that a body can be sent to. */
export const WITH_BODY: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

const errorFields = {
  error: { type: 'string', enum: Object.keys(errorCatalogue) },
  message: { type: 'string' },
  field: { type: 'string', description: 'Where the fault is, as in `items[0].qty`.' },
  sku: { type: 'string', description: 'The item that is not there, or not in this number.' },
  id: { type: 'string', description: 'The item that is not there.' },
  currency: { type: 'string', description: 'The currency that there is no rate for.' },
  resetAt: { type: 'integer', description: 'When to come back, epoch milliseconds.' },
  reason: { type: 'string', description: 'What to do instead, for a program.' },
  refundableUsd: { type: 'number', description: 'How much can be given back at most.' },
  nextChargeAt: { type: ['integer', 'null'], description: 'When the charge is tried next, epoch milliseconds.' },
  failureCode: { type: 'string', description: 'Why the customer could not be charged: a payment failure code.' },
  transactionHash: { type: 'string', description: 'The transaction that was sent, and is being followed.' },
  subscriptionId: { type: 'string', description: 'The subscription that is meant.' },
} as const satisfies Record<string, JsonSchema>;

/** The one form of every error. Which further fields there are depends on the code. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'What every error looks like. `error` is for programs; `message` is for people and may change.',
  properties: errorFields,
  required: ['error', 'message'],
};

/** Fields that always come with a code. */
const ALWAYS: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  rate_limited: ['resetAt'],
  deprecated: ['reason'],
};

/** Where the caller stands with its limit. */
export const LIMITED = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const HEADERS: Readonly<Record<number, readonly string[]>> = {
  410: ['Deprecation'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Headers by name, as an answer refers to them. */
export const headersOf = (names: readonly string[]): JsonSchema =>
  Object.fromEntries([...new Set(['X-Correlation-Id', ...names])].map((name) => [name, ref('headers', name)]));

/** The errors that answer with one status. */
export function refusalOf(codes: readonly ErrorCode[]): JsonSchema {
  const [status] = errorCatalogue[codes[0] as ErrorCode];
  // A code that shares its status with others cannot promise its fields.
  const always = (codes.length === 1 && ALWAYS[codes[0] as ErrorCode]) || [];
  const narrowed = {
    properties: {
      error: { enum: codes },
      ...Object.fromEntries(always.map((name) => [name, errorFields[name as keyof typeof errorFields]])),
    },
    ...(always.length > 0 ? { required: always } : {}),
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code][1]}.`).join('\n\n'),
    headers: headersOf([...(HEADERS[status] ?? []), ...LIMITED]),
    content: { 'application/json': { schema: { allOf: [ref('schemas', 'Error'), narrowed] } } },
  };
}

/** Answers that many routes have in common, by their names in the document. */
const SHARED: Readonly<Record<string, readonly ErrorCode[]>> = {
  InvalidInput: ['invalid_input'],
  Unauthorized: ['unauthorized'],
  Forbidden: ['forbidden'],
  NotFound: ['not_found'],
  PayloadTooLarge: ['payload_too_large'],
  UnsupportedMediaType: ['unsupported_media_type'],
  RateLimited: ['rate_limited'],
  Failed: ['failed'],
  Unavailable: ['datastore_unavailable'],
};

export const sharedRefusals: JsonSchema = Object.fromEntries(
  Object.entries(SHARED).map(([name, codes]) => [name, refusalOf(codes)]),
);

/** The answers of a route that refuses these codes, by status. */
export function refusalsOf(codes: Iterable<ErrorCode>): Record<string, JsonSchema> {
  const byStatus = new Map<number, ErrorCode[]>();
  // In the catalogue's order, which is the contract's.
  const named = new Set(codes);
  for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
    if (!named.has(code)) continue;
    const [status] = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([status, found]) => {
        const shared = Object.entries(SHARED).find(([, all]) => all.join() === found.join());
        return [String(status), shared ? ref('responses', shared[0]) : refusalOf(found)];
      }),
  );
}
