/**
 * `npm run test:fuzz`: generated requests against a server process. See docs/contribute/reliability.md.
 *
 *   --requests N  how many (default: 20,000)
 *   --seed S      (default: 1)
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const env = { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed };
const test = ['run', '--config', 'test/vitest.config.ts', 'test/fuzz/fuzz.test.ts'];
process.exit(spawnSync('vitest', test, { env, stdio: 'inherit' }).status ?? 1);
