import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PATHS } from '../bench/paths.ts';
import { root } from '../gates/sources.ts';

test('the bare twin of the bench answers each path as the server does', () => {
  const bench = [join(root, 'test/bench/main.ts'), '--check', '--few', '--no-peers'];
  const { status, stderr } = spawnSync(process.execPath, bench, { cwd: root, encoding: 'utf8' });
  expect(stderr.match(/: the same answer/g) ?? stderr).toHaveLength(PATHS.length);
  expect(status).toBe(0);
}, 120_000);
