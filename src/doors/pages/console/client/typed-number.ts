import { locale as ownLocale } from '../shared/words.ts';

/**
 * What a number field holds. `money`: an amount with two decimals. `rate`: a price of one unit, with up to eight.
 * `percent`: at most 100, with up to four. `whole`: a count.
 */
export type NumberKind = 'money' | 'rate' | 'percent' | 'whole';

/** What was typed: a number, a text that can be read as one of these numbers and is asked about, or none (null). */
export type Typed = { readonly value: number } | { readonly either: readonly number[] } | null;

const DECIMALS: Readonly<Record<NumberKind, number>> = { money: 2, rate: 8, percent: 4, whole: 0 };

/** The signs of each currency, as the locales write them. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  USD: ['US$', '$ US', '$US', '$', '＄', 'USD'],
  EUR: ['€', 'EUR'],
};

const PERCENT_SIGNS = ['%', '٪', '％'];

/** Marks of the direction of writing, which locales put around numbers and signs. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The digits of each script stand one after the other, in groups of ten. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!;
  let first = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** A text with the digits and separators of any script as `0`–`9`, `.`, `,` and, between groups of digits, a space. */
export const plainDigits = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[．。]/g, '.')
    .replace(/[，،、]/g, ',')
    .replace(/\s|(?<=\d)['’ʼ＇٬](?=\d)/g, ' ')
    .trim();

/** The text without one sign before or after it. */
function withoutSign(text: string, signs: readonly string[]): string {
  const upper = text.toUpperCase();
  const before = signs.find((sign) => upper.startsWith(sign));
  if (before !== undefined) return text.slice(before.length).trim();
  const after = signs.find((sign) => upper.endsWith(sign));
  return after === undefined ? text : text.slice(0, text.length - after.length).trim();
}

/** Groups of three digits, or of two before the last three as in India. */
const GROUPED = /^\d{1,3}(?:[ .,]\d{3})+$|^\d{1,2}(?:[ .,]\d{2})*[ .,]\d{3}$/;

/** Digits in groups with one kind of separator, without them; digits alone as they are; null for anything else. */
function ungrouped(text: string): string | null {
  if (/^\d+$/.test(text)) return text;
  const separators = new Set(text.replace(/\d/g, ''));
  return separators.size === 1 && GROUPED.test(text) ? text.replace(/\D/g, '') : null;
}

/** The decimal text with at most so many decimals; null if it has more, beside zeros. */
function decimalOf(whole: string | null, fraction: string, most: number): number | null {
  const digits = fraction.replace(/0+$/, '');
  if (whole === null || whole.length > 12 || digits.length > most) return null;
  return Number(`${whole}.${digits || '0'}`);
}

const fractionOf = (whole: string | null, fraction: string, most: number): number | null =>
  /^\d+$/.test(fraction) ? decimalOf(whole, fraction, most) : null;

const isNumber = (value: number | null): value is number => value !== null;

/**
 * Reads a number as people of any country write it: with their digits, their separators, and the sign of its currency
 * or `%`. What can be read in two ways, `1,250` and `1.250`, is not guessed.
 *
 * @example readNumber('1.250,00', 'money', 'EUR') // { value: 1250 }
 */
export function readNumber(text: string, kind: NumberKind, currency = ''): Typed {
  const signs = kind === 'percent' ? PERCENT_SIGNS : (SIGNS[currency] ?? []);
  // The Arabic sign of the decimals has no other use.
  const [whole = '', fraction, ...rest] = withoutSign(plainDigits(text), signs).split('٫');
  if (rest.length > 0) return null;
  const most = DECIMALS[kind];
  const one = (value: number | null): Typed => (value === null ? null : { value });
  if (fraction !== undefined) return one(fractionOf(ungrouped(whole), fraction, most));
  const last = Math.max(whole.lastIndexOf('.'), whole.lastIndexOf(','));
  const asWhole = ungrouped(whole);
  if (last < 0) return one(decimalOf(asWhole, '', most));
  const before = whole.slice(0, last);
  const after = whole.slice(last + 1);
  const asDecimal = before.includes(whole[last]!) ? null : fractionOf(ungrouped(before), after, most);
  const isUnsure = /^[1-9]\d{0,2}[.,]\d{3}$/.test(whole);
  if (!isUnsure || kind === 'percent') return one(asDecimal ?? (isUnsure ? null : wholeOf(asWhole, most)));
  if (kind === 'whole') return one(wholeOf(asWhole, most));
  return { either: [...new Set([wholeOf(asWhole, most), asDecimal].filter(isNumber))] };
}

const wholeOf = (digits: string | null, most: number): number | null => decimalOf(digits, '', most);

/** The number that a text is; null if it is none, or can be read in two ways. */
export function numberFrom(text: string, kind: NumberKind, currency = ''): number | null {
  const typed = readNumber(text, kind, currency);
  return typed !== null && 'value' in typed ? typed.value : null;
}

/** A number as it is typed in a locale, that of the console by default: `12,50`. Reading it gives the same number. */
export function numberText(value: number, kind: NumberKind, locale = ownLocale): string {
  const written = (least: number) =>
    new Intl.NumberFormat(locale, {
      useGrouping: false,
      minimumFractionDigits: least,
      maximumFractionDigits: DECIMALS[kind],
    }).format(value);
  if (kind === 'money') return written(2);
  // With three decimals it could be read as thousands.
  return kind === 'rate' && decimalsOf(value) === 3 ? written(4) : written(0);
}

const decimalsOf = (value: number): number => String(value).split('.')[1]?.length ?? 0;
