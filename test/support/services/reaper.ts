import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { erasePostgresHome } from '../../../src/base/platform/embedded/postgres-home.ts';
import { stopServices } from '../../../src/base/platform/embedded/services.ts';

/**
 * The process of `startReaper`. Its pipe closes when the run is gone, also after a SIGKILL. Unless the run says before
 * that it has finished, every process that names its folder is killed. Then the embedded services in the folder are
 * ended, and the folders and their databases deleted.
 */
const [folder, ...others] = process.argv.slice(2) as [string, ...string[]];
let finished = false;
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.stdin.on('data', () => {
  finished = true;
});
process.stdin.on('end', async () => {
  if (!finished) killProcessesOf(folder);
  for (const dataDir of [folder, ...foldersIn(folder)]) {
    if (existsSync(join(dataDir, 'services.json'))) await stopServices(dataDir);
    // Databases may be outside of the folder, also those whose services have ended.
    erasePostgresHome(dataDir);
  }
  for (const one of [folder, ...others]) rmSync(one, { recursive: true, force: true });
});

const foldersIn = (parent: string): string[] =>
  readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(parent, name));

/** Kills every process that has the folder in its command line or its environment. */
function killProcessesOf(name: string): void {
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)) {
    try {
      const named = ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(name));
      if (named) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}
