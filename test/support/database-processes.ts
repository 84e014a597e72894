import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { preparePostgresHome } from '../../src/base/platform/embedded/postgres-home.ts';
import { processesIn } from '../../src/base/platform/embedded/process.ts';

/** Sends a signal to all processes of an embedded database, which go on when the test is finished. */
export function databaseSignals(dataDir: string): (name: NodeJS.Signals) => void {
  const cluster = join(preparePostgresHome(dataDir).folder, 'data-18');
  const signal = (name: NodeJS.Signals) => signalAll(processesIn(cluster), name);
  onTestFinished(() => signal('SIGCONT'));
  return signal;
}

/** Sends a signal to processes, of which some may have ended meanwhile. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}
