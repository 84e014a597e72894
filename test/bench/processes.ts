import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A process of the bench that listens. */
export interface Listening {
  readonly port: number;
  /** Resident memory now, in MiB. */
  memoryMiB(): number;
  stop(): Promise<void>;
}

const START_MS = 60_000;

/** A port of the loopback that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/**
 * Starts `quittance serve --no-worker` on a port of its own, as an operator would, and waits until it is ready.
 * `BENCH_NODE_FLAGS` goes to its Node (`--cpu-prof`).
 */
export async function startServer(env: NodeJS.ProcessEnv): Promise<Listening> {
  const port = await freePort();
  const command = fileURLToPath(new URL('../../src/cli/quittance.js', import.meta.url));
  const child = spawn(process.execPath, [command, 'serve', '--no-worker'], {
    env: { ...env, PORT: String(port), NODE_OPTIONS: process.env.BENCH_NODE_FLAGS },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return ready(child, port, '/readyz');
}

/** Starts one of the bench's own programs, which gets its port in `PORT`, and waits until it answers. */
export async function startProgram(file: string, env: NodeJS.ProcessEnv): Promise<Listening> {
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return ready(child, port, '/');
}

async function ready(child: ChildProcess, port: number, path: string): Promise<Listening> {
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
    memoryMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
