import type { CodegenConfig } from '@graphql-codegen/cli';

/** Types every stored operation from the schema as it is checked in. Run with `npm run codegen`; the output is checked in too. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: ['src/rest/operations/*.graphql'],
  importExtension: '.ts',
  generates: {
    'src/rest/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: {
          Wallet: 'string',
          Usd: 'number',
          Millis: 'number',
          BaseUnits: 'string',
          Hex: 'string',
          JSON: 'unknown',
        },
      },
    },
  },
};

export default config;
