import { z } from 'zod';
import type { Caller } from '../../../base/core/caller.ts';
import { parseInput, shownAs } from '../../../base/core/input.ts';
import { MAX_LABEL } from '../../../base/core/limits.ts';
import { text } from '../../../base/core/text.ts';
import type { UrlPolicy } from '../../../base/core/url.ts';

/*
 * How the parts of a REST request become the variables of a stored operation. The domain's own schema checks a body
 * first, so that an error names the field before GraphQL's coercion runs. Then only the fields that the operation has
 * are passed on.
 */

/** An incoming request. */
export interface RestRequest {
  readonly caller: Caller;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly host: string;
  readonly idempotencyKey: string | null;
  /** The operator's policy for callers' URLs. */
  readonly urls: UrlPolicy;
}

/** Reads one part of a request: the schema that checks it (and that the API document shows), and the result. */
export interface Reader<Part> {
  readonly schema: z.ZodType;
  /** Refuses input that does not match the schema. */
  readonly read: (request: RestRequest) => Part;
}

/** A schema, or one per policy for callers' URLs. The document shows the strict one. */
type Checks<S> = S | ((urls: UrlPolicy) => S);

/** Reads a JSON body. With `mayBeMissing`, a missing body counts as an empty object. */
export function readsBody<S extends z.ZodType, Part>(
  checks: Checks<S>,
  into: (checked: z.output<S>, request: RestRequest) => Part,
  { mayBeMissing = false } = {},
): Reader<Part> {
  const at = schemaAt(checks);
  return {
    schema: at({ allowInsecure: false }),
    read: (request) => into(parseInput(at(request.urls), mayBeMissing ? (request.body ?? {}) : request.body), request),
  };
}

/** Reads the query parameters, which are all strings. */
export function readsQuery<S extends z.ZodType, Part>(schema: S, into: (checked: z.output<S>) => Part): Reader<Part> {
  return { schema, read: ({ query }) => into(parseInput(schema, query)) };
}

const schemaAt = <S extends z.ZodType>(checks: Checks<S>) =>
  typeof checks === 'function' ? (checks as (urls: UrlPolicy) => S) : () => checks as S;

/** The named fields of a checked body. Other fields are dropped. */
export function pick<T>(body: unknown, names: readonly (keyof T & string)[]): T {
  const given = body as Record<string, unknown>;
  const picked: Record<string, unknown> = {};
  for (const name of names) if (given[name] !== undefined) picked[name] = given[name];
  return picked as T;
}

/** REST takes currencies in any letter case. */
export const inUpperCase = <T extends { readonly currency?: string | null }>(picked: T): T =>
  picked.currency ? { ...picked, currency: picked.currency.toUpperCase() } : picked;

/** A whole number of a query from `min` to `max`, with at most `digits` digits. */
export function wholeNumber(min: number, max: number, usual: number, digits = 9) {
  const error = `must be a whole number from ${min} to ${max}`;
  const read = z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`), { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
  return shownAs(read, { type: 'integer', minimum: min, maximum: max, default: usual });
}

/** The parameter `limit` of a list: 100 by default. */
export const limitUpTo = (max: number) => wholeNumber(1, max, 100, 3).default(100);

/** The parameter `cursor` of a list. */
export const cursorText = z
  .string()
  .max(1_000)
  .optional()
  .describe('The `nextCursor` of the page before; empty for the first page.');

/** A query string in which each name occurs once and each value is short. */
export const query = z.record(z.string(), z.string({ error: 'must be given once' }).pipe(text(MAX_LABEL * 4)));

/** The `Idempotency-Key` header; null if it was not sent. The operation checks its form. */
export const idempotencyKey = z
  .string()
  .nullish()
  .transform((key) => key ?? null);
