import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { postgresFolders, preparePostgresHome } from '../../../src/base/platform/embedded/postgres-home.ts';
import { markProcess } from '../../../src/base/platform/embedded/process.ts';
import { startReaper } from './start-reaper.ts';

test('a run that is killed leaves neither its programs nor its folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-killed-'));
  writeFileSync(join(folder, 'log'), '');
  const run = spawn(process.execPath, [join(import.meta.dirname, 'reaped-run.ts'), folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void run.kill('SIGKILL'));
  const [line] = await once(run.stdout.setEncoding('utf8'), 'data');
  const pids: number[] = JSON.parse(line);
  expect(pids.map((pid) => markProcess(pid)?.pid)).toEqual(pids);

  run.kill('SIGKILL');

  await vi.waitUntil(() => !existsSync(folder));
  await vi.waitUntil(() => pids.every((pid) => markProcess(pid) === undefined));
});

test('a run that has ended its services itself leaves no databases', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-ended-'));
  const home = preparePostgresHome(folder);
  await startReaper(folder)();
  expect([home.folder, folder, ...postgresFolders(folder)].filter(existsSync)).toEqual([]);
});
