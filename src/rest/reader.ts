import type { z } from 'zod';
import { parseInput } from '../core/input.ts';
import type { UrlPolicy } from '../core/url.ts';
import type { RestRequest } from './route.ts';

/** How a part of a request is read: the schema that checks it (and that the API document shows), and what comes out. */
export interface Reader<Part> {
  readonly schema: z.ZodType;
  /** Refuses what the schema does not take. */
  readonly read: (request: RestRequest) => Part;
}

/** A schema, or one for each rule for callers' addresses; documents show the strict one. */
type Checks<S> = S | ((urls: UrlPolicy) => S);

/** Reads a JSON body. With `mayBeMissing`, no body at all counts as an empty object. */
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

/** Reads the parameters of a query, which are all texts. */
export function readsQuery<S extends z.ZodType, Part>(schema: S, into: (checked: z.output<S>) => Part): Reader<Part> {
  return { schema, read: ({ query }) => into(parseInput(schema, query)) };
}

const schemaAt = <S extends z.ZodType>(checks: Checks<S>) =>
  typeof checks === 'function' ? (checks as (urls: UrlPolicy) => S) : () => checks as S;
