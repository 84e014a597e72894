import { z } from 'zod';
import { coded, fault, shownAs } from './input.ts';
import { isStorable, MAX_DESCRIPTION, MAX_ID, MAX_LABEL, MAX_WORD, MAX_WORDS, plainSku } from './limits.ts';
import { parseWallet, WALLET_PATTERN, type Wallet } from './wallet.ts';

/** A text of at most `max` characters that can be stored; it may be empty. */
export function text(max: number) {
  const error = `must be a string of at most ${max} characters`;
  return z.string({ error }).max(max, { error }).refine(isStorable, { error: UNSTORABLE });
}

/** A text of 1 to `max` characters that is not only spaces. */
export const filledText = (max: number) => filled(z.string({ error: wantedOf(max) }), max);

/** The same, without the spaces around it. They do not count. */
const trimmedText = (max: number) => filled(z.string({ error: wantedOf(max) }).trim(), max);

const wantedOf = (max: number) => `must be a string of 1 to ${max} characters`;

function filled(string: z.ZodString, max: number) {
  const error = wantedOf(max);
  return string
    .max(max, { error })
    .refine((value) => value.trim() !== '', { error })
    .refine(isStorable, { error: UNSTORABLE });
}

const UNSTORABLE = 'must not contain NUL characters or lone surrogates';

/** A name, or the label of an order line. */
export const label = filledText(MAX_LABEL);

/** An id or SKU chosen by the caller. Spaces around it are no part of it. */
export const identifier = trimmedText(MAX_ID);

/** The SKU of a product. */
export const sku = filled(z.string({ error: wantedOf(MAX_ID) }).overwrite(plainSku), MAX_ID);

/** A long text; it may be empty. */
export const description = text(MAX_DESCRIPTION);

/** At most 50 words, such as tags: trimmed, without empty words and duplicates. */
export const words = z
  .array(text(MAX_WORD))
  .max(MAX_WORDS)
  .transform((all) => [...new Set(all.map((word) => word.trim()).filter((word) => word !== ''))]);

/** The same as a URL parameter, `a,b`, or as a list. No value is no word. */
export const wordList = z.preprocess((value) => (typeof value === 'string' ? value.split(',') : (value ?? [])), words);

/** A wallet in any letter case, converted to lower case; refused with `invalid_wallet`. */
export const wallet = shownAs(
  coded('invalid_wallet', (value) => parseWallet(value) !== null).transform((value) => parseWallet(value) as Wallet),
  { type: 'string', pattern: WALLET_PATTERN },
);

/** Without the signs of lists, groups and literal addresses, and without empty parts: no server delivers to them. */
const MAILBOX = /^(?!\.)(?!.*\.(?:\.|@|$))[^\s@<>"(),:;[\]\\]+@(?!\.)[^\s@<>"(),:;[\]\\]+$/;

/**
 * An e-mail address, checked roughly: only delivery proves that it exists. Spaces around it, as a phone's keyboard adds
 * them, are no part of it.
 */
export const email = trimmedText(254).regex(MAILBOX, { error: 'must be an e-mail address' });

const LANGUAGE_TAG = { error: 'must be the tag of a language (BCP 47), such as de or pt-BR' };

/** The tag of a language, in its usual letter case: `pt-BR`. There need not be messages in it. */
export const languageTag = z
  .string(LANGUAGE_TAG)
  .max(35, LANGUAGE_TAG)
  .regex(/^[a-z]{2,3}(-|$)/i, LANGUAGE_TAG)
  .transform((tag, ctx) => {
    try {
      return Intl.getCanonicalLocales(tag)[0] as string;
    } catch {
      return fault(ctx, LANGUAGE_TAG.error);
    }
  });

/** A two-letter country code (ISO 3166), converted to upper case. Spaces around it are no part of it. */
export const country = z
  .string({ error: 'must be a two-letter country code' })
  .trim()
  .regex(/^[A-Za-z]{2}$/, { error: 'must be a two-letter country code' })
  .transform((code) => code.toUpperCase());

/** Small letters that are a form of another one, such as the sigma that ends a word; and those other ones. */
export const LETTER_FORMS = { forms: 'ςſµϐϑϕϖϰϱϵẛι', letters: 'σsμβθφπκρεṡι' } as const;
const FORM = new RegExp(`[${LETTER_FORMS.forms}]`, 'g');

/**
 * A text without differences of letter case and of the forms of one letter (NFC, NFD, at the end of a word): what every
 * search compares. `folded` of `platform/postgres/query.ts` is the same in a statement.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    // The dot that JavaScript keeps of a capital İ.
    .replaceAll('i\u0307', 'i')
    .replace(FORM, (form) => LETTER_FORMS.letters[LETTER_FORMS.forms.indexOf(form)] as string);
