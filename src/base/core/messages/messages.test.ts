import { expect, test } from 'vitest';
import { fill, wordsFrom } from './fill.ts';
import { FILES } from './generated/files.ts';
import { acceptedLanguage, LANGUAGES, type Language, languageOf, localeOf } from './languages.ts';
import { catalogOf, type MessageFiles, parse, piecesOf, placeholdersOf } from './parse.ts';
import { requireWholeMessages, sentWords, wordsOf } from './words.ts';

/** One area in all languages, with one message in each; `other` replaces that of German. */
const areaWith = (text: string, other?: Record<string, string | boolean>): MessageFiles => ({
  shop: {
    ...Object.fromEntries(LANGUAGES.map((language) => [language, { _checked: true, title: text }])),
    ...(other && { de: { _checked: false, ...other } }),
  },
});

test('the messages of all areas are whole in every language', () => {
  expect(requireWholeMessages).not.toThrow();
});

test.each([
  ['a key that a language lacks', {}, 'messages/shop/de.json: title is missing'],
  ['a key that English lacks', { title: 'Hallo {name}', more: 'x' }, 'de.json: more is not in the English file'],
  ['another placeholder', { title: 'Hallo {nam}' }, 'de.json: title has the placeholders [["nam","text"]]'],
  ['another kind of placeholder', { title: 'Hallo {name, number}' }, 'title has the placeholders [["name","number"]]'],
  ['a lost placeholder', { title: 'Hallo' }, 'de.json: title has the placeholders []'],
  ['an empty message', { title: ' ' }, 'de.json: title: is empty'],
  ['markup', { title: 'Hallo <b>{name}</b>' }, 'de.json: title: has <'],
  ['a quoting apostrophe', { title: "Hallo '{name}'" }, "de.json: title: has '"],
  ['an open brace', { title: 'Hallo {name' }, 'de.json: title: '],
  ['a date', { title: 'Hallo {name, date}' }, 'title: Only texts, numbers, plurals'],
  ['the format of a number', { title: '{name, number, percent}' }, 'title: {name} has a format'],
  ['a plural without a form', { title: '{name, plural, other {#}}' }, 'title: {name} has no plural for one'],
  ['no word on a native reader', { title: 'Hallo {name}', _checked: 'yes' }, 'de.json: "_checked" says'],
])('%s does not build, and file and key are named', (_, messages, fault) => {
  expect(() => catalogOf(areaWith('Hello {name}', messages))).toThrow(fault);
});

test('Arabic has each of its six plurals', () => {
  const files = areaWith('{n, plural, one {# page} other {# pages}}');
  expect(() => catalogOf(files)).toThrow('messages/shop/ar.json: title: {n} has no plural for zero, two, few, many');
});

test.each(['Total : {name}', 'Payer?', '« {name}\u00a0»', 'Fin ; {name}'])(
  'a sign of French stands at a no-break space, or "%s" does not build',
  (title) => {
    const { shop } = areaWith('Hello {name}');
    const built = (text: string) => () => catalogOf({ shop: { ...shop, fr: { _checked: true, title: text } } });
    expect(built(title)).toThrow('messages/shop/fr.json: title: has "');
    expect(built('« {name} » ! {name}'.replaceAll(/ (?=[»!])|(?<=«) /g, '\u00a0'))).not.toThrow();
  },
);

test('a language without a file does not build', () => {
  const { ar: _, ...others } = areaWith('Hello').shop!;
  expect(() => catalogOf({ shop: others })).toThrow('messages/shop/ar.json: title is missing');
});

test('the console is in English and German: one of both that is missing, and a third one, do not build', () => {
  const texts = { _checked: true, title: 'Home' };
  expect(() => catalogOf({ console: { en: texts, de: texts } })).not.toThrow();
  expect(() => catalogOf({ consoleShop: { en: texts } })).toThrow('messages/consoleShop/de.json: title is missing');
  expect(() => catalogOf({ console: { en: texts, de: texts, fr: texts } })).toThrow(
    'messages/console/fr.json: the area is in en, de only',
  );
});

