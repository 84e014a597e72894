import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Starts a process that outlives this one, even if this one is killed. It then ends the process `pid` and the embedded
 * services of the first folder, and deletes the folders. Returns a function that has this done now, and waits for it.
 */
export function startReaper(pid: number | undefined, folders: readonly string[]): () => Promise<void> {
  const program = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'reaper.ts')];
  const reaper = spawn(process.execPath, [...program, `${pid ?? ''}`, ...folders], {
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
  });
  const ended = once(reaper, 'exit');
  return async () => {
    reaper.stdin.end();
    await ended;
  };
}
