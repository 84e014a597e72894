import { createHash } from 'node:crypto';
import type { IntlMessageFormat } from 'intl-messageformat';
import { type Area, type SentWords, type Words, wordsBy } from './fill.ts';
import { FILES } from './generated/files.ts';
import { type Language, localeOf } from './languages.ts';
import { catalogOf, type MessageFiles, parse, piecesOf } from './parse.ts';

const files: MessageFiles = FILES;

/** Each message that was used, parsed. */
const parsed = new Map<string, IntlMessageFormat>();

function messageOf(area: Area, language: Language, key: string): IntlMessageFormat {
  const name = `${area}/${language}/${key}`;
  const known = parsed.get(name);
  if (known) return known;
  const text = files[area]?.[language]?.[key];
  if (typeof text !== 'string') throw new Error(`There is no message ${name}`);
  const message = parse(text, localeOf(language));
  parsed.set(name, message);
  return message;
}

/**
 * The messages of an area in a language.
 *
 * @example
 * const say = wordsOf('payment', 'de');
 * say('title'); // a text
 * html`<p>${say.parts('paid', { shop: html`<bdi>${name}</bdi>` })}</p>`;
 */
export const wordsOf = <A extends Area>(area: A, language: Language): Words<A> =>
  wordsBy(language, (key, values) =>
    messageOf(area, language, key)
      .formatToParts(values)
      .map(({ value }) => value),
  );

/** The messages of an area for the script of a page: all, or those of some keys. */
export function sentWords<A extends Area>(
  area: A,
  language: Language,
  isNeeded: (key: string) => boolean = () => true,
): SentWords {
  const keys = Object.keys(files[area]?.en ?? {}).filter((key) => key !== '_checked' && isNeeded(key));
  return Object.fromEntries(keys.map((key) => [key, piecesOf(messageOf(area, language, key))]));
}

/** Throws an error that names each message that is missing, unknown, or has other placeholders than the English one. */
export const requireWholeMessages = (): void => void catalogOf(files);

/** The digest of all messages. */
export const messagesDigest = (): string => createHash('sha256').update(JSON.stringify(files)).digest('hex');
