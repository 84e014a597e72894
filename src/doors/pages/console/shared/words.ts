import { filledTree, type SentTree } from '../../../../base/core/messages/fill.ts';
import type { ConsoleWords } from '../../../../base/core/messages/generated/messages.d.ts';
import { type ConsoleLanguage, localeOf } from '../../../../base/core/messages/languages.ts';

/** What the script of a language, which runs before that of the console, leaves in the page. */
export interface SentConsole {
  readonly language: ConsoleLanguage;
  /** Whether a native reader has checked the texts. */
  readonly checked: boolean;
  /** The languages of buyers whose texts no native reader has checked. */
  readonly unchecked: readonly string[];
  readonly tree: SentTree;
}

declare global {
  var consoleWords: SentConsole | undefined;
}

/** The language that the console is shown in. */
export const language: ConsoleLanguage = globalThis.consoleWords?.language ?? 'en';

/** Whether a native reader has checked the texts of the language. */
export const isChecked: boolean = globalThis.consoleWords?.checked ?? true;

/** Whether no native reader has checked what buyers read in a language. */
export const isUnchecked = (language: string): boolean =>
  globalThis.consoleWords?.unchecked.includes(language) ?? false;

/** The reader's own locale in the language of the console, such as `en-US`; the language's usual one without any. */
const ownLocale = (): string =>
  globalThis.navigator?.languages?.find((each) => each.toLowerCase().split('-')[0] === language) ?? localeOf(language);

/** The locale of dates, numbers and lists. */
export const locale: string = ownLocale();

/** Every text of the console, in its language. The server draws no page of the console and has none. */
export const words = filledTree(globalThis.consoleWords?.tree ?? {}, locale) as ConsoleWords;

const lists =
  (type: Intl.ListFormatType) =>
  (texts: readonly string[]): string =>
    new Intl.ListFormat(locale, { type }).format(texts);

/** Texts as a list: `a, b and c`. */
export const andText = lists('conjunction');

/** Texts as a choice: `a, b or c`. */
export const orText = lists('disjunction');

/** The word for a name that may be one without a word. */
export const wordFor = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
