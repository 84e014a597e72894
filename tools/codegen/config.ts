import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CodegenConfig } from '@graphql-codegen/cli';

const PAGES = 'src/doors/pages';
const CONSOLE = `${PAGES}/console`;

const config = {
  useTypeImports: true,
  enumsAsTypes: true,
  scalars: {
    Wallet: 'string',
    Usd: 'number',
    Millis: 'number',
    SafeInt: 'number',
    BaseUnits: 'string',
    Hex: 'string',
    JSON: 'unknown',
  },
};

const schema = { 'schema.graphql': { loader: './tools/codegen/schema.ts' } };

type Generates = CodegenConfig['generates'];

/** The types of operations and of what they mention. They are no part of any program, and are not checked in. */
const typesOf = (folder: string, documents: readonly string[]): Generates => ({
  [`${folder}/generated/types.d.ts`]: { schema, documents: [...documents], plugins: ['typescript-operations'], config },
});

/** The operations of one file of documents. `types` is where their types are, and `module` the type `Operation`. */
const textsOf = (documents: string, types: string, module: string) => ({
  schema,
  documents,
  plugins: ['./tools/codegen/operations.ts'],
  config: { types, operationModule: module },
});

const pageTexts = (documents: string) => textsOf(documents, './types.d.ts', '../client/graphql.ts');

/** The operations of each folder of the console. */
const consoleTexts = Object.fromEntries(
  readdirSync(join(import.meta.dirname, '../..', CONSOLE))
    .map((folder) => [folder, `${CONSOLE}/${folder}/operations.graphql`] as const)
    .filter(([, documents]) => existsSync(join(import.meta.dirname, '../..', documents)))
    .map(([folder, documents]) => [
      `${CONSOLE}/generated/${folder}.ts`,
      textsOf(documents, '../../generated/types.d.ts', '../../client/graphql.ts'),
    ]),
);

/** Only the compiler and editors need these. */
export const types: Generates = {
  ...typesOf('src/client', ['src/client/operations.graphql']),
  ...typesOf(PAGES, [`${PAGES}/{client,portal,subscribe,live}/*.graphql`, `${CONSOLE}/*/operations.graphql`]),
  ...typesOf('src/doors/rest', ['src/doors/rest/operations/*.graphql']),
};

/** The program needs these; they are checked in, so that it runs without the packages of development. */
export const texts: Generates = {
  'src/client/generated/operations.ts': textsOf('src/client/operations.graphql', './types.d.ts', '../operation.ts'),
  [`${PAGES}/generated/session.ts`]: pageTexts(`${PAGES}/client/session.graphql`),
  [`${PAGES}/generated/portal.ts`]: pageTexts(`${PAGES}/portal/operations.graphql`),
  [`${PAGES}/generated/portal-gasless.ts`]: pageTexts(`${PAGES}/portal/gasless.graphql`),
  [`${PAGES}/generated/subscribe.ts`]: pageTexts(`${PAGES}/subscribe/operations.graphql`),
  [`${PAGES}/generated/live.ts`]: pageTexts(`${PAGES}/live/operations.graphql`),
  ...consoleTexts,
  // The server compiles documents, not texts.
  'src/doors/rest/generated/graphql.ts': {
    schema,
    documents: 'src/doors/rest/operations/*.graphql',
    plugins: ['./tools/codegen/operations.ts'],
    config: { types: './types.d.ts' },
  },
  // As another project would do it: with the public schema.
  'test/clients/codegen/generated/': {
    schema: 'schema.graphql',
    documents: 'test/clients/codegen/client.ts',
    preset: 'client',
    config: { ...config, documentMode: 'string' },
  },
};

/** The options of graphql-codegen for some of these files, below the folder of the project. */
export const codegenOf = (generates: Generates, cwd: string): CodegenConfig & { readonly cwd: string } => ({
  ...{ importExtension: '.ts', silent: true },
  ...{ generates, cwd },
});

export default codegenOf({ ...types, ...texts }, process.cwd());
