import { IntlMessageFormat } from 'intl-messageformat';
import type { Piece, Pieces } from './fill.ts';
import { type Language, languagesOf, localeOf, SOURCE_LANGUAGE } from './languages.ts';

type Node = ReturnType<IntlMessageFormat['getAst']>[number];

/** A message for a locale, parsed. Markup is no part of messages: what a page marks is a placeholder. */
export const parse = (text: string, locale: string): IntlMessageFormat =>
  new IntlMessageFormat(text, locale, undefined, { ignoreTag: true });

/** The parts of a message. Throws for what pages do not fill: dates, formats of numbers, offsets. */
export const piecesOf = (message: IntlMessageFormat): Pieces => joined(message.getAst());

function joined(nodes: readonly Node[]): Pieces {
  const [first, ...others] = nodes.map(pieceOf);
  if (typeof first === 'string' && others.length === 0) return first;
  return first === undefined ? '' : [first, ...others];
}

/** The numbers are those of the parser's `TYPE`. */
function pieceOf(node: Node): Piece {
  switch (node.type) {
    case 0:
      return node.value;
    case 1:
      return [node.value];
    case 2:
      if (node.style) throw new Error(`{${node.value}} has a format: a number has none`);
      return [node.value, 'n'];
    case 5:
      return [node.value, 's', optionsOf(node)];
    case 6:
      if (node.offset !== 0 || node.pluralType !== 'cardinal') throw new Error(`{${node.value}} is no plain plural`);
      return [node.value, 'p', optionsOf(node)];
    case 7:
      return 0;
    default:
      throw new Error('Only texts, numbers, plurals and selections are placeholders: a page writes dates itself');
  }
}

const optionsOf = ({ options }: Extract<Node, { options: unknown }>): Record<string, Pieces> =>
  Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, joined(value)]));

/** What a placeholder takes. */
export type Kind = 'text' | 'number' | 'choice';

const KINDS = { n: 'number', p: 'number', s: 'choice' } as const;

const placeholders = (pieces: Pieces) =>
  typeof pieces === 'string' ? [] : pieces.filter((piece) => typeof piece === 'object');

/** The placeholders of a message with what each takes. */
export function placeholdersOf(pieces: Pieces): Record<string, Kind> {
  const found: Record<string, Kind> = {};
  for (const piece of placeholders(pieces)) {
    const [name, kind, options = {}] = piece;
    // A number may also be written as it is.
    if (kind || !(name in found)) found[name] = kind ? KINDS[kind] : 'text';
    for (const option of Object.values(options)) {
      for (const [inner, takes] of Object.entries(placeholdersOf(option))) found[inner] ??= takes;
    }
  }
  return found;
}

/** The files of all areas, by their languages. Each has its messages, and says whether a native reader checked them. */
export type MessageFiles = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, string | boolean>>>>>
>;

/** The placeholders of each message, by area and key. Throws an error that names the file and key of each fault. */
export function catalogOf(files: MessageFiles): Record<string, Record<string, Record<string, Kind>>> {
  const faults: string[] = [];
  const catalog = Object.fromEntries(
    Object.entries(files).map(([area, languages]) => {
      const wanted = languagesOf(area);
      for (const language of Object.keys(languages).filter((each) => !wanted.some((one) => one === each)))
        faults.push(`messages/${area}/${language}.json: the area is in ${wanted.join(', ')} only`);
      const messages = Object.fromEntries(
        wanted.map((language) => [
          language,
          messagesOf(languages[language], language, (fault) =>
            faults.push(`messages/${area}/${language}.json: ${fault}`),
          ),
        ]),
      ) as Record<Language, Messages>;
      const source = messages[SOURCE_LANGUAGE];
      for (const language of wanted)
        faults.push(
          ...differences(source, messages[language]).map((fault) => `messages/${area}/${language}.json: ${fault}`),
        );
      return [area, source];
    }),
  );
  if (faults.length > 0) throw new Error(`Messages that do not fit:\n${faults.join('\n')}`);
  return catalog;
}

type Messages = Record<string, Record<string, Kind>>;

function messagesOf(
  file: MessageFiles[string][string] | undefined,
  language: Language,
  report: (fault: string) => void,
): Messages {
  if (!file) return {};
  const { _checked, ...texts } = file;
  if (typeof _checked !== 'boolean') report('"_checked" says whether a native reader has checked the file');
  const messages: Messages = {};
  for (const [key, text] of Object.entries(texts)) {
    try {
      messages[key] = placeholdersIn(text, language);
    } catch (error) {
      report(`${key}: ${(error as Error).message}`);
    }
  }
  return messages;
}

/** An apostrophe quotes in this syntax, and a sign of markup would be shown: both are other signs in good print. */
const UNFIT = /['<>]/;
/** In French a no-break space keeps these signs on the line of their word. */
const LOOSE = /[^\u00a0\u202f](?:[;!?»]|:(?!\/\/))|«[^\u00a0\u202f]/;

function placeholdersIn(text: string | boolean, language: Language): Record<string, Kind> {
  if (typeof text !== 'string' || text.trim() === '') throw new Error('is empty');
  if (UNFIT.test(text)) throw new Error(`has ${UNFIT.exec(text)}: write ’, and leave markup to the page`);
  if (language === 'fr' && LOOSE.test(text)) throw new Error(`has "${LOOSE.exec(text)}" without a no-break space`);
  const pieces = piecesOf(parse(text, localeOf(language)));
  for (const missing of lackingForms(pieces, language)) throw new Error(missing);
  return placeholdersOf(pieces);
}

/** The categories of a language's plurals that a number below a thousand can have. */
const formsOf = (language: Language): string[] => {
  const rules = new Intl.PluralRules(localeOf(language));
  return [...new Set(Array.from({ length: 1_000 }, (_, number) => rules.select(number)))];
};

function lackingForms(pieces: Pieces, language: Language): string[] {
  return placeholders(pieces).flatMap(([name, kind, options = {}]) => {
    const lacking = kind === 'p' ? formsOf(language).filter((form) => !(form in options)) : [];
    const own = lacking.length > 0 ? [`{${name}} has no plural for ${lacking.join(', ')}`] : [];
    return [...own, ...Object.values(options).flatMap((option) => lackingForms(option, language))];
  });
}

/** How the messages of a language differ from their source. */
function differences(source: Messages, messages: Messages): string[] {
  const written = (placeholders: Record<string, Kind> | undefined) =>
    JSON.stringify(Object.entries(placeholders ?? {}).toSorted(([a], [b]) => a.localeCompare(b)));
  return [
    ...Object.keys(source).flatMap((key) => (key in messages ? [] : [`${key} is missing`])),
    ...Object.keys(messages).flatMap((key) => (key in source ? [] : [`${key} is not in the English file`])),
    ...Object.keys(source)
      .filter((key) => key in messages && written(source[key]) !== written(messages[key]))
      .map((key) => `${key} has the placeholders ${written(messages[key])}, the English one ${written(source[key])}`),
  ];
}
