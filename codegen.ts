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

/** The operations of one page, as texts for its script. */
const page = (documents: string) => ({
  documents,
  plugins: ['typescript-operations', './codegen-operations.ts'],
  config: types,
});

/** Types every stored operation from the schema as it is checked in. Run with `npm run codegen`; the output is checked in too. */
const config: CodegenConfig = {
  schema: [{ 'schema.graphql': { loader: './codegen-schema.ts' } }],
  importExtension: '.ts',
  generates: {
    'src/rest/generated/': {
      documents: ['src/rest/operations/*.graphql'],
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: types,
    },
    'src/pages/generated/session.ts': page('src/pages/client/session.graphql'),
    'src/pages/generated/portal.ts': page('src/pages/portal/operations.graphql'),
    'src/pages/generated/subscribe.ts': page('src/pages/subscribe/operations.graphql'),
    'src/pages/generated/live.ts': page('src/pages/live/operations.graphql'),
    'src/pages/generated/live-receipts.ts': page('src/pages/live-receipts/operations.graphql'),
  },
};

export default config;
