/**
 * `npm run test:soak`: half load for hours, and whether memory, descriptors, timers, connections, dead rows and
 * processor time per request stay as they are. See docs/contribute/reliability.md.
 *
 *   --minutes N   (default: 120)
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '120' } } });
const env = { ...process.env, SOAK_MINUTES: values.minutes };
const test = ['run', '--config', 'test/vitest.config.ts', 'test/soak/soak.test.ts'];
process.exit(spawnSync('vitest', test, { env, stdio: 'inherit' }).status ?? 1);
