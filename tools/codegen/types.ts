/**
 * The types that are made of `schema.graphql`, `openapi.json`, the operations and the messages. They are not checked
 * in: `npm run check`, `npm run codegen` and `npm run build:client` make them where they do not match.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codegenOf, types } from './config.ts';
import {
  CLIENT_WORDS,
  clientWords,
  MESSAGE_LIST,
  MESSAGE_TYPES,
  messageFiles,
  messageList,
  messageTypes,
} from './messages.ts';

const project = join(import.meta.dirname, '../..');
const API = 'src/client/generated/api.d.ts';

/** Makes the types below a folder with the project's sources, unless they are there. */
export async function makeTypes(root = project): Promise<void> {
  const stamp = join(root, '.cache/types.sha256');
  if (read(stamp) === digestOf(root)) return;
  process.stderr.write('quittance: making the types of operations, messages and the client …\n');
  write(join(root, MESSAGE_LIST), messageList(root));
  write(join(root, CLIENT_WORDS), clientWords(root));
  write(join(root, MESSAGE_TYPES), messageTypes(root));
  // Both take seconds to load.
  const { generate } = await import('@graphql-codegen/cli');
  const { default: openapiTypescript, astToString } = await import('openapi-typescript');
  const made = await generate(codegenOf(types, root), false).catch((error: unknown) => {
    throw new Error('An operation does not fit schema.graphql; after a change of the schema: npm run codegen', {
      cause: error,
    });
  });
  for (const { filename, content } of made) write(join(root, filename), content);
  const document = await openapiTypescript(readFileSync(join(root, 'openapi.json'), 'utf8'), { rootTypes: true });
  write(join(root, API), `// Made of openapi.json by openapi-typescript.\n${astToString(document)}`);
  write(stamp, digestOf(root));
}

/** The digest of what the types are made of and by, and of the types. */
function digestOf(root: string): string {
  const operations = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.graphql'))
    .map((path) => join('src', path))
    .sort();
  const makers = ['config', 'messages', 'schema', 'types'].map((name) => `tools/codegen/${name}.ts`);
  const sources = [
    'package-lock.json',
    'schema.graphql',
    'openapi.json',
    ...makers,
    ...operations,
    ...messageFiles(root),
  ];
  const hash = createHash('sha256');
  for (const path of [...sources, ...Object.keys(types), API, CLIENT_WORDS, MESSAGE_LIST, MESSAGE_TYPES]) {
    const text = read(join(root, path));
    hash.update(`${path}\0${text?.length ?? 'none'}\0`).update(text ?? '');
  }
  return hash.digest('hex');
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

if (import.meta.main) await makeTypes();
