import { join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import common from '../test/vitest.config.ts';

/** `npm run test:connectors`: the connectors in real shop systems, whose packages are installed first. */
export default mergeConfig(
  { ...common, test: { ...common.test, include: undefined, reporters: ['default'] } },
  {
    test: {
      include: ['connectors/*/test/**/*.test.ts'],
      testTimeout: 7_200_000,
      hookTimeout: 1_800_000,
      root: join(import.meta.dirname, '..'),
    },
  },
);
