import { existsSync, readdirSync } from 'node:fs';
import type { CodegenConfig } from '@graphql-codegen/cli';

const types = {
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

/** The operations of one page, as texts for its script. */
const page = (documents: string) => ({
  schema,
  documents,
  plugins: ['typescript-operations', './tools/codegen/operations.ts'],
  config: types,
});

const CONSOLE = 'src/pages/console';

/** The operations of each folder of the console. */
const consoleFolders = Object.fromEntries(
  readdirSync(CONSOLE)
    .filter((folder) => existsSync(`${CONSOLE}/${folder}/operations.graphql`))
    .map((folder) => [
      `${CONSOLE}/generated/${folder}.ts`,
      {
        ...page(`${CONSOLE}/${folder}/operations.graphql`),
        config: { ...types, operationModule: '../../client/graphql.ts' },
      },
    ]),
);

/** Types every stored operation from the schema as it is checked in. The output is checked in too. */
const config: CodegenConfig = {
  importExtension: '.ts',
  generates: {
    'src/rest/generated/': {
      schema,
      documents: ['src/rest/operations/*.graphql'],
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: types,
    },
    'src/client/generated/operations.ts': {
      schema,
      documents: 'src/client/operations.graphql',
      plugins: ['typescript-operations', './tools/codegen/operations.ts'],
      config: { ...types, operationModule: '../operation.ts' },
    },
    'src/pages/generated/session.ts': page('src/pages/client/session.graphql'),
    'src/pages/generated/portal.ts': page('src/pages/portal/operations.graphql'),
    'src/pages/generated/portal-gasless.ts': page('src/pages/portal/gasless.graphql'),
    'src/pages/generated/subscribe.ts': page('src/pages/subscribe/operations.graphql'),
    'src/pages/generated/live.ts': page('src/pages/live/operations.graphql'),
    ...consoleFolders,
    // As another project would do it: with the public schema.
    'test/clients/codegen/generated/': {
      schema: 'schema.graphql',
      documents: 'test/clients/codegen/client.ts',
      preset: 'client',
      config: { ...types, documentMode: 'string' },
    },
  },
};

export default config;
