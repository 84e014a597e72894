/** The languages of pages and mails. English is the source of every message. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ar'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language where nothing names another. */
export const SOURCE_LANGUAGE = 'en' satisfies Language;

/** The languages of the console. */
export const CONSOLE_LANGUAGES = ['en', 'de'] as const satisfies readonly Language[];

export type ConsoleLanguage = (typeof CONSOLE_LANGUAGES)[number];

/** Whether an area has texts of the console. */
export const isOfConsole = (area: string): boolean => area.startsWith('console');

/** The languages that the messages of an area are in. */
export const languagesOf = (area: string): readonly Language[] => (isOfConsole(area) ? CONSOLE_LANGUAGES : LANGUAGES);

/** The language of the console that a language stands for: English where the console is not in it. */
export const consoleLanguageOf = (language: Language | null): ConsoleLanguage =>
  CONSOLE_LANGUAGES.find((each) => each === language) ?? SOURCE_LANGUAGE;

/** Each language's own name, for the switch of a page. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ar: 'العربية',
};

/** The locale of a language for `Intl`. Arabic has Latin digits, as everything has that a buyer types into a wallet. */
export const localeOf = (language: Language): string =>
  language === 'en' ? 'en-GB' : language === 'ar' ? 'ar-u-nu-latn' : language;

/** What stands between a name and its value. In French it keeps to the name. */
export const colonOf = (language: Language): string => (language === 'fr' ? '\u00a0: ' : ': ');

/** The direction of a language, for `dir`. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** The language that a tag such as `de-AT` names; null if there are no messages in it. */
export function languageOf(tag: unknown): Language | null {
  if (typeof tag !== 'string') return null;
  const [primary] = tag.trim().toLowerCase().split('-', 1);
  return LANGUAGES.find((language) => language === primary) ?? null;
}

/** The first of a browser's languages that there are messages in, by the header `Accept-Language`; null without any. */
export function acceptedLanguage(header: string | undefined, among: readonly Language[] = LANGUAGES): Language | null {
  const wanted = (header ?? '').split(',').map((entry) => {
    const [tag, ...parameters] = entry.split(';');
    const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean);
    return { language: languageOf(tag), quality: quality === undefined ? 1 : Math.min(1, Number(quality)) };
  });
  const best = wanted
    .filter(({ language, quality }) => language !== null && among.includes(language) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  return best[0]?.language ?? null;
}