test('an unknown key, and a missing or wrong placeholder, are no type', () => {
  const say = wordsOf('pages', 'en');
  expect(say('moment')).toBe('One moment, please');
  // @ts-expect-error There is no such key.
  expect(() => say('momentum')).toThrow('There is no message pages/en/momentum');
  // @ts-expect-error This message has no placeholder.
  say('moment', { name: 'x' });
});

const numbers = [0, 1, 2, 3, 5, 10, 11, 21, 99, 100, 101, 1_000, 12_345];

/** Values for the placeholders of a message; `number` for each of its numbers. */
const valuesFor = (pieces: ReturnType<typeof piecesOf>, number: number) =>
  Object.fromEntries(
    Object.entries(placeholdersOf(pieces)).map(([name, kind]) => [name, kind === 'number' ? number : name]),
  );

test('a browser fills every message as the server does', () => {
  const own = {
    counts: '{n, plural, zero {z} one {# one} two {two} few {# few} many {# many} other {# {what}}} of {n, number}',
    exact: '{n, plural, =0 {none} =1 {one of {m, number}} one {#} other {#, {m, plural, one {#} other {# more}}}}',
    choice: '{what, select, what {this} other {that #}} and {other, select, x {this} other {that {what}}}',
  };
  const texts = [...Object.values(FILES).flatMap((area) => Object.entries(area)), ['own', own] as const];
  for (const [name, file] of texts)
    for (const text of Object.values(file))
      for (const language of LANGUAGES.filter((each) => each === name || name === 'own')) {
        if (typeof text !== 'string') continue;
        const locale = localeOf(language);
        const message = parse(text, locale);
        const pieces = piecesOf(message);
        for (const number of numbers) {
          const values = valuesFor(pieces, number);
          expect(fill(pieces, values, locale).join(''), `${locale} ${text} ${number}`).toBe(message.format(values));
        }
      }
});

test('a placeholder may be a part of a page, on the server and in a browser', () => {
  const link = { href: '/x' };
  const pieces = piecesOf(parse('See {link}, {name}.', 'en'));
  expect(fill<unknown>(pieces, { link, name: 'Ada' }, 'en')).toEqual(['See ', link, ', ', 'Ada', '.']);
});

test('numbers have Latin digits in every language', () => {
  const pieces = piecesOf(parse('{n, number} {n, plural, other {#}}', 'en'));
  for (const language of LANGUAGES) {
    const text = fill(pieces, { n: 1_234_567 }, localeOf(language)).join('');
    expect(text.replaceAll(/\D/g, ''), language).toBe('12345671234567');
  }
});

test('a browser gets the messages that its script needs, and no others', () => {
  const sent = sentWords('pages', 'de', (key) => key === 'moment');
  expect(sent).toEqual({ moment: 'Einen Moment, bitte' });
  expect(wordsFrom<'pages'>(sent, 'de')('moment')).toBe('Einen Moment, bitte');
  expect(Object.keys(sentWords('pages', 'de'))).not.toContain('_checked');
});

test.each<[string, Language | null]>([
  ['de', 'de'],
  ['de-AT, en;q=0.5', 'de'],
  ['ja, fr-CA;q=0.7, en;q=0.8', 'en'],
  ['ar-EG;q=0.9, fr;q=0.91', 'fr'],
  ['en;q=0, es', 'es'],
  ['de;q=0', null],
  ['*, ja', null],
  [',;q=1,de;q=x', 'de'],
  ['', null],
  ['zh', null],
  ['de-CH, de;q=0.9, en;q=0.8, *;q=0.5', 'de'],
  ['fr;q=9, es', 'fr'],
  ['es, fr;q=9', 'es'],
  ['de;q=., fr;q=1.2.3, es;q=0.1', 'es'],
  ['de;level=1;q=0.2, fr ; q=0.3', 'fr'],
  ['DE-at-1996', 'de'],
  [';;;,,,=,q=1;de,\u0000', null],
  [`${'zh-Hant;q=0.9, '.repeat(1_000)}ar;q=0.001`, 'ar'],
  ['de;Q=0.1, fr;q=0.5', 'fr'],
])('the header %s asks for %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

test('a tag names a language by its first part, and other text names none', () => {
  expect([languageOf('DE-at'), languageOf('deu'), languageOf(''), languageOf(7), languageOf(['de'])]).toEqual([
    ...['de', null, null, null, null],
  ]);
});
