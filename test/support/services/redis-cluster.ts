import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort, waitUntil } from '../../../src/base/platform/embedded/process.ts';
import { LEASH } from './leash.ts';
import { findRedis } from './redis.ts';

/** One master of a cluster. */
interface ClusterNode {
  readonly port: number;
  readonly pid: number;
}

export interface RedisCluster {
  /** `redis-cluster://…`, naming all nodes. */
  readonly redisUrl: string;
  readonly nodes: readonly ClusterNode[];
  stop(): Promise<void>;
}

const SLOTS = 16_384;

/** Starts three masters on this machine that share all slots, without replicas, and waits until they agree. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-cluster-'));
  const nodes = await Promise.all([0, 1, 2].map((number) => startNode(join(folder, `${number}`))));
  const share = Math.ceil(SLOTS / nodes.length);
  await Promise.all(
    nodes.map(({ redis }, i) =>
      redis.call('CLUSTER', 'ADDSLOTSRANGE', i * share, Math.min(SLOTS, (i + 1) * share) - 1),
    ),
  );
  const [first, ...others] = nodes as [(typeof nodes)[0], ...typeof nodes];
  for (const { port, busPort } of others) await first.redis.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
  const agree = async () => {
    const views = await Promise.all(nodes.map(({ redis }) => redis.call('CLUSTER', 'INFO')));
    return views.every((view) => /cluster_state:ok[\s\S]*cluster_known_nodes:3/.test(String(view)));
  };
  if (!(await waitUntil(agree, 60_000))) throw new Error('the nodes of the Redis cluster do not agree');
  for (const { redis } of nodes) redis.disconnect();
  return {
    redisUrl: `redis-cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    async stop() {
      await Promise.all(
        nodes.map(async ({ child }) => {
          const ended = child.exitCode === null && child.signalCode === null && once(child, 'exit');
          child.stdin.end();
          await ended;
        }),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts one master. A node that exits because another program has taken its port is started with other ports. */
async function startNode(dir: string) {
  mkdirSync(dir);
  const program = findRedis();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const port = await findFreePort();
    // Redis' default, 10,000 above the port, is in the range of outgoing connections, which may hold it.
    const busPort = await findFreePort();
    const args = [
      ...['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir],
      ...['--cluster-enabled', 'yes', '--cluster-port', `${busPort}`, '--cluster-node-timeout', '2000'],
      // A lost node takes its own slots with it, and no others.
      ...['--cluster-require-full-coverage', 'no', '--cluster-allow-pubsubshard-when-down', 'yes'],
    ];
    const child = spawn('/bin/sh', ['-c', LEASH, 'sh', program.file, ...args], {
      env: { ...process.env, ...program.env },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 100, maxRetriesPerRequest: null });
    redis.on('error', () => {});
    const info = await Promise.race([redis.info('server'), once(child, 'exit').then(() => undefined)]);
    if (info) return { port, busPort, child, redis, pid: Number(/process_id:(\d+)/.exec(info)?.[1]) };
    redis.disconnect();
    child.stdin.destroy();
  }
  throw new Error(`${program.file} does not start as a cluster node in ${dir}`);
}
