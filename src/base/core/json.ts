import { z } from 'zod';
import { shownAs } from './input.ts';
import { isStorable } from './limits.ts';

/** Limits of a JSON object from a caller: bytes of its text, keys of its top level, and levels of nesting. */
const MAX_JSON_BYTES = 8_192;
const MAX_JSON_KEYS = 50;
const MAX_JSON_DEPTH = 10;

/** Objects and lists of requests that hold a number whose text had more digits than the number. */
const roundedWithin = new WeakSet<object>();

/** A number of more digits or a larger exponent than any that is kept whatever it is. It may stand within a string. */
const MAY_BE_ROUNDED = /[:[,]\s*-?(?:[\d.]{16}|[\d.]+[eE][+-]?\d{3})/;
/** The strings and numbers of a JSON text. */
const SCALARS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;
/** A reviver takes fifty times as long as the parser without one, so a longer text is refused. */
const MAX_REVIVED = 65_536;

/**
 * The value of a JSON text that a caller sent. `jsonObject` refuses what holds a number that lost digits. Throws if the
 * text is not JSON, or if it has such a number and is too long or too deep to find it.
 *
 * @param parsed its value, if it is parsed already
 */
export function parseSent(text: string, parsed?: unknown): unknown {
  const value = parsed ?? JSON.parse(text);
  if (!MAY_BE_ROUNDED.test(text) || !hasRounded(text)) return value;
  if (text.length > MAX_REVIVED) throw new RangeError('numbers that lose digits');
  return JSON.parse(text, noteRounded);
}

function hasRounded(text: string): boolean {
  for (const [scalar] of text.matchAll(SCALARS)) if (scalar[0] !== '"' && isRounded(scalar)) return true;
  return false;
}

/** A reviver that changes nothing, and notes where a number lost digits. */
export function noteRounded(this: object, _key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value === 'number' && source !== undefined && isRounded(source)) roundedWithin.add(this);
  return value;
}

/** Whether a number of JavaScript has another value than the text of a number. */
export function isRounded(text: string): boolean {
  const kept = String(Number(text));
  return kept !== text && decimalOf(text) !== decimalOf(kept);
}

/** A number's sign, significant digits and exponent: equal for `1.50`, `15e-1` and `1.5`. */
function decimalOf(text: string): string {
  const [, sign, whole = '', part = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = whole + part;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  const significant = digits.slice(0, end).replace(/^0+/, '');
  return significant === ''
    ? whole && '0'
    : `${sign}${significant}e${Number(exponent) - part.length + digits.length - end}`;
}

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
 * stored, numbers that are not finite or lost digits when they were parsed, integers beyond ±(2⁵³ − 1), and the key
 * `__proto__` at any level.
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

/** What is wrong with a number that lost digits, after the name of a field. */
export const ROUNDED = 'must contain numbers that keep their digits as 64-bit floating point; send others as strings';

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
  return roundedWithin.has(value) ? ROUNDED : null;
}
