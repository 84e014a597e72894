import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';

/** A process that listens on a port. */
export interface BenchProgram {
  readonly port: number;
  readonly pid: number;
  /** Resident memory now, in MiB. */
  memoryMiB(): number;
  stop(): Promise<void>;
}

const START_MS = 60_000;

/**
 * Starts `quittance serve --no-worker`, as an operator would, and waits until it is ready. Its Node gets the flags of
 * `BENCH_NODE_FLAGS` (`--cpu-prof`).
 */
export async function startServer(env: NodeJS.ProcessEnv): Promise<BenchProgram> {
  const port = await findFreePort();
  const command = fileURLToPath(new URL('../../src/app/cli/quittance.js', import.meta.url));
  const child = spawn(process.execPath, [command, 'serve', '--no-worker'], {
    env: { ...env, PORT: String(port), NODE_OPTIONS: process.env.BENCH_NODE_FLAGS },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // Without a worker no payment is seen, so only orders are asked for.
  return ready(child, port, '/readyz?for=orders');
}

/**
 * Starts a program, by its path from this folder or its absolute path. It listens on the port in `PORT`. Resolves when
 * it answers.
 */
export async function startProgram(file: string, env: NodeJS.ProcessEnv): Promise<BenchProgram> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [resolve(import.meta.dirname, file)], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return ready(child, port, '/');
}

/** Ends the program with this process at the latest, also if a signal ends the run. */
function endWithRun(child: ChildProcess): void {
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

async function ready(child: ChildProcess, port: number, path: string): Promise<BenchProgram> {
  endWithRun(child);
  const deadline = performance.now() + START_MS;
  const answers = () =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${child.spawnargs.join(' ')} does not start`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    pid: child.pid as number,
    memoryMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
