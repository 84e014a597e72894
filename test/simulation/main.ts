/**
 * `npm run long -- simulate`: lives of receipts through the pure functions of the payment core, each compared step by
 * step with a model. See docs/contribute/reliability.md.
 *
 *   --lives N     how many lives (default: 100,000)
 *   --seed S      the seed of the first life; the next one has S + 1 (default: 1)
 *   --stored N    repeats N of them on PostgreSQL instead
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { playLife } from './life.ts';

const { values } = parseArgs({
  options: {
    lives: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    stored: { type: 'string' },
  },
});
if (values.stored !== undefined) {
  const env = { ...process.env, SIMULATED_LIVES: values.stored, SIMULATED_SEED: values.seed };
  const test = ['run', '--config', 'test/vitest.config.ts', 'test/simulation/simulation.test.ts'];
  process.exit(spawnSync('vitest', test, { env, stdio: 'inherit' }).status ?? 1);
}
const [lives, seed] = [Number(values.lives), Number(values.seed)];
const began = performance.now();
const ends = new Map<string, number>();
let operations = 0;
for (let life = 0; life < lives; life++) {
  const { lockstep } = playLife(seed + life);
  operations += lockstep.calls.length;
  for (const { status } of lockstep.model.receipts) ends.set(status, (ends.get(status) ?? 0) + 1);
}
const seconds = Math.round((performance.now() - began) / 1_000);
const receipts = [...ends.values()].reduce((sum, count) => sum + count, 0);
console.log(
  `${lives} lives from seed ${seed}: ${receipts} receipts, ${operations} operations, ${seconds} s, no difference`,
);
console.log([...ends].map(([status, count]) => `${status} ${count}`).join(', '));
