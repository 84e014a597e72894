import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { withRecordLock } from './record.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'quittance-record-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
});

test('two that change the services of one folder take turns, and leave no file', async () => {
  let inside = 0;
  const most: number[] = [];
  const change = () =>
    withRecordLock(dataDir, async () => {
      inside += 1;
      most.push(inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    });
  await Promise.all([change(), change(), change()]);
  expect(most).toEqual([1, 1, 1]);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('the lock of a process that is killed is free at once', async () => {
  const holds = `
    import { withRecordLock } from ${JSON.stringify(join(import.meta.dirname, 'record.ts'))};
    await withRecordLock(${JSON.stringify(dataDir)}, () => new Promise(() => {
      console.log('held');
      setInterval(() => {}, 1_000);
    }));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', holds], { stdio: ['ignore', 'pipe', 2] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const start = performance.now();
  expect(await withRecordLock(dataDir, async () => 'mine')).toBe('mine');
  expect(performance.now() - start).toBeLessThan(9_000);
});
