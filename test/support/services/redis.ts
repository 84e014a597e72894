import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort, waitUntil } from '../../../src/base/platform/embedded/process.ts';
import { environmentOf, unpackDebian } from './debian.ts';
import { findProgram, type Program } from './programs.ts';

export interface RedisServer {
  redisUrl: string;
  /** Absent when the server is somebody else's (`REDIS_URL`). */
  pid?: number;
  stop(): Promise<void>;
}

/** Finds a redis-server on PATH, else unpacks Debian's into the cache. Throws with the command that helps. */
export function findRedis(): Program {
  const file = findProgram('redis-server');
  if (file) return { file, env: {} };
  try {
    const root = unpackDebian('redis', ['redis-server', 'redis-tools']);
    // In Debian redis-server is a link to redis-check-rdb, of the package redis-tools.
    return { file: join(root, 'usr/bin/redis-server'), env: environmentOf(root) };
  } catch (error) {
    throw new Error('the tests need Redis: run `apt-get install redis-server`, or set REDIS_URL to a server', {
      cause: error,
    });
  }
}

/** Gives the server of `REDIS_URL`, or starts one in memory on a free loopback port. */
export async function startRedis(folder: string): Promise<RedisServer> {
  const given = process.env.REDIS_URL;
  if (given) {
    if (!(await pings(given))) throw new Error(`REDIS_URL=${given} does not answer`);
    return { redisUrl: given, stop: async () => {} };
  }
  const program = findRedis();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await findFreePort();
    const redisUrl = `redis://127.0.0.1:${port}`;
    const output: string[] = [];
    const child = spawn(
      program.file,
      ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
      { env: { ...process.env, ...program.env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    process.once('exit', () => void child.kill('SIGKILL'));
    child.stdout.on('data', (data) => output.push(`${data}`));
    child.stderr.on('data', (data) => output.push(`${data}`));
    child.on('error', (error) => output.push(error.message));
    await waitUntil(async () => hasEnded(child) || (await pings(redisUrl)), 60_000);
    if (!hasEnded(child) && (await pings(redisUrl))) {
      return { redisUrl, pid: child.pid, stop: () => end(child) };
    }
    await end(child);
    if (!output.join('').includes('Address already in use')) {
      throw new Error(`${program.file} does not start:\n${output.join('')}`);
    }
  }
  throw new Error('no free port for Redis');
}

/** Whether a Redis answers. */
export async function pings(url: string): Promise<boolean> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 1_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGKILL');
  await waitUntil(() => hasEnded(child), 60_000);
}
