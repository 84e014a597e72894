/**
 * `npm run codegen`: writes the schema and the REST document as the sources print them, and what is made from those
 * two: the texts and types of operations, the types of the client, and the files of the clients in `test/clients`.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { generate } from '@graphql-codegen/cli';
import { codegenOf, texts } from './config.ts';
import { makeTypes } from './types.ts';

const root = join(import.meta.dirname, '../..');
const clients = join(root, 'test/clients');

const run = (file: string, args: readonly string[], cwd = root): unknown =>
  execFileSync(file, args, { cwd, stdio: 'inherit' });
const quittance = (command: string) => run(process.execPath, ['src/app/cli/quittance.js', command]);
const program = (name: string) => join(root, 'node_modules/.bin', name);

quittance('schema');
await generate(codegenOf(texts, root), true);
// The routes take their operations from what was just written.
quittance('openapi');
await makeTypes();
run(program('gql.tada'), ['generate-output', '-c', join(clients, 'tada/tsconfig.json')]);
run(program('relay-compiler'), ['relay.config.json'], join(clients, 'relay'));
