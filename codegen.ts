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

const schema = { 'schema.graphql': { loader: './codegen-schema.ts' } };

/** The operations of one page, as texts for its script. */
const page = (documents: string) => ({
  schema,
  documents,
  plugins: ['typescript-operations', './codegen-operations.ts'],
  config: types,
});

const CONSOLE = 'src/doors/pages/console';

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

/** Types every stored operation from the schema as it is checked in. Run with `npm run codegen`; the output is checked in too. */
const config: CodegenConfig = {
  importExtension: '.ts',
  generates: {
    'src/doors/rest/generated/': {
      schema,
      documents: ['src/doors/rest/operations/*.graphql'],
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: types,
    },
    'src/client/generated/operations.ts': {
      schema,
      documents: 'src/client/operations.graphql',
      plugins: ['typescript-operations', './codegen-operations.ts'],
      config: { ...types, operationModule: '../operation.ts' },
    },
    'src/doors/pages/generated/session.ts': page('src/doors/pages/client/session.graphql'),
    'src/doors/pages/generated/portal.ts': page('src/doors/pages/portal/operations.graphql'),
    'src/doors/pages/generated/portal-gasless.ts': page('src/doors/pages/portal/gasless.graphql'),
    'src/doors/pages/generated/subscribe.ts': page('src/doors/pages/subscribe/operations.graphql'),
    'src/doors/pages/generated/live.ts': page('src/doors/pages/live/operations.graphql'),
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
