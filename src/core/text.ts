import { z } from 'zod';
import { coded, shownAs } from './input.ts';
import { parseWallet, WALLET_PATTERN, type Wallet } from './wallet.ts';

/** The longest texts, in UTF-16 units. */
export const MAX_LABEL = 256;
export const MAX_ID = 128;
export const MAX_DESCRIPTION = 4_000;

/** Whether PostgreSQL and JSON can represent the text: no NUL characters, no lone surrogates. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** A text of at most `max` characters that can be stored; it may be empty. */
export function text(max: number) {
  const error = `must be a string of at most ${max} characters`;
  return z.string({ error }).max(max, { error }).refine(isStorable, { error: UNSTORABLE });
}

/** A text of 1 to `max` characters that is not only spaces. */
export function filledText(max: number) {
  const error = `must be a string of 1 to ${max} characters`;
  return z
    .string({ error })
    .max(max, { error })
    .refine((value) => value.trim() !== '', { error })
    .refine(isStorable, { error: UNSTORABLE });
}

const UNSTORABLE = 'must not contain NUL characters or lone surrogates';

/** A name, or the label of an order line. */
export const label = filledText(MAX_LABEL);

/** An id or SKU chosen by the caller. */
export const identifier = filledText(MAX_ID);

/** A long text; it may be empty. */
export const description = text(MAX_DESCRIPTION);

/** At most 50 words, such as tags: trimmed, without empty words and duplicates. */
export const words = z
  .array(text(64))
  .max(50)
  .transform((all) => [...new Set(all.map((word) => word.trim()).filter((word) => word !== ''))]);

/** The same as a URL parameter, `a,b`, or as a list. No value is no word. */
export const wordList = z.preprocess((value) => (typeof value === 'string' ? value.split(',') : (value ?? [])), words);

/** A wallet in any letter case, converted to lower case; refused with `invalid_wallet`. */
export const wallet = shownAs(
  coded('invalid_wallet', (value) => parseWallet(value) !== null).transform((value) => parseWallet(value) as Wallet),
  { type: 'string', pattern: WALLET_PATTERN },
);

/** An e-mail address, checked roughly: only delivery proves that it exists. */
export const email = filledText(254).regex(/^[^\s@<>"]+@[^\s@<>"]+$/, { error: 'must be an e-mail address' });

/** A two-letter country code (ISO 3166), converted to upper case. */
export const country = z
  .string({ error: 'must be a two-letter country code' })
  .regex(/^[A-Za-z]{2}$/, { error: 'must be a two-letter country code' })
  .transform((code) => code.toUpperCase());
