/**
 * `npm run test:rails`: payments on five rails and two chains, while processes are killed and blocks are replaced. See
 * docs/contribute/reliability.md.
 *
 *   --payments N    (default: 1000)
 *   --seed S        (default: 1)
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { payments: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const env = { ...process.env, RAIL_PAYMENTS: values.payments, RAIL_SEED: values.seed };
const test = ['run', '--config', 'test/vitest.config.ts', 'test/rails/rails.test.ts'];
process.exit(spawnSync('vitest', test, { env, stdio: 'inherit' }).status ?? 1);
