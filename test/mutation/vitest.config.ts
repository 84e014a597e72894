import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { AREAS } from './areas.ts';

const root = join(import.meta.dirname, '../..');
const { tests } = AREAS[process.env.MUTATION_AREA ?? '']!;

/** Only the unit tests of one area. Their services are not started. */
export default defineConfig({
  test: { root, include: [...tests], setupFiles: [join(import.meta.dirname, 'same-seed.ts')], testTimeout: 90_000 },
});
