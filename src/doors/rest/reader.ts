import type { z } from 'zod';
import type { Caller } from '../../base/core/caller.ts';
import { parseInput } from '../../base/core/input.ts';
import type { UrlPolicy } from '../../base/core/url.ts';

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
