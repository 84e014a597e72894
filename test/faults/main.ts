/**
 * `npm run test:faults`: processes are killed and connections cut while clients order and pay. See
 * docs/contribute/reliability.md.
 *
 *   --rounds N    (default: 20)
 *   --seed S      (default: 1)
 *   --only a,b    faults of these kinds only; `kinds.ts` lists them
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const env = {
  ...{ ...process.env, FAULT_ROUNDS: values.rounds, FAULT_SEED: values.seed },
  ...(values.only === undefined ? {} : { FAULT_ONLY: values.only }),
};
const test = ['run', '--config', 'test/vitest.config.ts', 'test/faults/faults.test.ts'];
process.exit(spawnSync('vitest', test, { env, stdio: 'inherit' }).status ?? 1);
