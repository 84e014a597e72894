import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { findFreePort } from '../../../src/base/platform/embedded/process.ts';
import { testDatabase } from '../../support/database.ts';
import { makeDataDir, runQuittance } from '../../support/program.ts';

const COMMANDS = [['serve', '--no-worker'], ['worker']];

/** Runs a command in a folder of its own until it has ended. */
async function failedStart(command: readonly string[], dataDir: string, more: Readonly<Record<string, string>> = {}) {
  const env = { DATA_DIR: dataDir, DATABASE_URL: await testDatabase(), RPC_URL: inject('rpcUrl'), PORT: '0' };
  const program = runQuittance(command, {
    env: { ...env, REDIS_URL: inject('redisUrl'), LOG_LEVEL: 'error', ...more },
  });
  return { ...(await program.exit), stderr: program.stderr() };
}

test.each(COMMANDS)('a start without the program flock ends, and says what to install: %s', async (...command) => {
  const { code, stderr } = await failedStart(command, makeDataDir(), { PATH: '/nowhere' });
  expect(code).toBe(1);
  expect(stderr).toContain('the program flock (package util-linux) is not installed');
});

test('a start that fails while Redis is away ends, too', async () => {
  const away = `redis://127.0.0.1:${await findFreePort()}`;
  const { code, stderr } = await failedStart(['worker'], makeDataDir(), { PATH: '/nowhere', REDIS_URL: away });
  expect(code).toBe(1);
  expect(stderr).toContain('flock');
});

test('a start that fails once the server listens ends, so that its supervisor starts it again', async () => {
  const dataDir = makeDataDir();
  mkdirSync(join(dataDir, 'server.json'));
  const { code, stderr } = await failedStart(['serve'], dataDir);
  expect(code).toBe(1);
  expect(stderr).toContain('EISDIR');
});
