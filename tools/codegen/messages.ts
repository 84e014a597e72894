/**
 * What is made of the files of messages in `src/base/core/messages`: their list, which the program imports, and the
 * types of their keys and placeholders.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOfConsole, LANGUAGES, languagesOf } from '../../src/base/core/messages/languages.ts';
import { catalogOf, type Kind } from '../../src/base/core/messages/parse.ts';

const FOLDER = 'src/base/core/messages';

export const MESSAGE_TYPES = `${FOLDER}/generated/messages.d.ts`;
export const CLIENT_WORDS = 'src/client/generated/words.ts';
export const MESSAGE_LIST = `${FOLDER}/generated/files.ts`;

/** The files of messages, by their paths below the project. */
export const messageFiles = (root: string): string[] =>
  areasIn(root).flatMap((area) => languagesOf(area).map((language) => `${FOLDER}/${area}/${language}.json`));

const areasIn = (root: string): string[] =>
  readdirSync(join(root, FOLDER), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'generated')
    .map(({ name }) => name)
    .sort();

/** The list of all files. */
export function messageList(root: string): string {
  const areas = areasIn(root);
  const name = (area: string, language: string) => `${area}_${language}`;
  const imports = areas.flatMap((area) =>
    languagesOf(area).map(
      (language) => `import ${name(area, language)} from '../${area}/${language}.json' with { type: 'json' };`,
    ),
  );
  const rows = areas.map(
    (area) =>
      `  ${area}: { ${languagesOf(area)
        .map((language) => `${language}: ${name(area, language)}`)
        .join(', ')} },`,
  );
  return `// Made of the files of messages by tools/codegen/messages.ts.
${imports.join('\n')}

export const FILES = {
${rows.join('\n')}
};
`;
}

/** The words of the form in a shop's own page, for the package that shops install: it imports nothing of the server. */
export function clientWords(root: string): string {
  const rows = LANGUAGES.map((language) => {
    const { _checked, ...words } = read(join(root, FOLDER, 'embed', `${language}.json`));
    const values = Object.entries(words).map(([key, text]) => `${key}: '${text}'`);
    return `  ${language}: { ${values.join(', ')} },`;
  });
  return `// Made of the files of messages by tools/codegen/messages.ts.\nexport const WORDS = {\n${rows.join('\n')}\n};\n`;
}

const TYPES: Readonly<Record<Kind, string>> = { text: 'string', number: 'number', choice: 'string' };

/** The types of all messages. Throws an error that names the files and keys that do not fit. */
export function messageTypes(root: string): string {
  const files = Object.fromEntries(
    areasIn(root).map((area) => [
      area,
      Object.fromEntries(languagesIn(root, area).map((name) => [name, read(join(root, FOLDER, area, `${name}.json`))])),
    ]),
  );
  const catalog = catalogOf(files);
  const areas = Object.entries(catalog).map(([area, messages]) => {
    const rows = Object.entries(messages).map(([key, placeholders]) => {
      const values = Object.entries(placeholders).map(([name, kind]) => `'${name}': ${TYPES[kind]}`);
      return `    '${key}': {${values.join('; ')}};`;
    });
    return `  '${area}': {\n${rows.join('\n')}\n  };`;
  });
  return `// Made of the files of messages by tools/codegen/messages.ts.\nexport interface Messages {\n${areas.join('\n')}\n}\n${consoleTypes(catalog)}`;
}

type Placeholders = Readonly<Record<string, Kind>>;
type TypeTree = Map<string, TypeTree | Placeholders>;

/** The type of the console's texts, by the parts of their keys. Throws for a key that two areas have. */
function consoleTypes(catalog: Readonly<Record<string, Readonly<Record<string, Placeholders>>>>): string {
  const tree: TypeTree = new Map();
  for (const [area, messages] of Object.entries(catalog).filter(([name]) => isOfConsole(name))) {
    for (const [key, placeholders] of Object.entries(messages)) {
      const parts = key.split('.');
      const last = parts.pop() as string;
      let place = tree;
      for (const part of parts) {
        const below = place.get(part) ?? new Map();
        if (!(below instanceof Map)) throw new Error(`messages/${area}/en.json: ${key} is below a message`);
        place.set(part, below);
        place = below;
      }
      if (place.has(last)) throw new Error(`messages/${area}/en.json: ${key} is there twice`);
      place.set(last, placeholders);
    }
  }
  return `\n/** The texts of the console. One with placeholders is a function of their values. */\nexport interface ConsoleWords ${treeType(tree)}\n`;
}

const treeType = (tree: TypeTree): string =>
  `{${[...tree].map(([part, below]) => `readonly '${part}': ${below instanceof Map ? treeType(below) : leafType(below)};`).join('\n')}}`;

function leafType(placeholders: Placeholders): string {
  const values = Object.entries(placeholders).map(([name, kind]) => `readonly '${name}': ${TYPES[kind]}`);
  return values.length === 0 ? 'string' : `(values: {${values.join('; ')}}) => string`;
}

/** The languages that an area must have, and those of further files, which it must not have. */
const languagesIn = (root: string, area: string): string[] => [
  ...new Set([...languagesOf(area), ...readdirSync(join(root, FOLDER, area)).map((file) => file.replace('.json', ''))]),
];

/** A language without a file lacks every message. */
const read = (file: string) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { _checked: false });
