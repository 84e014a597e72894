import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Starts a process that outlives this one, even if this one is killed. It then kills the processes that name the first
 * folder in their command line or environment, ends the embedded services in it, and deletes the folders and their
 * databases. Returns a function that has all of it removed now, and waits for it.
 */
export function startReaper(folder: string, ...others: readonly string[]): () => Promise<void> {
  const program = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'reaper.ts')];
  const reaper = spawn(process.execPath, [...program, folder, ...others], {
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
  });
  const ended = once(reaper, 'exit');
  return async () => {
    reaper.stdin.end('finished');
    await ended;
  };
}
