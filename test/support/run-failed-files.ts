/**
 * `npm run test:failed`: runs the files that did not pass in the last run again, one after the other. A test that only
 * failed because the machine was busy passes now; a fault of the product fails again.
 */
import { join } from 'node:path';
import { startVitest } from 'vitest/node';
import { readFailedFiles } from './failed-files.ts';

const files = readFailedFiles();
if (files.length === 0) {
  console.error('The last run lists no file that did not pass: it passed, or it ended before the tests.');
  process.exit(1);
}
console.log(`\nRunning ${files.length} files again that did not pass:\n${files.join('\n')}\n`);
await startVitest('test', files, {
  run: true,
  config: join(import.meta.dirname, '../vitest.config.ts'),
  maxWorkers: 1,
});
