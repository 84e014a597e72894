import { z } from 'zod';
import { type ErrorCode, errorCatalogue, malformed, Refusal, refuse } from './errors.ts';

/**
 * Parses `value`. Throws a refusal for the first fault. Its message begins with the field's path and states what is
 * expected (`items[0].qty must be a whole number from 1 to 100000`); `extra.field` holds the path. The code is
 * `invalid_input`, or the code of a `coded` schema.
 */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value, { error: sentenceFor });
  if (result.success) return result.data;
  throw refusalFor(result.error.issues[0]!);
}

/**
 * A check with its own error code, for the start of a pipe: `coded('items_required', isFilledList).pipe(…)`. A value
 * that fails it is refused with that code and `sentence`, which defaults to the catalogue's sentence.
 */
export function coded(code: ErrorCode, test: (value: unknown) => boolean, sentence: string = errorCatalogue[code][1]) {
  return z.transform((value: unknown, ctx) => {
    if (test(value)) return value;
    ctx.addIssue({ code: 'custom', message: sentence, params: { code } });
    return z.NEVER;
  });
}

/**
 * The same schema, documented in OpenAPI as the given JSON Schema. For schemas that zod cannot convert, such as
 * transforms and refinements.
 */
export function shownAs<S extends z.ZodType>(schema: S, shown: Readonly<Record<string, unknown>>): S {
  return schema.meta({ shown });
}

/** An optional field; null counts as omitted. */
export function optional<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** A field of an update. Omitted: unchanged. Null: cleared. */
export function clearable<S extends z.ZodType>(schema: S) {
  return schema.nullable().optional();
}

/** Reports a fault from a transform, at `path`. The sentence continues the path: `must not be negative`. */
export function fault(ctx: z.RefinementCtx, sentence: string, path: PropertyKey[] = []): typeof z.NEVER {
  ctx.addIssue({ code: 'custom', message: sentence, path });
  return z.NEVER;
}

/**
 * `['items', 0, 'qty']` → `items[0].qty`. A key that is not a plain word is shortened and quoted, so that an answer
 * never contains it raw.
 */
export function fieldOf(path: readonly PropertyKey[]): string {
  let field = '';
  for (const step of path) {
    if (typeof step === 'number') field += `[${step}]`;
    else if (typeof step === 'string' && /^\w{1,64}$/.test(step)) field += field === '' ? step : `.${step}`;
    else field += `[${JSON.stringify(String(step).slice(0, 64).toWellFormed())}]`;
  }
  return field;
}

function refusalFor(issue: z.core.$ZodIssue): Refusal {
  const field = fieldOf(issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path);
  const extra = field === '' ? {} : { field };
  const code = issue.code === 'custom' ? issue.params?.code : undefined;
  if (code !== undefined) return new Refusal(code as ErrorCode, issue.message, extra);
  if (field === '') return malformed(`The request body ${issue.message}`);
  return refuse('invalid_input', `${field} ${issue.message}`, { field });
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/** The sentence for schemas without a message of their own. */
function sentenceFor(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? `must be ${issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_big' && issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
  if (issue.code === 'unrecognized_keys') return 'is not a field of this request';
  return 'is not valid';
}
