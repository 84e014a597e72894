import { z } from 'zod';
import { shownAs } from './input.ts';
import { isStorable } from './limits.ts';

/** Limits of a JSON object from a caller: bytes of its text, keys of its top level, and levels of nesting. */
const MAX_JSON_BYTES = 8_192;
const MAX_JSON_KEYS = 50;
const MAX_JSON_DEPTH = 10;

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A plain JSON object of at most 8 KiB, 50 keys and 10 levels, returned unchanged. Refused: strings that cannot be
 * stored, numbers that are not finite, integers beyond ±(2⁵³ − 1), which would lose digits, and the key `__proto__` at
 * any level.
 */
export const jsonObject = shownAs(
  z
    .custom<Record<string, unknown>>(isObject, { error: 'must be a JSON object', abort: true })
    .superRefine((value, ctx) => {
      const wrong = faultIn(value);
      if (wrong) ctx.addIssue({ code: 'custom', message: wrong });
    }),
  { type: 'object', maxProperties: MAX_JSON_KEYS, additionalProperties: true },
);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fault, as a sentence that follows the field's name; null if there is none. */
function faultIn(value: Record<string, unknown>): string | null {
  if (Object.keys(value).length > MAX_JSON_KEYS) return `must have at most ${MAX_JSON_KEYS} keys`;
  // Check the depth before JSON.stringify recurses: it overflows the stack on a depth that JSON.parse accepts.
  const wrong = faultWithin(value, 1);
  if (wrong) return wrong;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > MAX_JSON_BYTES ? `must be at most ${MAX_JSON_BYTES} bytes of JSON; it is ${bytes}` : null;
}

function faultOfNumber(value: number): string | null {
  if (!Number.isFinite(value)) return 'must contain finite numbers only';
  // An integer as large as this has been rounded when it was parsed.
  return Number.isInteger(value) && !Number.isSafeInteger(value)
    ? 'must contain integers of at most ±9007199254740991; send larger ones as strings'
    : null;
}

function faultWithin(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : 'must not contain NUL characters or lone surrogates';
  if (typeof value === 'number') return faultOfNumber(value);
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value !== 'object') return 'must be plain JSON';
  if (depth > MAX_JSON_DEPTH) return `must not be nested deeper than ${MAX_JSON_DEPTH} levels`;
  for (const [key, member] of Object.entries(value)) {
    if (key === '__proto__') return 'must not contain the key __proto__';
    const wrong =
      (isStorable(key) ? null : 'must not contain NUL characters or lone surrogates in its keys') ??
      faultWithin(member, depth + 1);
    if (wrong) return wrong;
  }
  return null;
}
