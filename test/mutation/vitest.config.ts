import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { AREAS } from './areas.ts';

const root = join(import.meta.dirname, '../..');
const { tests, needsServices } = AREAS[process.env.MUTATION_AREA ?? '']!;

const globalSetup = needsServices ? [join(root, 'test/support/services/global-setup.ts')] : [];

/** Only the unit tests of one area. */
export default defineConfig({
  test: {
    ...{ root, include: [...tests], globalSetup, testTimeout: 90_000 },
    setupFiles: [join(import.meta.dirname, 'same-seed.ts')],
  },
});
