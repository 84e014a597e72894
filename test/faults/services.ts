import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { findFreePort } from '../../src/base/platform/embedded/process.ts';
import { startServices } from '../../src/base/platform/embedded/services.ts';
import { databaseSignals } from '../support/database-processes.ts';
import { makeDataDir, until } from '../support/program.ts';
import { findRedis, pings } from '../support/services/redis.ts';

/** A service of the test's own, which faults kill and stop. */
export interface Service {
  readonly url: string;
  /** Sends a signal to all of its processes. */
  signal(name: NodeJS.Signals): void;
  /** Starts it again at the same address after SIGKILL, and waits until it answers. */
  restart(): Promise<void>;
}

/** PostgreSQL as in production: a commit is on disk before it is acknowledged. */
export async function openDatabaseService(): Promise<Service> {
  const dataDir = makeDataDir();
  const log = { info: () => {}, warn: console.warn };
  const start = () =>
    startServices({ dataDir, chainId: 1, wantPostgres: true, wantChain: false, durability: 'full', log });
  const { databaseUrl } = await start();
  const signal = databaseSignals(dataDir);
  return { url: databaseUrl!, signal, restart: async () => void (await start()) };
}

/** Redis without persistence: a killed one has forgotten everything. */
export async function openRedisService(): Promise<Service> {
  const { file, env } = findRedis();
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess;
  const start = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'];
    child = spawn(file, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
    await until(() => pings(url));
  };
  await start();
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    url,
    signal: (name) => void child.kill(name),
    async restart() {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await start();
    },
  };
}
