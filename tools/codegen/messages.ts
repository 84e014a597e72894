/**
 * What is made of the files of messages in `src/base/core/messages`: their list, which the program imports, and the
 * types of their keys and placeholders.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from '../../src/base/core/messages/languages.ts';
import { catalogOf, type Kind } from '../../src/base/core/messages/parse.ts';

const FOLDER = 'src/base/core/messages';

export const MESSAGE_TYPES = `${FOLDER}/generated/messages.d.ts`;
export const MESSAGE_LIST = `${FOLDER}/generated/files.ts`;

/** The files of messages, by their paths below the project. */
export const messageFiles = (root: string): string[] =>
  areasIn(root).flatMap((area) => LANGUAGES.map((language) => `${FOLDER}/${area}/${language}.json`));

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
    LANGUAGES.map(
      (language) => `import ${name(area, language)} from '../${area}/${language}.json' with { type: 'json' };`,
    ),
  );
  const rows = areas.map(
    (area) => `  ${area}: { ${LANGUAGES.map((language) => `${language}: ${name(area, language)}`).join(', ')} },`,
  );
  return `// Made of the files of messages by tools/codegen/messages.ts.
${imports.join('\n')}

export const FILES = {
${rows.join('\n')}
};
`;
}

const TYPES: Readonly<Record<Kind, string>> = { text: 'string', number: 'number', choice: 'string' };

/** The types of all messages. Throws an error that names the files and keys that do not fit. */
export function messageTypes(root: string): string {
  const files = Object.fromEntries(
    areasIn(root).map((area) => [
      area,
      Object.fromEntries(LANGUAGES.map((language) => [language, read(join(root, FOLDER, area, `${language}.json`))])),
    ]),
  );
  const areas = Object.entries(catalogOf(files)).map(([area, messages]) => {
    const rows = Object.entries(messages).map(([key, placeholders]) => {
      const values = Object.entries(placeholders).map(([name, kind]) => `'${name}': ${TYPES[kind]}`);
      return `    '${key}': {${values.join('; ')}};`;
    });
    return `  '${area}': {\n${rows.join('\n')}\n  };`;
  });
  return `// Made of the files of messages by tools/codegen/messages.ts.\nexport interface Messages {\n${areas.join('\n')}\n}\n`;
}

/** A language without a file lacks every message. */
const read = (file: string) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { _checked: false });
