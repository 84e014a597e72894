import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { FailedFiles } from './support/failed-files.ts';
import { LongestFirst } from './support/longest-first.ts';

const root = join(import.meta.dirname, '..');

export default defineConfig({
  test: {
    root,
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/bench/**'],
    globalSetup: [join(root, 'test/support/services/global-setup.ts')],
    pool: 'forks',
    // Half of a test's time is waiting for real programs: four workers keep two cores busy.
    maxWorkers: 4,
    // Without isolation the product is loaded once: modules keep their state in objects that each test creates.
    isolate: false,
    // Node loads the product and its packages as it does for a server, from its compile cache.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: ['default', new FailedFiles()],
    // CI shares its machine: a test that fails there runs once more, and the report names it.
    retry: process.env.CI ? 1 : 0,
    // Limits are for what hangs. On a machine with other work everything takes several times longer.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    setupFiles: [join(root, 'test/support/setup.ts')],
  },
});
