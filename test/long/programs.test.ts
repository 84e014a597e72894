import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../gates/sources.ts';
import { commandOf } from './command.ts';
import { PROGRAMS } from './programs.ts';

const long = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'test/long/main.ts'), ...args], { encoding: 'utf8' });

test('every long program exists, and is listed with one sentence and its options', () => {
  const { status, stdout } = long();
  expect(status).toBe(0);
  for (const [name, program] of Object.entries(PROGRAMS)) {
    const files = commandOf(program, []).args.filter((arg) => /\.m?[jt]s$/.test(arg));
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(stdout).toContain(`  ${name.padEnd(10)}${program.shows}`);
    for (const option of Object.keys(program.options ?? {})) expect(stdout).toContain(` --${option}`);
  }
});

test('an option wins over the environment, which wins over the table; what the program has no option for goes to vitest', () => {
  const env = { SHELVES: '5', GLAZE_SEED: '1' };
  const run = { vitest: ['test/shelf.test.ts'] };
  const program = { shows: 'Cups stay.', run, env, options: { shelves: 'SHELVES', seed: 'GLAZE_SEED' } };
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', 'test/shelf.test.ts'];
  expect(commandOf(program, [])).toEqual({ args: vitest, env });
  const given = ['--shelves', '7', '-t', 'a cup', '--seed=3', '--bail', '1'];
  const args = [...vitest, '-t', 'a cup', '--bail', '1'];
  expect(commandOf(program, given)).toEqual({ args, env: { SHELVES: '7', GLAZE_SEED: '3' } });
  process.env.SHELVES = '6';
  try {
    expect(commandOf(program, []).env).toEqual({ SHELVES: '6', GLAZE_SEED: '1' });
    expect(commandOf(program, ['--shelves', '7']).env).toEqual({ SHELVES: '7', GLAZE_SEED: '1' });
  } finally {
    delete process.env.SHELVES;
  }
});

test('a name that is none, and an option without a value, run nothing', () => {
  expect(long('faulst')).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('faults, rails') });
  expect(long('soak', '--minutes')).toMatchObject({ status: 1, stdout: '', stderr: '--minutes needs a value\n' });
});

test('the exit code is that of the program', () => {
  expect(long('simulate', '--lives', '1').status).toBe(0);
  expect(long('simulate', '--livse', '1').status).not.toBe(0);
});
