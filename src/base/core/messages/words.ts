import { createHash } from 'node:crypto';
import type { IntlMessageFormat } from 'intl-messageformat';
import { type Area, type Pieces, type SentTree, type SentWords, type Words, wordsBy } from './fill.ts';
import { FILES } from './generated/files.ts';
import { type ConsoleLanguage, isOfConsole, type Language, localeOf } from './languages.ts';
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

/** A message without a brace is its text: nothing is parsed. */
function piecesAt(area: Area, language: Language, key: string): Pieces {
  const text = files[area]?.[language]?.[key];
  return typeof text === 'string' && !text.includes('{') ? text : piecesOf(messageOf(area, language, key));
}

/** The messages of an area for the script of a page: all, or those of some keys. */
export function sentWords<A extends Area>(
  area: A,
  language: Language,
  isNeeded: (key: string) => boolean = () => true,
): SentWords {
  const keys = Object.keys(files[area]?.en ?? {}).filter((key) => key !== '_checked' && isNeeded(key));
  return Object.fromEntries(keys.map((key) => [key, piecesAt(area, language, key)]));
}

/** Whether a native reader has checked all texts in a language: of the console, or of pages for buyers and mails. */
export const isChecked = (language: Language, ofConsole: boolean): boolean =>
  Object.keys(files)
    .filter((area) => isOfConsole(area) === ofConsole)
    .every((area) => files[area]?.[language]?._checked === true);

/** All texts of the console in a language, by the parts of their keys: what its script fills in a browser. */
export function consoleTree(language: ConsoleLanguage): { readonly [part: string]: SentTree } {
  const tree: { [part: string]: SentTree } = {};
  for (const area of Object.keys(files).filter(isOfConsole) as Area[]) {
    for (const [key, pieces] of Object.entries(sentWords(area, language))) {
      const parts = key.split('.');
      const last = parts.pop() as string;
      let place = tree;
      for (const part of parts) {
        place[part] ??= {};
        place = place[part] as typeof tree;
      }
      place[last] = pieces;
    }
  }
  return tree;
}

/** Throws an error that names each message that is missing, unknown, or has other placeholders than the English one. */
export const requireWholeMessages = (): void => void catalogOf(files);

/** The digest of all messages. */
export const messagesDigest = (): string => createHash('sha256').update(JSON.stringify(files)).digest('hex');
