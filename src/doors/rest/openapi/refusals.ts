import { type ErrorCode, errorCatalogue } from '../../../base/core/errors.ts';
import { type JsonSchema, nameAs, ref } from './json-schema.ts';

/** Errors that any route may return. */
export const EVERYWHERE: readonly ErrorCode[] = [
  'invalid_input',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'failed',
  'datastore_unavailable',
];

const errorFields = {
  error: { type: 'string', enum: Object.keys(errorCatalogue) },
  message: { type: 'string' },
  field: { type: 'string', description: 'The path of the invalid field, as in `items[0].qty`.' },
  sku: { type: 'string', description: 'The SKU of the item that does not exist or has too little stock.' },
  id: { type: 'string', description: 'The id of the item that does not exist.' },
  currency: { type: 'string', description: 'The currency without an exchange rate.' },
  resetAt: { type: 'integer', description: 'When to retry, in epoch milliseconds.' },
  reason: {
    type: 'string',
    description:
      'For a program: what is missing (`forbidden`, `unauthorized`), what to do instead (`deprecated`), or what is wrong where `field` does not tell (`invalid_input`).',
  },
  most: { type: 'integer', description: 'How many are possible (`out_of_stock`, `too_many`).' },
  resumeAfter: { type: 'string', description: 'The cursor from which to read on (`cursor_expired`).' },
  scope: { type: 'string', description: 'The scope that the key lacks.' },
  role: { type: 'string', description: 'The role that the signed-in wallet lacks.' },
  permission: { type: 'string', description: 'The permission that the role lacks.' },
  action: { type: 'string', description: 'What to do about it, for people.' },
  refundableUsd: { type: 'number', description: 'The largest amount that can be refunded.' },
  replacedBy: { type: 'string', description: 'The receipt that took the place of this one.' },
  nextChargeAt: { type: ['integer', 'null'], description: 'When the charge is retried, in epoch milliseconds.' },
  failureCode: { type: 'string', description: 'Why the customer could not be charged: a payment failure code.' },
  transactionHash: { type: 'string', description: 'The transaction that was sent and is being tracked.' },
  subscriptionId: { type: 'string', description: 'The subscription concerned.' },
} as const satisfies Record<string, JsonSchema>;

/** The common form of every error. Further fields depend on the code. */
const errorSchema = nameAs('Error', {
  type: 'object',
  description: 'The common form of every error. `error` is for programs; `message` is for people and may change.',
  properties: errorFields,
  required: ['error', 'message'],
});

/** Fields that a code always has. */
const ALWAYS: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  rate_limited: ['resetAt'],
  storage_limit_reached: ['resetAt'],
  deprecated: ['reason'],
  cursor_expired: ['resumeAfter'],
};

/** The rate limit headers. */
export const LIMITED = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const HEADERS: Readonly<Record<number, readonly string[]>> = {
  410: ['Deprecation'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** References to headers, by name. */
export const headersOf = (names: readonly string[]): JsonSchema =>
  Object.fromEntries([...new Set(['X-Correlation-Id', ...names])].map((name) => [name, ref('headers', name)]));

/** The error with a code: `not_found` → `NotFoundError`. */
function errorOf(code: ErrorCode): JsonSchema {
  const always = ALWAYS[code] ?? [];
  const narrowed = {
    properties: {
      error: { enum: [code] },
      ...Object.fromEntries(always.map((name) => [name, errorFields[name as keyof typeof errorFields]])),
    },
    ...(always.length > 0 ? { required: always } : {}),
  };
  const name = code.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
  return nameAs(`${name}Error`, { description: `${errorCatalogue[code][1]}.`, allOf: [errorSchema, narrowed] });
}

/** The response for all errors with one status. */
export function refusalOf(codes: readonly ErrorCode[]): JsonSchema {
  const [status] = errorCatalogue[codes[0] as ErrorCode];
  const [only, ...others] = codes.map(errorOf);
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code][1]}.`).join('\n\n'),
    headers: headersOf([...(HEADERS[status] ?? []), ...LIMITED, 'X-Ignored-Fields']),
    content: { 'application/json': { schema: others.length > 0 ? { anyOf: [only, ...others] } : only } },
  };
}

/** Responses that many routes share, by their names in the document. */
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

export const sharedRefusals: JsonSchema = {
  ...Object.fromEntries(Object.entries(SHARED).map(([name, codes]) => [name, refusalOf(codes)])),
  RequestTimeout: {
    description: 'The body did not arrive in time. The connection is closed.',
    headers: headersOf([]),
    content: { 'application/json': { schema: errorOf('invalid_input') } },
  },
};

/** The responses to a body that cannot be read. */
export const bodyRefusals = (codes: Iterable<ErrorCode>): Record<string, JsonSchema> => ({
  ...refusalsOf([...codes, 'payload_too_large', 'unsupported_media_type']),
  408: ref('responses', 'RequestTimeout'),
});

/** The error responses of a route with these codes, by status. */
export function refusalsOf(codes: Iterable<ErrorCode>): Record<string, JsonSchema> {
  const byStatus = new Map<number, ErrorCode[]>();
  // In the order of the catalogue, which is the contract's.
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
